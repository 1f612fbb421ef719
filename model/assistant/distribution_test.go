package assistant_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/model/assistant"
)

// distributionStreams is how many streams of each profile are measured: enough for the rarest pair of neighbours.
const distributionStreams = 2000

// doc is a decoded event.
type doc map[string]any

func (d doc) str(name string) string { s, _ := d[name].(string); return s }

func (d doc) has(name string) bool { _, ok := d[name]; return ok }

func (d doc) in(name string) doc { v, _ := d[name].(map[string]any); return v }

func (d doc) list(name string) []any { v, _ := d[name].([]any); return v }

func decode(t testing.TB, s assistant.Stream) []doc {
	var out []doc
	for i, raw := range s.Events {
		var d doc
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatalf("event %d: %v%s", i, err, show(s))
		}
		out = append(out, d)
	}
	return out
}

func kindsOf(profile string) []string {
	events := pi.Provider()
	if profile == assistant.DiCode {
		events = pi.DiCode()
	}
	var out []string
	for _, e := range events {
		out = append(out, e.Type)
	}
	return out
}

// block is the kind of block that an event belongs to, and part what it does to it.
func blockAndPart(typ string) (block, part string) {
	i := strings.LastIndexByte(typ, '_')
	if i < 0 {
		return "", typ
	}
	return typ[:i], typ[i+1:]
}

// neighbours says whether b may come right after a.
func neighbours(profile, a, b string) bool {
	blockA, partA := blockAndPart(a)
	blockB, partB := blockAndPart(b)
	switch {
	case partA == "done" || partA == "error" || partB == "start" && blockB == "": // the stream is over, or began
		return false
	case partB == "error":
		return true
	case partA == "start" && blockA == "", profile == assistant.DiCode && partA == "end": // nothing is open
		return partB == "start" || partB == "done"
	case partB == "done": // the block of that event is open
		return partA == "end"
	case profile == assistant.DiCode: // the block of that event alone is open
		return blockA == blockB && partB != "start"
	}
	return true
}

// A measure counts what legal streams of a profile are made of.
type measure struct {
	profile  string
	kinds    map[string]int
	pairs    map[[2]string]int
	features map[string]int
	members  map[string][2]int // present, absent
	required map[string]bool   // of members
}

// TestEverythingOccurs measures what legal streams are made of, and fails where something that may occur never
// does. Run it with -v for the figures.
func TestEverythingOccurs(t *testing.T) {
	for _, profile := range assistant.Profiles() {
		t.Run(profile, func(t *testing.T) {
			ms := &measure{profile, map[string]int{}, map[[2]string]int{}, map[string]int{}, map[string][2]int{}, map[string]bool{}}
			g := assistant.Legal(assistant.Knobs{Profile: profile})
			for seed := range distributionStreams {
				s := g.Example(seed)
				ms.stream(s, decode(t, s))
			}
			ms.reportKinds(t)
			ms.reportPairs(t)
			ms.reportFeatures(t)
			ms.reportMembers(t)
		})
	}
}

func (ms *measure) stream(s assistant.Stream, events []doc) {
	known := kindsOf(ms.profile)
	for i, e := range events {
		ms.kinds[e.str("type")]++
		if i > 0 && slices.Contains(known, events[i-1].str("type")) && slices.Contains(known, e.str("type")) {
			ms.pairs[[2]string{events[i-1].str("type"), e.str("type")}]++
		}
		ms.event(s.Form, e)
	}
	for f := range featuresOf(s, events) {
		ms.features[f]++
	}
}

func (ms *measure) reportKinds(t *testing.T) {
	for _, k := range kindsOf(ms.profile) {
		t.Logf("%-18s %7d", k, ms.kinds[k])
		if ms.kinds[k] == 0 {
			t.Errorf("%s never occurs", k)
		}
	}
}

func (ms *measure) reportPairs(t *testing.T) {
	for _, a := range kindsOf(ms.profile) {
		var row []string
		for _, b := range kindsOf(ms.profile) {
			n, legal := ms.pairs[[2]string{a, b}], neighbours(ms.profile, a, b)
			switch {
			case legal && n == 0:
				t.Errorf("%s is never followed by %s", a, b)
			case !legal && n > 0:
				t.Errorf("%s is followed by %s %d times: this cannot be", a, b, n)
			case !legal:
				row = append(row, "-")
				continue
			}
			row = append(row, fmt.Sprint(n))
		}
		t.Logf("%s then each kind in order: %s", a, strings.Join(row, " "))
	}
}

func (ms *measure) reportFeatures(t *testing.T) {
	for _, f := range expectedFeatures(ms.profile) {
		t.Logf("%-48s in %5d streams", f, ms.features[f])
		if ms.features[f] == 0 {
			t.Errorf("no stream has: %s", f)
		}
		delete(ms.features, f)
	}
	for f := range ms.features {
		t.Errorf("not in the list of features: %s", f)
	}
}

// event counts, for every member that the facts list, how often it is there and how often it is not.
func (ms *measure) event(form pi.Forms, e doc) {
	events := pi.Provider()
	if ms.profile == assistant.DiCode {
		events = pi.DiCode()
	}
	for _, known := range events {
		if known.Type == e.str("type") {
			ms.object(form, known.Type, known.Members, e)
		}
	}
}

func (ms *measure) object(form pi.Forms, name string, list []pi.Member, d doc) {
	for _, m := range list {
		if m.Forms != 0 && m.Forms&form == 0 || !pi.In(ms.profile, m.Since, m.Until) {
			continue
		}
		n := ms.members[name+"."+m.Name]
		if !d.has(m.Name) {
			n[1]++
		} else {
			n[0]++
			ms.inside(form, m, d)
		}
		ms.members[name+"."+m.Name] = n
		ms.required[name+"."+m.Name] = m.Required
	}
}

func (ms *measure) inside(form pi.Forms, m pi.Member, d doc) {
	for _, shape := range pi.Shapes() {
		if shape.Name == m.Of && m.Kind == pi.Object && d.in(m.Name) != nil {
			ms.object(form, shape.Name, shape.Members, d.in(m.Name))
		}
	}
}

// ofCalls are optional members that only a call of pi has.
var ofCalls = []string{"ToolCall.thoughtSignature", "ToolCall.namespace", "ToolCall.argumentsError"}

// reportMembers wants every member, and optional ones absent, too.
func (ms *measure) reportMembers(t *testing.T) {
	names := make([]string, 0, len(ms.members))
	for name := range ms.members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		n := ms.members[name]
		t.Logf("%-46s present %6d absent %6d", name, n[0], n[1])
		if n[0] == 0 && (ms.profile != assistant.DiCode || !slices.Contains(ofCalls, name)) {
			t.Errorf("%s is never present", name)
		}
		if n[1] == 0 && !ms.required[name] {
			t.Errorf("%s is never absent", name)
		}
	}
}
