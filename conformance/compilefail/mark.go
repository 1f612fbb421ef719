package compilefail

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Mark is a line that must not compile: //~ ERROR WANT on the line, or //~^ ERROR WANT below it, with
// a ^ for each line up.
type Mark struct {
	File string
	Line int
	// Want is the error's code, the name of an analyzer, or, in quotes, a part of its message.
	Want string
}

var markComment = regexp.MustCompile(`//~(\^*)\s*ERROR\s+(.+?)\s*$`)

// readMarks reads the marks of a source.
func readMarks(file string, r io.Reader) (marks []Mark, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if !strings.Contains(lines.Text(), "//~") {
			continue
		}
		m := markComment.FindStringSubmatch(lines.Text())
		if m == nil || n <= len(m[1]) {
			return nil, fmt.Errorf("%s:%d: a //~ comment that is no mark would test nothing; write //~ ERROR CODE", file, n)
		}
		marks = append(marks, Mark{File: file, Line: n - len(m[1]), Want: m[2]})
	}
	return marks, lines.Err()
}

// means tells whether a mark is for an error.
func (m Mark) means(d Diagnostic) bool {
	if m.File != d.File || m.Line != d.Line {
		return false
	}
	if part, quoted := strings.CutPrefix(m.Want, `"`); quoted {
		return strings.Contains(d.Message, strings.TrimSuffix(part, `"`))
	}
	return m.Want == d.Code || m.Want == d.Analyzer
}
