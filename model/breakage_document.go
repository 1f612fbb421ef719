package model

import "github.com/agentstream/conformance/baseline"

// Faults of one event by itself: bytes, and structure.

var documentFaults = []fault{
	{clause: "bad-json", severities: "EEEE", do: (*sim).badJSON},
	{clause: "not-an-object", severities: "EEEE", do: (*sim).notAnObject},
	{clause: "bad-utf8", severities: "EE--", do: (*sim).badUTF8},
	{clause: "duplicate-name", severities: "EW--", do: (*sim).duplicateName},
	{clause: "unknown-event-type", severities: "EW--", do: (*sim).unknownType},
	{clause: "retired-event", severities: "EW--", do: (*sim).retired},
	{clause: "missing-field/ordering", severities: "EEEE", do: func(s *sim) int {
		if s.chance(20) {
			return s.listing(object(m("role", str("assistant"))))
		}
		t := pick(s.draw, orderingMembers)
		return s.spoil(t.do, func(e *event) { e.body = e.body.without(t.name) })
	}},
	{clause: "missing-field/other", severities: "EE--", do: func(s *sim) int {
		if s.chance(30) {
			return pick(s.draw, missingInside)(s)
		}
		t := pick(s.draw, plainMembers)
		return s.spoil(t.ready(s), func(e *event) { e.body = e.body.without(t.name) })
	}},
	{clause: "wrong-type/ordering", severities: "EEEE", do: func(s *sim) int {
		if s.chance(20) {
			return s.listing(object(m("id", number(1)), m("role", str("assistant"))))
		}
		t := pick(s.draw, orderingMembers)
		return s.spoil(t.do, mistyped(t.name, pick(s.draw, []value{number(1), null, yes, array(str("a")), literal("1.5")}), t.list))
	}},
	{clause: "wrong-type/other", severities: "EE--", do: func(s *sim) int {
		t := pick(s.draw, typedMembers)
		return s.spoil(t.ready(s), t.set())
	}},
	{clause: "bad-value/ordering", severities: "EE--", do: func(s *sim) int { return s.spoilOne(badRoles) }},
	{clause: "bad-value/other", severities: "EE--", do: func(s *sim) int {
		if s.chance(30) {
			return pick(s.draw, badInside)(s)
		}
		return s.spoilOne(badValues)
	}},
	{clause: "unknown-variant", severities: "EW--", do: (*sim).unknownVariant},
	{clause: "null-optional/ordering", severities: "EE--", do: func(s *sim) int { return s.spoilOne(nullOrdering) }},
	{clause: "null-optional/other", severities: "EE--", do: func(s *sim) int {
		if s.chance(30) {
			return pick(s.draw, nullInside)(s)
		}
		return s.spoilOne(nullOther)
	}},
	{clause: "null-optional/legacy-ordering", severities: "EW--", do: (*sim).legacyNull},
	{clause: "null-optional/legacy", severities: "EW--", do: func(s *sim) int {
		if s.chance(50) {
			return pick(s.draw, legacyInside)(s)
		}
		return s.spoil(pick(s.draw, s.ready()), func(e *event) { e.body = e.body.with("rawEvent", null) })
	}},
	{clause: "unknown-property", severities: "EW--", do: func(s *sim) int {
		if s.chance(40) {
			return pick(s.draw, unknownInside)(s)
		}
		if s.chance(20) {
			return s.spoil((*sim).messagesSnapshot, func(e *event) {
				e.body = e.body.with("subagentRunId", str("a1")) // this event takes no tag
			})
		}
		name := pick(s.draw, []string{"foo", "message_id", "Type", "x-trace"})
		return s.spoil(pick(s.draw, s.ready()), func(e *event) { e.put(name, s.anything(e.n, 2, true)) })
	}},
}

// A target is a member of the event that an action emits.
type target struct {
	name  string
	do    func(s *sim)
	needs string // the kind of item that has to be open
	to    value
	list  bool
}

// ready is the action, its item opened first.
func (t target) ready(s *sim) func(*sim) {
	if t.needs != "" && !hasOpen(t.needs)(s) {
		s.newItem(t.needs, parentAgent)
	}
	return t.do
}

func (t target) set() func(e *event) {
	return func(e *event) { e.body = e.body.with(t.name, t.to) }
}

func (s *sim) spoilOne(list []target) int {
	t := pick(s.draw, list)
	return s.spoil(t.ready(s), t.set())
}

// mistyped sets a member to a value of a wrong type.
func mistyped(name string, v value, list bool) func(e *event) {
	if list && v.kind == '[' {
		v = empty
	}
	return func(e *event) { e.body = e.body.with(name, v) }
}

// orderingMembers are read by the order rules of every profile.
var orderingMembers = []target{
	{name: "messageId", do: (*sim).textStart},
	{name: "toolCallId", do: (*sim).toolStart},
	{name: "stepName", do: (*sim).stepStarted},
	{name: "subagentRunId", do: (*sim).subagentStarted},
	{name: "messageId", do: (*sim).reasoningStart},
	{name: "messageId", do: (*sim).spanStart},
	{name: "messageId", do: (*sim).activitySnapshot},
	{name: "entityId", do: (*sim).encryptedValue},
	{name: "messages", do: (*sim).messagesSnapshot, list: true},
	{name: "type", do: (*sim).raw},
	{name: "type", do: (*sim).textStart},
}

// plainMembers are required, and no order rule reads them.
var plainMembers = []target{
	{name: "delta", do: (*sim).textContent, needs: "text"},
	{name: "delta", do: (*sim).toolArgs, needs: "tool"},
	{name: "delta", do: (*sim).reasoningContent, needs: "reasoning"},
	{name: "snapshot", do: (*sim).stateSnapshot},
	{name: "delta", do: (*sim).stateDelta},
	{name: "activityType", do: (*sim).activitySnapshot},
	{name: "content", do: (*sim).activitySnapshot},
	{name: "event", do: (*sim).raw},
	{name: "value", do: (*sim).custom},
	{name: "encryptedValue", do: (*sim).encryptedValue},
}

var typedMembers = []target{
	{name: "delta", do: (*sim).textContent, needs: "text", to: number(1)},
	{name: "delta", do: (*sim).toolArgs, needs: "tool", to: null},
	{name: "timestamp", do: (*sim).textStart, to: str("2030-01-01T00:00:00Z")},
	{name: "metadata", do: (*sim).stepStarted, to: array()},
	{name: "metadata", do: (*sim).custom, to: str("")},
	{name: "delta", do: (*sim).stateDelta, to: empty},
	{name: "delta", do: (*sim).stateDelta, to: array(str("op"))},
	{name: "content", do: (*sim).activitySnapshot, to: array()},
	{name: "replace", do: (*sim).activitySnapshot, to: str("true")},
	{name: "source", do: (*sim).raw, to: number(0)},
	{name: "description", do: (*sim).subagentStarted, to: no},
	{name: "encryptedValue", do: (*sim).encryptedValue, to: empty},
}

var badRoles = []target{
	{name: "role", do: (*sim).textStart, to: str("tool")},
	{name: "role", do: (*sim).textStart, to: str("Assistant")},
	{name: "role", do: (*sim).textStart, to: str("")},
	{name: "role", do: (*sim).reasoningStart, to: str("assistant")},
	{name: "role", do: (*sim).textChunk, to: str("reasoning")},
}

var badValues = []target{
	{name: "timestamp", do: (*sim).custom, to: literal("1.5")},
	{name: "timestamp", do: (*sim).raw, to: literal("9007199254740992")},
	{name: "timestamp", do: (*sim).textStart, to: literal("-9007199254740992")},
	{name: "subtype", do: (*sim).encryptedValue, to: str("activity")},
	{name: "delta", do: (*sim).stateDelta, to: array(operation("remove", nil).with("path", str("a")))},
	{name: "delta", do: (*sim).stateDelta, to: array(operation("copy", nil).with("from", str("/~2")))},
	{name: "delta", do: (*sim).stateDelta, to: array(operation("remove", nil).with("path", str("/a~")))},
}

var nullOrdering = []target{
	{name: "subagentRunId", do: (*sim).textStart, to: null},
	{name: "subagentRunId", do: (*sim).custom, to: null},
	{name: "role", do: (*sim).textStart, to: null},
	{name: "name", do: (*sim).textStart, to: null},
	{name: "parentSubagentRunId", do: (*sim).subagentStarted, to: null},
}

var nullOther = []target{
	{name: "timestamp", do: (*sim).textStart, to: null},
	{name: "metadata", do: (*sim).stateDelta, to: null},
	{name: "replace", do: (*sim).activitySnapshot, to: null},
	{name: "description", do: (*sim).subagentStarted, to: null},
	{name: "parentToolCallId", do: (*sim).subagentStarted, to: null},
	{name: "source", do: (*sim).raw, to: null},
	{name: "delta", do: (*sim).textChunk, to: null},
}

func (s *sim) badJSON() int {
	whole := spelling{n: new(noise)}.bytes(object(m("type", str("CUSTOM")), m("name", str("acme.x")), m("value", array(number(1), str("é")))))
	bad := [][]byte{
		whole[:s.roll(len(whole))], append(whole[:len(whole):len(whole)], '}'), append(whole[:len(whole):len(whole)], whole...),
		[]byte("[DONE]"), []byte("data: {}"), []byte("{'type':'RAW'}"), []byte("{\"type\":\"RAW\",\"event\":NaN}"), []byte("{\"type\":\"RAW\",\"event\":01}"),
		[]byte("{\"type\":\"RAW\",\"event\":1,}"), []byte("{\"type\":\"RAW\",\"event\":\"\t\"}"), []byte("{\"type\":\"RAW\",\"event\":\"\\x\"}"), {},
	}
	s.out = append(s.out, pick(s.draw, bad))
	return s.last()
}

func (s *sim) notAnObject() int {
	s.out = append(s.out, []byte(pick(s.draw, []string{"null", "[]", "\"RUN_STARTED\"", "17", "true", "[{\"type\":\"RAW\",\"event\":1}]", " false "})))
	return s.last()
}

func (s *sim) badUTF8() int {
	e := s.event(baseline.Custom, s.anyTag())
	text := pick(s.draw, []string{"\xff", "a\xc3", "\xe2\x82", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80"})
	return e.put("name", str("acme.x")).put("value", str(text+".")).kept()
}

func (s *sim) duplicateName() int {
	return s.spoil(pick(s.draw, s.ready()), func(e *event) {
		ms := e.body.members
		e.body = object(append(ms[:len(ms):len(ms)], among(e.n, ms))...)
	})
}

func (s *sim) unknownType() int {
	typ := pick(s.draw, []string{"TEXT_MESAGE_START", "text_message_start", "FOO", "", "RUN_CANCELLED", "TEXT_MESSAGE_START "})
	e := s.event(baseline.Custom, s.anyTag())
	e.body = object(m("type", str(typ)), m("messageId", str("m1")))
	return e.refused()
}

func (s *sim) retired() int {
	typ := pick(s.draw, []baseline.EventType{baseline.ThinkingStart, baseline.ThinkingEnd, baseline.ThinkingTextMessageStart, baseline.ThinkingTextMessageContent, baseline.ThinkingTextMessageEnd})
	e := s.event(typ, parentAgent)
	if typ == baseline.ThinkingTextMessageContent {
		e.put("delta", str(s.prose(e.n)))
	}
	return e.refused()
}

func (s *sim) unknownVariant() int {
	switch s.roll(4) {
	case 0:
		op := array(object(m("op", str("merge")), m("path", str("/a")), m("value", null)))
		return s.event(baseline.StateDelta, s.anyTag()).put("delta", op).kept()
	case 1:
		return s.finishWith(func(e *event) { e.body = e.body.with("outcome", object(m("type", str("paused")))) })
	case 2:
		critic := object(m("id", str("critic")), m("role", str("critic")), m("content", str("")))
		return s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(critic)).kept()
	}
	part := pick(s.draw, []value{
		object(m("type", str("reasoning")), m("text", str("a"))),
		object(m("type", str("image")), m("source", object(m("type", str("ftp")), m("value", str("a"))))),
	})
	id := s.fresh("call")
	return s.spoil(func(s *sim) { s.answer(id, s.anyTag()) }, func(e *event) { e.body = e.body.with("content", array(part)) })
}

func (s *sim) legacyNull() int {
	if s.chance(50) {
		return s.finishWith(func(e *event) { e.body = e.body.with("outcome", null) })
	}
	c := s.callOf("search")
	return s.spoil(func(s *sim) { s.openCall(c, s.anyTag()) }, func(e *event) { e.put("parentMessageId", null) })
}
