package fuzz

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// What a stream means does not depend on the form in which it is said, and anything may be asked for its meaning.

// unchunked are legal streams that can be said in chunks.
var unchunked = model.Legal(model.Knobs{Without: model.Chunks})

// A form is another way to say the same; it is drawn with the stream.
var forms = map[string]func(t *rapid.T) (s model.Stream, again [][]byte){
	"explicit events for chunks": func(t *rapid.T) (model.Stream, [][]byte) {
		s := legalStreams.Draw(t, "stream")
		return s, spelledOut(s.Events)
	},
	"chunks for explicit events": func(t *rapid.T) (model.Stream, [][]byte) {
		s := unchunked.Draw(t, "stream")
		return s, shortened(s.Events)
	},
	"deltas cut otherwise": func(t *rapid.T) (model.Stream, [][]byte) {
		s := legalStreams.Draw(t, "stream")
		return s, recut(drawnSource(t), s.Events)
	},
	"another spelling": func(t *rapid.T) (model.Stream, [][]byte) {
		s := legalStreams.Draw(t, "stream")
		how := style{source: drawnSource(t), order: true, escapes: true, space: true}
		return s, remade(s.Events, how.write)
	},
}

func sameMeaning(form string) func(*rapid.T) {
	return func(t *rapid.T) {
		s, again := forms[form](t)
		x := modelled(s)
		if r := judge(t, x.with(again)); r.Verdict.Outcome != verifier.Accept {
			t.Fatalf("%s\nin another form is no longer legal: %v\n%s", s, r.Verdict, x.with(again))
		}
		one, other := everything(t, s.Request, s.Events), everything(t, s.Request, again)
		if !reflect.DeepEqual(one, other) {
			t.Fatalf("%s\nand in another form\n%s\nmean (-one +other)\n%s", x, x.with(again), cmp.Diff(one, other))
		}
	}
}

func TestAStreamMeansTheSameIn(t *testing.T) {
	for form := range forms {
		t.Run(form, rapid.MakeCheck(sameMeaning(form)))
	}
}

// everything is all that can be asked of a stream. It must be JSON.
func everything(t rapid.TB, request []byte, events [][]byte) map[string]any {
	t.Helper()
	s := materialise.Read(request, events)
	all := map[string]any{"meaning": s.Meaning(), "next messages": s.Messages(), "next state": s.State()}
	for _, view := range materialise.Views() {
		all[view], _ = s.Holds(view)
	}
	if _, err := json.Marshal(all); err != nil {
		t.Fatalf("what is given is no JSON: %v", err)
	}
	if err := s.Err(); err != nil {
		all["incomplete"] = err.Error()
	}
	return all
}

// The runs of a legal stream end as the verifier saw them end.
func sameRuns(t *rapid.T) {
	s := legalStreams.Draw(t, "stream")
	x := modelled(s)
	var want []verifier.Run
	for _, r := range judge(t, x).Runs {
		r.ThreadID = ""
		want = append(want, r)
	}
	var got []verifier.Run
	for _, v := range materialise.Read(s.Request, s.Events).Meaning()["runs"].([]any) {
		r := v.(map[string]any)
		id, started := r["runId"].(string)
		outcome, _ := r["outcome"].(string)
		if started { // a RUN_ERROR that comes first is no run to the verifier
			got = append(got, verifier.Run{RunID: id, Outcome: verifier.RunOutcome(outcome)})
		}
	}
	if !slices.Equal(want, got) {
		t.Fatalf("%s\nhas other runs (-verifier +meaning)\n%s", x, cmp.Diff(want, got))
	}
}

func TestRunsEndAsTheVerifierSawThemEnd(t *testing.T) { rapid.Check(t, sameRuns) }

// meantAlike asks any stream for its meaning: that does not panic, gives the same each time, and keeps nothing
// of what it was given.
func meantAlike(t rapid.TB, request []byte, events [][]byte) {
	t.Helper()
	want := everything(t, request, events)
	s := materialise.New(request)
	for _, e := range events {
		lent := bytes.Clone(e)
		s.Observe(lent)
		for i := range lent {
			lent[i] = '!'
		}
		_ = s.Meaning() // asked in between it changes nothing either
		_ = s.Messages()
	}
	// Not by cmp, whose work may double with each level of nesting.
	if now := s.Meaning(); s.Err() == nil && !reflect.DeepEqual(want["meaning"], any(now)) {
		t.Fatalf("read once more\n%q\nmeans %v\nand before %v", events, now, want["meaning"])
	}
	if now := s.Messages(); !reflect.DeepEqual(want["next messages"], any(now)) {
		t.Fatalf("read once more\n%q\nleaves messages %v\nand before %v", events, now, want["next messages"])
	}
}

func TestAnyStreamMayBeAskedForItsMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTrial().Draw(t, "trial")
		meantAlike(t, x.options.Request, x.events)
	})
}

// FuzzMeaning asks lines of bytes for their meaning.
func FuzzMeaning(f *testing.F) {
	for i, s := range streams(f) {
		f.Add(s, []byte(requests[i%len(requests)]))
	}
	f.Fuzz(func(t *testing.T, in, request []byte) {
		if len(in)+len(request) > most || bytes.Count(in, []byte("\n")) > 200 {
			return // asking after each event takes the square of the stream
		}
		meantAlike(t, request, bytes.Split(in, []byte("\n")))
	})
}
