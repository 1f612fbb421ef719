package fuzz

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// fixedChecks is how many cases each rapid property tries where nobody says otherwise: enough to reach
// every line of the verifier, few enough for every commit.
const fixedChecks = 300

func TestMain(m *testing.M) {
	// Before the flags are read, so that those on the command line still win.
	set("rapid.checks", strconv.Itoa(checks(fixedChecks)))
	if os.Getenv(checksName) == "" {
		set("rapid.seed", "1") // the short run is the same for everybody; a long one looks elsewhere each time
	}
	os.Exit(m.Run())
}

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

const checksName = "CONFORMANCE_CHECKS"

// checks is how many cases a property tries: a fixed number, or what CONFORMANCE_CHECKS says.
func checks(fixed int) int {
	text := os.Getenv(checksName)
	if text == "" {
		return fixed
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		fmt.Fprintf(os.Stderr, "%s=%q is no number of checks\n", checksName, text)
		os.Exit(2)
	}
	return n
}

// fewer makes rapid try a fraction of the checks, in a test with many properties.
func fewer(t *testing.T, divisor int) {
	before := flag.Lookup("rapid.checks").Value.String()
	n, err := strconv.Atoi(before)
	if err != nil {
		t.Fatal(err)
	}
	set("rapid.checks", strconv.Itoa(max(1, n/divisor)))
	t.Cleanup(func() { set("rapid.checks", before) })
}
