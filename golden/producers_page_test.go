package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

const producersHead = `# What real producers send

<!-- Made by CONFORMANCE_UPDATE=1 go test ./golden from golden/agui/real; edit producer.json there. -->

Each producer below was started as its users start it, with the model replaced by a scripted one, and recorded over HTTP
([how](../golden/README.md)). Its streams are judged in the profile ` + "`producer`" + `; "auto" means by what each run declares, which is 0.x where it
declares nothing. Each error was checked by hand against the specification before it came here, and by a second reader who saw only the streams and the
specification. A smallest stream was made from a recording: it shows the same fault and, where that can be, no other. Advice is no fault, with one
exception: ` + "`version-missing`" + ` stands for a MUST that is held back, since most of what is in use came before it.
Something wrong? Please tell us: a wrong finding is a fault of this kit.

| producer | language | on | judged as | streams | accepted | errors | warnings | advice |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
`

func TestTheProducersPageIsWhatTheRecordingsShow(t *testing.T) {
	all := producers(t)
	page := bytes.NewBufferString(producersHead)
	for _, p := range all {
		fmt.Fprintf(page, "| [%s](#%s) | %s | %s | %s | %d | %d | %d | %d | %d |\n", p.title(), anchor(p.title()), p.Language, p.Protocol, p.Revision,
			len(p.cases), p.accepted(), times(p.earns(conformance.Error)), times(p.earns(conformance.Warning)), times(p.earns(conformance.Info)))
	}
	for _, p := range all {
		p.describe(t, page)
	}
	checkGolden(t, "../docs/producers.md", page.Bytes())
}

func (p *producer) describe(t *testing.T, page *bytes.Buffer) {
	fmt.Fprintf(page, "\n## %s\n\n%s\n\nLicence: %s. Cases: %s.\n", p.title(), p.What, p.Licence, strings.Join(p.names(), ", "))
	if len(p.Cut) > 0 {
		fmt.Fprintf(page, "In %s the client hung up; that the stream ends there is not counted.\n", strings.Join(p.Cut, ", "))
	}
	if len(p.Lacks) > 0 {
		fmt.Fprintf(page, "Not there: %s.\n", strings.Join(p.Lacks, "; "))
	}
	for _, severity := range []conformance.Severity{conformance.Warning, conformance.Info} {
		if list := p.earns(severity); len(list) > 0 {
			fmt.Fprintf(page, "\n%s: %s.\n", headings[severity], strings.Join(counted(list), ", "))
		}
	}
	for _, e := range p.earns(conformance.Error) {
		p.describeError(t, page, e)
	}
}

var headings = map[conformance.Severity]string{conformance.Warning: "Warnings", conformance.Info: "Advice"}

func (p *producer) describeError(t *testing.T, page *bytes.Buffer, e *earned) {
	code, _, _ := strings.Cut(e.clause, "/")
	rules := conformance.Rules("agui")
	rule, ok := rules.Rule(code)
	assert.Assert(t, ok, code)
	d := p.Judged[e.clause]
	fmt.Fprintf(page, "\n### `%s`: %s, in %s\n\n%s\n\n", e.clause, often(e.times), strings.Join(e.cases, ", "), d.Because)
	where := rules.PageURL(rule)
	if d.Page != "" {
		where = rules.Site + d.Page
	}
	fmt.Fprintf(page, "- Breaks: %s\n- Decided by: <%s>\n", cmp.Or(d.Breaks, rule.Effect), where)
	if d.Issue != "" {
		fmt.Fprintf(page, "- In public: <%s>\n", d.Issue)
	}
	stream, withRequest := e.smallest(t)
	switch {
	case stream == "":
		fmt.Fprint(page, "\nThe smallest stream that shows it is an empty one.\n")
	case withRequest:
		fmt.Fprintf(page, "\nThe smallest stream that shows it, with the request of `%s`:\n\n```json\n%s```\n", e.first.name, stream)
	default:
		fmt.Fprintf(page, "\nThe smallest stream that shows it:\n\n```json\n%s```\n", stream)
	}
}

// title names the producer, with what its folder has behind the version.
func (p *producer) title() string {
	title := p.Name + " " + p.Version
	if _, variant, found := strings.Cut(p.folder, p.Name+"-"+p.Version+"-"); found {
		title += " (" + variant + ")"
	}
	return title
}

func (p *producer) names() (all []string) {
	for _, c := range p.cases {
		all = append(all, c.name)
	}
	return all
}

func (p *producer) accepted() (n int) {
	for _, c := range p.cases {
		if v := c.stream.Report.Verdict; v.Outcome == verifier.Accept || v.Code == "truncated" && slices.Contains(p.Cut, c.name) {
			n++
		}
	}
	return n
}

func times(all []*earned) (n int) {
	for _, e := range all {
		n += e.times
	}
	return n
}

func counted(all []*earned) (words []string) {
	for _, e := range all {
		words = append(words, fmt.Sprintf("`%s` %d×", e.clause, e.times))
	}
	return words
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprint(n, " times")
}

// anchor is the fragment that a heading has where the page is shown.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case strings.ContainsRune("-_", r) || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}
