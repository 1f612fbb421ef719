package conformance

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/agentstream/conformance/conformance/certify"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
)

// A Server is what Test certifies.
type Server func() (subject.Subject, error)

// HTTP is a server by its address; its agent plays scripts (docs/scripted-agent.md).
func HTTP(address string) Server {
	return func() (subject.Subject, error) { return subject.NewHTTP(address, nil, subject.DefaultLimits()) }
}

// Command is a server that a command line starts, as certify --subject does.
func Command(line string) Server {
	return func() (subject.Subject, error) {
		return subject.NewCommand(line, nil, subject.DefaultLimits(), os.Stderr), nil
	}
}

// A TestOption changes what Test does.
type TestOption func(*testing.T, *certify.Options)

// Features says what the server can do, in place of its own list.
func Features(names ...string) TestOption {
	return func(_ *testing.T, o *certify.Options) { o.Features = names }
}

// Scenarios runs only those of a pattern, such as text/*.
func Scenarios(pattern string) TestOption {
	return func(t *testing.T, o *certify.Options) {
		t.Helper()
		var err error
		if o.Scenarios, err = certify.Select(pattern, false); err != nil {
			t.Fatal(err)
		}
	}
}

// KnownFailing names scenarios that are known to fail, each line PATTERN # REASON.
func KnownFailing(lines ...string) TestOption {
	return func(t *testing.T, o *certify.Options) {
		t.Helper()
		var err error
		if o.Known, err = certify.ReadKnown(bytes.NewBufferString(strings.Join(lines, "\n"))); err != nil {
			t.Fatal(err)
		}
	}
}

// Test certifies a server: each scenario is a subtest, which fails where the server does, and is skipped where the server
// does not have what the scenario needs.
func Test(t *testing.T, server Server, options ...TestOption) {
	t.Helper()
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := certify.Options{Subject: s, Jobs: 4}
	for _, change := range append([]TestOption{Scenarios("")}, options...) {
		change(t, &o)
	}
	c, err := certify.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []*scenario.Result
	for r := range results {
		all = append(all, r)
		t.Run(r.Scenario, func(t *testing.T) { tell(t, r) })
	}
	for _, p := range c.Summarise(all).Problems {
		t.Error("known failures: " + p)
	}
}

// tell makes a result that of a subtest.
func tell(t *testing.T, r *scenario.Result) {
	switch r.Status {
	case scenario.Pass:
	case scenario.Unsupported, scenario.NotApplicable:
		t.Skip(r.Detail)
	case scenario.KnownFail:
		t.Skipf("known to fail: %s (%s)", r.Known, r.Detail)
	default:
		t.Errorf("%s: %s: %s\n%s", r.Status, r.Cause, r.Detail, r.Diff)
	}
}
