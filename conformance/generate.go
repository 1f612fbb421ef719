package conformance

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// lineTries is how many streams are drawn at most for one that can stand in a line.
const lineTries = 1000

// GenerateOptions say which streams are generated.
type GenerateOptions struct {
	// Break is the CODE or CODE/CLAUSE that each stream breaks, in turn where there are several
	// clauses; empty for legal streams.
	Break string
	// Profile is the one that judges them; empty means the first of Profiles.
	Profile string
	// Seed decides what is drawn.
	Seed uint64
	// Count is how many streams there are.
	Count int
	// MaxEvents is about how long a stream gets; 0 leaves it to the model.
	MaxEvents int
}

// Generate writes streams of the model, one a line, each with the verdict that it must get: the form
// that Verdicts reads. The same options give the same lines. It fails on a code or a profile that there
// is not, on one that has no such streams, and where writing fails.
func Generate(w io.Writer, o GenerateOptions) error {
	o.Profile = cmp.Or(o.Profile, Profiles()[0])
	draws, name, err := o.draws()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	for i := range o.Count {
		line, err := o.line(draws[i%len(draws)], fmt.Sprintf("%s-%d-%d", name, o.Seed, i))
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A draw draws a stream; the same seed draws the same one.
type draw func(seed int) Vector

// draws returns what draws the streams, to be used in turn, and what to call them.
func (o *GenerateOptions) draws() (draws []draw, name string, err error) {
	if !slices.Contains(Profiles(), o.Profile) {
		return nil, "", Unknown("profile", o.Profile, Profiles())
	}
	if o.Break == "" {
		return []draw{o.legal()}, "legal", nil
	}
	name, breakages, err := breakagesOf(o.Break)
	if err != nil {
		return nil, "", err
	}
	var elsewhere []string
	for _, b := range breakages {
		switch {
		case b.Profile != o.Profile:
			elsewhere = append(elsewhere, b.Profile)
		case !b.Generate(model.Knobs{}).Example(0).Strict: // which a line cannot ask for
			draws = append(draws, o.broken(b))
		}
	}
	if len(draws) == 0 {
		return nil, "", o.nothing(name, elsewhere)
	}
	return draws, name, nil
}

// breakagesOf returns the ways to break a CODE or CODE/CLAUSE, in all profiles, and its plain name.
func breakagesOf(keep string) (name string, all []model.Breakage, err error) {
	table := agui.Rules()
	rule, clauses, err := named(table, keep)
	if err != nil {
		return "", nil, err
	}
	if name = rule.Code; len(clauses) < len(rule.Clauses) {
		name = table.ClauseName(clauses[0].ID)
	}
	for _, b := range model.Breakages() {
		if slices.ContainsFunc(clauses, func(c verifier.Clause) bool { return table.ClauseName(c.ID) == b.Clause }) {
			all = append(all, b)
		}
	}
	return name, all, nil
}

// nothing says why there is nothing to draw.
func (o *GenerateOptions) nothing(name string, elsewhere []string) error {
	if len(elsewhere) > 0 {
		slices.Sort(elsewhere)
		return fmt.Errorf("profile %s does not judge %s; give --profile %s", o.Profile, name, strings.Join(slices.Compact(elsewhere), " or "))
	}
	return fmt.Errorf("no stream by itself breaks %s: it is a limit of this kit or takes a flag of check", name)
}

func (o *GenerateOptions) legal() draw {
	guard := o.Profile == agui.Server || o.Profile == agui.Client
	g := model.Legal(model.Knobs{MaxEvents: o.MaxEvents, Guard: guard})
	return func(seed int) Vector { return o.vector(g.Example(seed)) }
}

func (o *GenerateOptions) broken(b model.Breakage) draw {
	g := b.Generate(model.Knobs{MaxEvents: o.MaxEvents})
	return func(seed int) Vector {
		x := g.Example(seed)
		v := o.vector(x.Stream)
		v.Finding = &ExpectedFinding{Clause: x.Expect.Clause, Severity: x.Expect.Severity, Index: x.Expect.Index}
		if x.Expect.Verdict == verifier.Reject.String() {
			v.Expect = verifier.Verdict{Outcome: verifier.Reject, Code: x.Expect.Code, Index: x.Expect.Index}
		}
		return v
	}
}

// vector returns a stream as one that must be accepted.
func (o *GenerateOptions) vector(s model.Stream) Vector {
	v := Vector{Profile: o.Profile, Revision: s.Revision, Request: s.Request}
	for _, e := range s.Events {
		v.Events = append(v.Events, flat(e))
	}
	return v
}

// flat returns JSON without line ends; they stand between tokens only.
func flat(event []byte) []byte {
	if !oneline.IsJSON(event) {
		return event
	}
	return oneLine(event)
}

// line draws the stream of that id. Of those that cannot stand in a line the next is drawn.
func (o *GenerateOptions) line(d draw, id string) ([]byte, error) {
	for try := range lineTries {
		v := d(seedOf(id, o.Profile, try))
		v.ID = id
		line, err := v.Line()
		if !errors.Is(err, ErrNoLine) {
			return line, err
		}
	}
	return nil, fmt.Errorf("none of %d streams for %s can stand in one line", lineTries, id)
}

// seedOf makes a seed of what names a stream.
func seedOf(id, profile string, try int) int {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%d", id, profile, try)
	return int(h.Sum64())
}
