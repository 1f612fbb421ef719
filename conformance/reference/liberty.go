package reference

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// Liberties are what an SDK may do differently, or need not do well: section 4 of the contract, (1) to (10), and being slow.
// The streams are legal and faithful.
func Liberties() []Habit {
	free := func(name, does, script string, how ...func() rewriter) Habit {
		return Habit{Name: name, Does: does, Script: script, habits: rewriting(how...)}
	}
	with := func(name, does, script string, h habits) Habit {
		return Habit{Name: name, Does: does, Script: script, habits: h}
	}
	const (
		longer    = `[{"text":{"id":"m1","stream":["Hello, ","","wörld 👋🏽","."]}},{"toolCall":{"id":"c1","name":"find","stream":["{\"q\":","1}"]}}]`
		thoughts  = `[{"reasoning":{"messages":[{"id":"rm1","stream":["hm"],"encryptedValue":"Zm9v"},{"id":"rm2","stream":["yes"]}]}}]`
		unfinised = `[{"step":{"name":"plan","do":[{"subagent":{"id":"a1","name":"Search","do":[{"reasoning":{"span":"s1","messages":[{"id":"rm1","stream":["hm",{"fail":{"message":"no"}}]}]}}]}}]}}]`
		chunked   = `[{"subagent":{"id":"a1","name":"A","do":[{"text":{"id":"m1","form":"chunks","stream":["a","b"]}},{"step":{"name":"s","do":[{"toolCall":{"id":"c1","name":"find","stream":["{}"]}}]}}]}}]`
		open      = `[{"replay":{"run":"r0","do":[{"toolCall":{"id":"c0","name":"ask","stream":["{}"]}}]}},{"toolCall":{"id":"c1","name":"ask","stream":["{}"]}},{"toolCall":{"id":"c2","name":"find","stream":["{}"]}},{"toolResult":{"id":"r1","call":"c2","content":"42"}}]`
	)
	return []Habit{
		free("characters", "sends each character as a delta of its own", longer, all(baseline.TextMessageContent, characters), all(baseline.ToolCallArgs, characters)),
		free("empty-deltas", "adds empty deltas", longer, all(baseline.TextMessageContent, withEmpty)),
		free("no-empty-deltas", "leaves out empty deltas", longer, all(baseline.TextMessageContent, unlessEmpty)),
		with("chunks", "streams by chunks where it may", longer, habits{chunks: true}),
		with("tags", "tags continuations", chunked, habits{tags: true}),
		free("timestamps", "adds timestamps", everything, every(given("timestamp", `1893456000000`))),
		free("raw-events", "adds what its model said", everything, every(given("rawEvent", `{"id":7}`))),
		free("more-metadata", "adds metadata of its own", everything, every(moreMetadata)),
		free("raw", "adds RAW events", everything, all(baseline.TextMessageStart, followed(`{"type":"RAW","event":{"id":1},"source":"model"}`))),
		free("usage", "counts tokens unasked", oneText, first(baseline.RunFinished, given("usage", `[{"model":"small","inputTokens":1,"outputTokens":1,"totalTokens":2}]`))),
		free("parent", "names a parent of calls that have none", longer, all(baseline.ToolCallStart, given("parentMessageId", `"m1"`))),
		free("state-by-patch", "says a state by a patch of the whole", states, first(baseline.StateSnapshot, asPatch)),
		free("state-again", "says a state twice", states, first(baseline.StateSnapshot, doubled)),
		free("empty-patch", "adds a patch that changes nothing", states, first(baseline.StateSnapshot, followed(`{"type":"STATE_DELTA","delta":[]}`))),
		free("messages-again", "restates all messages", oneText, first(baseline.RunFinished, preceded(`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","content":"Hello, world."}]}`))),
		with("one-span", "puts a span around reasoning that has none", thoughts, habits{spans: aroundAll}),
		with("spans", "puts a span around each thought that has none", thoughts, habits{spans: aroundEach}),
		free("no-outcome", "leaves out the outcome of a success", oneText, first(baseline.RunFinished, lacking("outcome"))),
		with("pending", "names pending calls unasked", open, habits{names: true}),
		with("closes", "closes what is open before an error", unfinised, habits{closes: true}),
		free("code", "chooses a code where there is none", unfinised, first(baseline.RunError, given("code", `"agent_error"`))),
		with("mints", "makes ids of its own", everything, habits{mints: true}),
		with("refuses-early", "answers an early failure by the status 500", `[{"fail":{"message":"no","early":true}}]`, habits{refuses: 500}),
		with("slow", "takes its time before each event", oneText, habits{write: slow}),
	}
}

// The spans around reasoning that has none.
const (
	aroundAll  = "all"
	aroundEach = "each"
)

// characters cuts a delta into its characters.
func characters(e event) []event {
	out := []event{}
	for _, c := range e.text("delta") {
		out = append(out, e.with("delta", string(c)))
	}
	return out
}

func withEmpty(e event) []event { return []event{e.with("delta", ""), e, e.with("delta", "")} }

func unlessEmpty(e event) []event {
	if e.text("delta") == "" {
		return nil
	}
	return []event{e}
}

func moreMetadata(e event) []event {
	more := parse(e.get("metadata"))
	return []event{e.with("metadata", more.with("acme.seen", true))}
}

// asPatch says a snapshot as a patch of the whole state.
func asPatch(e event) []event {
	op := event{}.with("op", "replace").with("path", "").set("value", e.get("snapshot"))
	return []event{newEvent(baseline.StateDelta).with("delta", []jsontext.Value{op.json()})}
}
