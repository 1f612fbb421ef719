package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/model"
)

// distributionStreams is how many streams are measured: enough for the rarest
// pair of neighbours.
const distributionStreams = 20000

// doc is a decoded event.
type doc map[string]any

func (d doc) typ() baseline.EventType { return types[d.str("type")] }

func (d doc) str(name string) string { s, _ := d[name].(string); return s }

func (d doc) has(name string) bool { _, ok := d[name]; return ok }

var types = func() map[string]baseline.EventType {
	out := map[string]baseline.EventType{}
	for t := baseline.TextMessageStart; t <= baseline.SubagentError; t++ {
		out[t.String()] = t
	}
	return out
}()

func decode(t testing.TB, s model.Stream) []doc {
	var out []doc
	for i, raw := range s.Events {
		var d doc
		in := json.NewDecoder(bytes.NewReader(raw))
		in.UseNumber()
		if err := in.Decode(&d); err != nil {
			t.Fatalf("event %d: %v%s", i, err, show(s))
		}
		out = append(out, d)
	}
	return out
}

func isOneOf(t baseline.EventType, list ...baseline.EventType) bool {
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}

// neighbours says whether b may come right after a.
func neighbours(a, b baseline.EventType) bool {
	switch a {
	case baseline.RunFinished: // the run is over
		return isOneOf(b, baseline.RunStarted, baseline.RunError)
	case baseline.RunError:
		return b == baseline.RunStarted
	case baseline.RunStarted: // nothing is open
		return !isOneOf(b, baseline.RunStarted, baseline.TextMessageContent, baseline.TextMessageEnd, baseline.ToolCallArgs, baseline.ToolCallEnd,
			baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd, baseline.ReasoningEnd, baseline.StepFinished, baseline.SubagentFinished, baseline.SubagentError)
	}
	switch b {
	case baseline.RunStarted: // a run is open
		return false
	case baseline.RunFinished: // something is open
		return !isOneOf(a, baseline.TextMessageStart, baseline.TextMessageContent, baseline.ToolCallStart, baseline.ToolCallArgs,
			baseline.ReasoningMessageStart, baseline.ReasoningMessageContent, baseline.ReasoningStart, baseline.StepStarted, baseline.SubagentStarted)
	}
	return true
}

// TestEverythingOccurs measures what legal streams are made of, and fails where
// something that may occur never does. Run it with -v for the figures.
func TestEverythingOccurs(t *testing.T) {
	kinds := map[baseline.EventType]int{}
	pairs := map[[2]baseline.EventType]int{}
	features := map[string]int{}
	members := newMembers()
	g := model.Legal(model.Knobs{})
	for seed := range distributionStreams {
		s := g.Example(seed)
		events := decode(t, s)
		for i, e := range events {
			kinds[e.typ()]++
			if i > 0 {
				pairs[[2]baseline.EventType{events[i-1].typ(), e.typ()}]++
			}
			members.event(e)
		}
		for f := range featuresOf(s, events) {
			features[f]++
		}
	}
	reportKinds(t, kinds, pairs)
	reportPairs(t, pairs)
	reportFeatures(t, features)
	members.report(t)
}

func reportKinds(t *testing.T, kinds map[baseline.EventType]int, pairs map[[2]baseline.EventType]int) {
	for k := baseline.TextMessageStart; k <= baseline.SubagentError; k++ {
		t.Logf("%-28s %7d", k, kinds[k])
		if kinds[k] == 0 {
			t.Errorf("%s never occurs", k)
		}
	}
}

func reportPairs(t *testing.T, pairs map[[2]baseline.EventType]int) {
	for a := baseline.TextMessageStart; a <= baseline.SubagentError; a++ {
		var row []string
		for b := baseline.TextMessageStart; b <= baseline.SubagentError; b++ {
			n, legal := pairs[[2]baseline.EventType{a, b}], neighbours(a, b)
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

func reportFeatures(t *testing.T, features map[string]int) {
	for _, f := range expectedFeatures() {
		t.Logf("%-48s in %5d streams", f, features[f])
		if features[f] == 0 {
			t.Errorf("no stream has: %s", f)
		}
		delete(features, f)
	}
	for f := range features {
		t.Errorf("not in the list of features: %s", f)
	}
}

// members counts, for every optional member at any depth, how often it is there
// and how often it is not.
type members struct {
	revision        *baseline.Revision
	present, absent map[string]int
}

func newMembers() *members {
	return &members{baseline.AGUI().Newest(), map[string]int{}, map[string]int{}}
}

func (ms *members) event(d doc) {
	e, _ := ms.revision.Event(d.str("type"))
	ms.object(e.Type, e.Members, d)
}

func (ms *members) object(name string, list []baseline.Member, d map[string]any) {
	for _, m := range list {
		key := name + "." + m.Name
		v, ok := d[m.Name]
		switch {
		case ok:
			ms.present[key]++
			ms.value(m.Schema, v)
		case !m.Required:
			ms.absent[key]++
		}
	}
}

func (ms *members) value(s baseline.Schema, v any) {
	switch s.Kind {
	case baseline.KindArray:
		list, _ := v.([]any)
		for _, e := range list {
			ms.value(*s.Items, e)
		}
	case baseline.KindRef:
		if d, ok := v.(map[string]any); ok {
			o, _ := ms.revision.Object(s.Ref)
			ms.object(o.Name, o.Members, d)
		}
	case baseline.KindUnion:
		d, _ := v.(map[string]any)
		for _, arm := range s.Variants {
			if arm.Value == d[s.Discriminator] {
				ms.value(baseline.Schema{Kind: baseline.KindRef, Ref: arm.Ref}, v)
			}
		}
	case baseline.KindOneOf:
		for _, one := range s.OneOf {
			if _, isList := v.([]any); isList == (one.Kind == baseline.KindArray) {
				ms.value(one, v)
			}
		}
	}
}

// report wants every member of every event and object, and optional ones absent, too.
func (ms *members) report(t *testing.T) {
	want := func(name string, list []baseline.Member) {
		for _, m := range list {
			key := name + "." + m.Name
			t.Logf("%-46s present %6d absent %6d", key, ms.present[key], ms.absent[key])
			if ms.present[key] == 0 {
				t.Errorf("%s is never present", key)
			}
			if ms.absent[key] == 0 && !m.Required {
				t.Errorf("%s is never absent", key)
			}
		}
	}
	for _, e := range ms.revision.Events {
		want(e.Type, e.Members)
	}
	objects := append([]baseline.Object(nil), ms.revision.Objects...)
	sort.Slice(objects, func(i, j int) bool { return objects[i].Name < objects[j].Name })
	for _, o := range objects {
		want(o.Name, o.Members)
	}
}
