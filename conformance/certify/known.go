package certify

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/agentstream/conformance/conformance/scenario"
)

// Known is a list of scenarios that are known to fail, with the reasons.
type Known struct {
	entries []*entry
}

type entry struct {
	pattern, reason string
	line            int
	matched         bool
}

// ReadKnown reads lines of the form "PATTERN # REASON"; a pattern is that of path.Match, on FAMILY/NAME. Blank lines and
// lines that begin with # are comments. The reason must be there.
func ReadKnown(r io.Reader) (*Known, error) {
	k := &Known{}
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, reason, _ := strings.Cut(line, "#")
		e := &entry{pattern: strings.TrimSpace(pattern), reason: strings.TrimSpace(reason), line: n}
		if e.reason == "" {
			return nil, fmt.Errorf("line %d: %q has no reason; write PATTERN # REASON", n, e.pattern)
		}
		if _, err := path.Match(e.pattern, ""); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", n, e.pattern, err)
		}
		k.entries = append(k.entries, e)
	}
	return k, in.Err()
}

// apply changes the status of a result that is listed: a failure is known, and a pass is unexpected. What could not run is
// never covered.
func (k *Known) apply(r *scenario.Result) {
	if k == nil {
		return
	}
	for _, e := range k.entries {
		if ok, _ := path.Match(e.pattern, r.Scenario); !ok {
			continue
		}
		e.matched = true
		switch r.Status {
		case scenario.Fail:
			r.Status, r.Known = scenario.KnownFail, e.reason
		case scenario.Pass:
			r.Status, r.Known = scenario.UnexpectedPass, e.reason
			r.Detail = fmt.Sprintf("it passes, and is listed as known to fail: %s", e.reason)
		}
	}
}

// unmatched returns the patterns that no scenario has.
func (k *Known) unmatched() (all []string) {
	if k == nil {
		return nil
	}
	for _, e := range k.entries {
		if !e.matched {
			all = append(all, fmt.Sprintf("line %d: %s matches no scenario", e.line, e.pattern))
		}
	}
	return all
}
