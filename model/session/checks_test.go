package session_test

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// checks is how many cases a property gets: n, or what CONFORMANCE_CHECKS says.
func checks(t testing.TB, n int) int {
	v := os.Getenv("CONFORMANCE_CHECKS")
	if v == "" {
		return n
	}
	count, err := strconv.Atoi(v)
	if err != nil || count < 1 {
		t.Fatalf("CONFORMANCE_CHECKS=%q: want a number of cases", v)
	}
	return count
}

// forEach checks n values, always the same ones, and shows the smallest that fails.
func forEach[V any](t *testing.T, n int, g *rapid.Generator[V], check func(v V) error) {
	t.Helper()
	for name, v := range map[string]string{"checks": strconv.Itoa(n), "seed": "1", "nofailfile": "true", "shrinktime": "10s"} {
		if err := flag.Set("rapid."+name, v); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		if err := check(g.Draw(rt, "recording")); err != nil {
			rt.Fatal(err)
		}
	})
}
