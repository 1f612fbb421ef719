package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/compilefail"
)

// CompileFail writes what became of the cases of compilefail, for a person.
func CompileFail(w io.Writer, cases []*compilefail.Case) error {
	var b strings.Builder
	failed := 0
	for _, c := range cases {
		word := "pass"
		if len(c.Problems) > 0 {
			word = "fail"
			failed++
		}
		fmt.Fprintf(&b, "%s  %s %s  (%s)\n", word, Escape(c.Project), Escape(c.Name), Escape(wanted(c)))
		for _, p := range c.Problems {
			for i, l := range wrap(Escape(p), Columns-len(margin), Columns-2*len(margin)) {
				fmt.Fprintf(&b, "%s%s%s\n", margin, strings.Repeat(" ", min(i, 1)*len(margin)), l)
			}
		}
	}
	fmt.Fprintf(&b, "%s: %d passed, %d failed\n", count(len(cases), "case"), len(cases)-failed, failed)
	_, err := io.WriteString(w, b.String())
	return err
}

// wanted are the errors that a case must have.
func wanted(c *compilefail.Case) string {
	var all []string
	for _, m := range c.Marks {
		all = append(all, fmt.Sprintf("%s at line %d", m.Want, m.Line))
	}
	return strings.Join(all, ", ")
}

type compileCase struct {
	Project  string        `json:"project"`
	Name     string        `json:"name"`
	Passed   bool          `json:"passed"`
	Marks    []compileMark `json:"marks"`
	Problems []string      `json:"problems"`
}

type compileMark struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Want string `json:"want"`
}

// CompileFailJSON writes the cases of compilefail for a program.
func CompileFailJSON(w io.Writer, cases []*compilefail.Case) error {
	out := struct {
		Version int              `json:"version"`
		Tool    conformance.Tool `json:"tool"`
		Cases   []compileCase    `json:"cases"`
	}{1, conformance.Version(), []compileCase{}}
	for _, c := range cases {
		x := compileCase{c.Project, c.Name, len(c.Problems) == 0, []compileMark{}, append([]string{}, c.Problems...)}
		for _, m := range c.Marks {
			x.Marks = append(x.Marks, compileMark{m.File, m.Line, m.Want})
		}
		out.Cases = append(out.Cases, x)
	}
	b, err := conformance.MarshalIndent(out)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
