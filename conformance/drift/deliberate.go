package drift

import (
	"bufio"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Entry is one line of a file of deliberate differences: KIND TYPE REASON, or
// KIND TYPE.FIELD REASON. TYPE and FIELD may have * for any text.
type Entry struct {
	Kind    Kind
	Subject string
	Reason  string
	Line    int
}

func (e Entry) String() string { return string(e.Kind) + " " + e.Subject }

// ParseDeliberate reads a file of deliberate differences. Each needs a reason:
// without one, nobody knows later when it may go.
func ParseDeliberate(text string) ([]Entry, error) {
	var entries []Entry
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		switch {
		case !slices.ContainsFunc(kinds, func(k KindInfo) bool { return string(k.Kind) == words[0] }):
			return nil, fmt.Errorf("line %d: no kind of difference %q", n, words[0])
		case len(words) < 3:
			return nil, fmt.Errorf("line %d: want KIND TYPE[.FIELD] REASON", n)
		}
		if _, err := path.Match(words[1], ""); err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", n, words[1], err)
		}
		entries = append(entries, Entry{Kind(words[0]), words[1], strings.Join(words[2:], " "), n})
	}
	return entries, lines.Err()
}

// Excuse moves the differences that entries list among the deliberate ones.
// Entries that list none are stale: the difference is gone, and so should they.
func (r *Result) Excuse(entries []Entry) {
	used := make([]bool, len(entries))
	var left []Difference
	for _, d := range r.Differences {
		for i, e := range entries {
			if e.matches(d) {
				used[i] = true
				d.Reason = cmp.Or(d.Reason, e.Reason)
			}
		}
		if d.Reason == "" {
			left = append(left, d)
		} else {
			r.Deliberate = append(r.Deliberate, d)
		}
	}
	r.Differences = left
	for i, e := range entries {
		if !used[i] {
			r.Stale = append(r.Stale, e)
		}
	}
}

func (e Entry) matches(d Difference) bool {
	ok, _ := path.Match(e.Subject, d.Subject())
	return ok && e.Kind == d.Kind
}
