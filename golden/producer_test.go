package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/shrink"
)

// A producer is a folder of recordings, as its producer.json describes it.
type producer struct {
	Name, Version, Language, Licence string
	// Protocol is the AG-UI package that it builds on, Revision what that speaks.
	Protocol, Revision string
	// What says which parts are the producer's and what the recording script adds.
	What string
	// Lacks names the cases that there are not, with the reason.
	Lacks []string
	// Cut names the cases in which the client hung up: that they end there is not the producer's fault.
	Cut []string
	// Unrequested names the cases whose request starts no run of the protocol: they are judged without it.
	Unrequested []string
	// Judged has, for each clause that is found as an error, the decision of the reader who checked it.
	Judged map[string]decision

	folder string
	cases  []recorded
}

// A decision says why an error is the producer's.
type decision struct {
	// Because is the sentence of the specification, in our words, and what the producer does.
	Because string
	// Page, below the specification's site, and Breaks stand in for the rule's where this case has others.
	Page, Breaks string
	// Issue is where it is talked about in public; empty where we know nothing.
	Issue string
}

// A recorded case is what a producer answered to one request.
type recorded struct {
	name    string
	options conformance.CheckOptions
	stream  *conformance.Stream
}

// producers reads the folders of recordings and judges them.
func producers(t *testing.T) (all []*producer) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(realFolder, "*", "producer.json"))
	assert.NilError(t, err)
	for _, file := range folders {
		all = append(all, readProducer(t, filepath.ToSlash(filepath.Dir(file))))
	}
	return all
}

func readProducer(t *testing.T, folder string) *producer {
	t.Helper()
	data, err := os.ReadFile(folder + "/producer.json")
	assert.NilError(t, err)
	p := &producer{folder: folder}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	assert.NilError(t, d.Decode(p), folder)
	assert.Assert(t, strings.HasPrefix(filepath.Base(folder), p.Name+"-"), folder)
	streams, err := filepath.Glob(folder + "/*.sse")
	assert.NilError(t, err)
	for _, file := range streams {
		p.cases = append(p.cases, p.judge(t, filepath.ToSlash(file)))
	}
	return p
}

// judge judges a recording by the revision of its producer and with its request.
func (p *producer) judge(t *testing.T, path string) recorded {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(path), ".sse")
	request, err := os.ReadFile(p.folder + "/" + name + ".request.json")
	assert.NilError(t, err, "each recording has its request")
	c := recorded{name: name, options: conformance.CheckOptions{Evidence: true, Workers: 1}}
	c.options.Revision = p.Revision
	if !slices.Contains(p.Unrequested, name) {
		c.options.Request = request
	}
	sources, problems := conformance.Find([]string{path}, nil, "auto")
	assert.Equal(t, len(problems), 0)
	c.stream = judged(t, sources, c.options)[0]
	assert.NilError(t, c.stream.Err)
	return c
}

// An earned clause is one that a producer's streams were blamed for, with where.
type earned struct {
	clause string
	times  int
	cases  []string
	first  recorded
}

// earns counts the findings of one severity, clause by clause, in the order of their first.
func (p *producer) earns(severity conformance.Severity) (all []*earned) {
	by := map[string]*earned{}
	for _, c := range p.cases {
		for _, v := range c.stream.Report.Findings {
			if v.Severity != severity || v.Code == "truncated" && slices.Contains(p.Cut, c.name) {
				continue
			}
			e := by[v.Clause]
			if e == nil {
				e = &earned{clause: v.Clause, first: c}
				by[v.Clause] = e
				all = append(all, e)
			}
			e.times++
			if n := len(e.cases); n == 0 || e.cases[n-1] != c.name {
				e.cases = append(e.cases, c.name)
			}
		}
	}
	return all
}

// smallest returns the smallest stream that still shows the clause for the same reason and no other error, one event a line,
// and whether it takes the request to see it.
func (e *earned) smallest(t *testing.T) (stream string, withRequest bool) {
	t.Helper()
	sources, problems := conformance.Find([]string{e.first.stream.Source}, nil, "auto")
	assert.Equal(t, len(problems), 0)
	events, err := conformance.ReadEvents(sources[0], e.first.options.Limits)
	assert.NilError(t, err)
	o := e.first.options.Options
	why := e.why(t, events, o)
	assert.Assert(t, why != "")
	keep := func(some [][]byte) bool { return e.why(t, some, o) == why && e.alone(t, some, o) }
	if !keep(events) { // the recording has other errors, too
		keep = func(some [][]byte) bool { return e.why(t, some, o) == why }
	}
	small := shrink.Shrink(t.Context(), events, keep, shrink.Options{IDs: conformance.IDs("agui"), Words: conformance.Words()}).Events
	o.Request = nil
	return string(conformance.Lines(small)), e.why(t, small, o) != why
}

// names are the parts of a sentence that differ from stream to stream: what is quoted, and numbers.
var names = regexp.MustCompile(`"(\\.|[^"\\])*"|[0-9]+`)

// why says for what the clause is blamed first: the event's type, the member, and the sentence without names.
func (e *earned) why(t *testing.T, events [][]byte, o conformance.Options) string {
	t.Helper()
	for _, v := range found(t, events, o) {
		if v.Clause == e.clause {
			return v.EventType + " " + path.Base(v.Pointer) + " " + names.ReplaceAllString(v.Detail, "")
		}
	}
	return ""
}

// alone tells whether no error has another code, but that a small stream is cut.
func (e *earned) alone(t *testing.T, events [][]byte, o conformance.Options) bool {
	t.Helper()
	for _, v := range found(t, events, o) {
		if v.Severity == conformance.Error && v.Clause != e.clause && v.Code != "truncated" {
			return false
		}
	}
	return true
}

func found(t *testing.T, events [][]byte, o conformance.Options) []conformance.Violation {
	t.Helper()
	r, err := conformance.JudgeAll(events, o)
	assert.NilError(t, err)
	return r.Findings
}

func TestEachErrorOfARealProducerWasJudgedByHand(t *testing.T) {
	languages := map[string]bool{}
	all := producers(t)
	for _, p := range all {
		languages[p.Language] = true
		assert.Assert(t, len(p.cases) > 0, "%s has no recordings", p.folder)
		found := map[string]bool{}
		for _, e := range p.earns(conformance.Error) {
			found[e.clause] = true
			if p.Judged[e.clause].Because == "" {
				t.Errorf("%s: %s in %s is not judged: read the page, then say why it is the producer's in producer.json", p.folder, e.clause, strings.Join(e.cases, ", "))
			}
		}
		for clause := range p.Judged {
			if !found[clause] {
				t.Errorf("%s: %s is judged, but no recording has it", p.folder, clause)
			}
		}
	}
	assert.Assert(t, len(all) >= 10, fmt.Sprint(len(all)))
	assert.Assert(t, len(languages) >= 5, fmt.Sprint(languages))
}
