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
)

// lineTries is how many streams are drawn at most for one that can stand in a line.
const lineTries = 1000

// GenerateOptions say which streams are generated.
type GenerateOptions struct {
	// Protocol is one of Protocols; empty: what the profile implies, or else the first.
	Protocol string
	// Break is the CODE or CODE/CLAUSE that each stream breaks, in turn where there are several
	// clauses; empty for legal streams.
	Break string
	// Profile is the one that judges them; empty means the protocol's first.
	Profile string
	// Seed decides what is drawn.
	Seed uint64
	// Count is how many streams there are.
	Count int
	// MaxEvents is about how long a stream gets; 0 leaves it to the model.
	MaxEvents int

	of *protocol
}

// Generate writes streams of the model, one a line, each with the verdict that it must get: the form
// that Verdicts reads. The same options give the same lines. It fails on a code or a profile that there
// is not, on one that has no such streams, and where writing fails.
func Generate(w io.Writer, o GenerateOptions) error {
	if err := o.settle(); err != nil {
		return err
	}
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

// settle finds the protocol and the profile.
func (o *GenerateOptions) settle() (err error) {
	if o.of, err = (Options{Protocol: o.Protocol, Profile: o.Profile}).protocolOf(nil); err != nil {
		return err
	}
	o.Profile = cmp.Or(o.Profile, o.of.table.Profiles[0])
	return nil
}

// A draw draws a stream with the verdict that it must get; the same seed draws the same one.
type draw func(seed int) Vector

// A breaker draws streams that break a clause in a profile.
type breaker struct {
	clause, profile string
	draw            draw
}

// A maker makes streams from a protocol's model, of about so many events.
type maker interface {
	legal(profile string, events int) draw
	// breakers are the ways to break the wanted clauses, in all profiles. A model may have several ways for a clause,
	// which it calls as it likes behind the code.
	breakers(events int, wanted func(clause string) bool) []breaker
}

// draws returns what draws the streams, to be used in turn, and what to call them.
func (o *GenerateOptions) draws() (draws []draw, name string, err error) {
	if o.Break == "" {
		return []draw{o.of.model.legal(o.Profile, o.MaxEvents)}, "legal", nil
	}
	name, breakers, err := o.breakers()
	if err != nil {
		return nil, "", err
	}
	var elsewhere []string
	for _, b := range breakers {
		if b.profile != o.Profile {
			elsewhere = append(elsewhere, b.profile)
			continue
		}
		draws = append(draws, b.draw)
	}
	if len(draws) == 0 {
		return nil, "", o.nothing(name, elsewhere)
	}
	return draws, name, nil
}

// breakers returns the ways to break the CODE or CODE/CLAUSE, in all profiles, and its plain name.
func (o *GenerateOptions) breakers() (name string, all []breaker, err error) {
	table := o.of.table
	rule, clauses, err := clausesOf(table, o.Break)
	if err != nil {
		return "", nil, err
	}
	if name = rule.Code; len(clauses) < len(rule.Clauses) {
		name = table.ClauseName(clauses[0].ID)
	}
	return name, o.of.model.breakers(o.MaxEvents, func(clause string) bool {
		code, _, _ := strings.Cut(clause, "/")
		return clause == name || code == name
	}), nil
}

// nothing says why there is nothing to draw.
func (o *GenerateOptions) nothing(name string, elsewhere []string) error {
	if len(elsewhere) > 0 {
		slices.Sort(elsewhere)
		return fmt.Errorf("profile %s does not judge %s; give --profile %s", o.Profile, name, strings.Join(slices.Compact(elsewhere), " or "))
	}
	return fmt.Errorf("no stream by itself breaks %s: it is a limit of this kit or takes a flag of check", name)
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
		v.ID, v.Protocol, v.Profile = id, o.of.named(), o.Profile
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
