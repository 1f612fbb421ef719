package model

import "github.com/agentstream/conformance/baseline"

// Faults of state, activities and text.

var contentFaults = []fault{
	{clause: "state-patch", severities: "EW--", do: func(s *sim) int {
		e := s.event(baseline.StateSnapshot, s.anyTag())
		e.put("snapshot", document).emit()
		s.state = &document
		return s.event(baseline.StateDelta, s.anyTag()).put("delta", pick(s.draw, failing)).kept()
	}},
	{clause: "activity-patch/apply", severities: "EW--", do: func(s *sim) int {
		return s.activityPatch(pick(s.draw, failing))
	}},
	{clause: "activity-patch/object", severities: "EW--", do: func(s *sim) int {
		return s.activityPatch(pick(s.draw, []value{
			array(operation("replace", nil).with("value", array())),
			array(operation("add", nil).with("value", null)),
			array(operation("move", nil).with("from", str("/list"))),
			array(operation("copy", nil).with("from", str("/n"))),
		}))
	}},
	{clause: "activity-baseline", severities: "EW--", do: func(s *sim) int {
		id := s.fresh("message")
		e := s.event(baseline.ActivityDelta, s.anyTag()).put("messageId", str(id)).put("activityType", str("plan"))
		return e.put("patch", pick(s.draw, append([]value{array()}, failing...))).kept()
	}},
	{clause: "lone-surrogate", severities: "WW--", do: func(s *sim) int {
		half := pick(s.draw, []string{`"\ud83d"`, `"\ude00"`, `"a\uD800z"`, `"\udbff\ud83d\ude00"`, `"\ud83d\ud83d"`})
		it := s.newText(s.anyTag())
		e := s.event(baseline.TextMessageContent, s.continuationTag(it)).put("messageId", str(it.id))
		return e.put("delta", literal(half)).kept()
	}},
}

// document is what failing patches fail on.
var document = object(m("a", object(m("b", number(1)))), m("list", array(number(1), number(2))), m("n", null))

func ops(list ...value) value { return array(list...) }

func op(name, where string) value { return object(m("op", str(name)), m("path", str(where))) }

// failing are patches that are well formed and do not apply to document, some
// only at their last operation.
var failing = []value{
	ops(op("remove", "/nope")),
	ops(op("replace", "/a/c").with("value", number(1))),
	ops(op("test", "/a/b").with("value", number(2))),
	ops(op("test", "/n").with("value", no)),
	ops(op("add", "/list/3").with("value", number(3))),
	ops(op("add", "/list/01").with("value", number(3))),
	ops(op("remove", "/list/-")),
	ops(op("add", "/nope/x").with("value", null)),
	ops(op("move", "/a/b").with("from", str("/a"))),
	ops(op("copy", "/x").with("from", str("/nope"))),
	ops(op("add", "/x").with("value", yes), op("remove", "/y")),
	ops(op("remove", "/a"), op("test", "/a/b").with("value", number(1))),
	ops(op("add", "/n/x").with("value", number(1))),
}

// activityPatch sends a delta to an activity whose content is document.
func (s *sim) activityPatch(patch value) int {
	msg, o := s.newMessage("activity"), s.anyTag()
	e := s.event(baseline.ActivitySnapshot, o).put("messageId", str(msg.id)).put("activityType", str("plan"))
	e.put("content", document).emit()
	s.give("activity", msg.id, o)
	msg.introduced, msg.known, msg.content = true, true, document
	delta := s.event(baseline.ActivityDelta, pick(s.draw, []owner{o, parentAgent})).put("messageId", str(msg.id))
	return delta.put("activityType", str("plan")).put("patch", patch).kept()
}
