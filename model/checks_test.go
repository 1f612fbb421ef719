package model_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/model/spec"
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

// forEach draws n values with fixed seeds and stops at the first that fails.
func forEach[V any](t *testing.T, n int, g *rapid.Generator[V], check func(v V) error) {
	t.Helper()
	for seed := range n {
		v := g.Example(seed)
		if err := check(v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// show is a stream, one event a line.
func show(s model.Stream) string {
	var b strings.Builder
	for i, e := range s.Events {
		fmt.Fprintf(&b, "\n%3d %s", i, e)
	}
	if s.Request != nil {
		fmt.Fprintf(&b, "\nrequest %s", s.Request)
	}
	return b.String()
}

func judge(s model.Stream, profile string) []spec.Finding {
	return spec.Judge(s.Events, spec.Options{Profile: profile, Revision: s.Revision, Request: s.Request, StrictVersion: s.Strict})
}
