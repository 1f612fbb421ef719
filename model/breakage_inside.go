package model

import "github.com/agentstream/conformance/baseline"

// Faults of structure below the members of an event: in messages of a list, in
// outcomes, usage, patches.

// listing emits a snapshot of one message, and gives its index.
func (s *sim) listing(message value) int {
	return s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(message)).kept()
}

// userMessage is a message to list whose id is new and stays known.
func (s *sim) userMessage(content value) value {
	msg := s.newMessage("text")
	msg.introduced, msg.described, msg.role = true, true, "user"
	s.give("message", msg.id, parentAgent)
	return object(m("id", str(msg.id)), m("role", str("user")), m("content", content))
}

func (s *sim) delta(ops ...value) int {
	return s.event(baseline.StateDelta, s.anyTag()).put("delta", array(ops...)).kept()
}

// finishAs ends the run with an outcome.
func (s *sim) finishAs(outcome value) int {
	return s.finishWith(func(e *event) { e.body = e.body.with("outcome", outcome) })
}

func success(ms ...member) value {
	return object(append([]member{m("type", str("success"))}, ms...)...)
}

var missingInside = []func(s *sim) int{
	func(s *sim) int { return s.listing(s.userMessage(null).without("content")) },
	func(s *sim) int { return s.listing(s.userMessage(array(object(m("type", str("text")))))) },
	func(s *sim) int { return s.delta(object(m("op", str("remove")))) },
	func(s *sim) int { return s.delta(op("add", "/a")) },
	func(s *sim) int { return s.delta(op("move", "/a")) },
	func(s *sim) int { return s.finishAs(interruptOutcome(object(m("id", str("i1"))))) },
	func(s *sim) int {
		s.over = true
		return s.spoil((*sim).runError, func(e *event) { e.body = e.body.without("message") })
	},
}

var badInside = []func(s *sim) int{
	func(s *sim) int { return s.wrongUsage(object(m("inputTokens", number(-1)))) },
	func(s *sim) int { return s.wrongUsage(object(m("outputTokens", literal("0.5")))) },
	func(s *sim) int { return s.wrongUsage(object(m("totalTokens", literal("9007199254740992")))) },
	func(s *sim) int {
		function := object(m("name", str("search")), m("arguments", str("{}")))
		call := object(m("id", str(s.fresh("call"))), m("type", str("tool")), m("function", function))
		return s.listing(s.userMessage(str("")).with("role", str("assistant")).with("toolCalls", array(call)))
	},
}

var nullInside = []func(s *sim) int{
	func(s *sim) int { return s.listing(s.userMessage(str("")).with("metadata", null)) },
	func(s *sim) int { return s.listing(s.userMessage(str("")).with("encryptedValue", null)) },
	func(s *sim) int {
		return s.listing(s.userMessage(array(object(m("type", str("text")), m("text", str("")), m("metadata", null)))))
	},
	func(s *sim) int {
		return s.finishAs(interruptOutcome(object(m("id", str("i1")), m("reason", str("")), m("expiresAt", null))))
	},
	func(s *sim) int { return s.wrongUsage(object(m("model", null))) },
}

// legacyInside are nulls that older producers sent.
var legacyInside = []func(s *sim) int{
	func(s *sim) int { return s.finishWith(func(e *event) { e.body = e.body.with("result", null) }) },
	func(s *sim) int {
		id := s.newSubagent()
		return s.spoil(func(s *sim) { s.finishSubagent(id) }, func(e *event) { e.body = e.body.with("result", null) })
	},
	func(s *sim) int {
		source := object(m("type", str("url")), m("value", str("https://example.com/a.png")))
		return s.listing(s.userMessage(array(object(m("type", str("image")), m("source", source), m("metadata", null)))))
	},
}

var unknownInside = []func(s *sim) int{
	func(s *sim) int { return s.listing(s.userMessage(str("")).with("toolCalls", array())) },
	func(s *sim) int { return s.listing(s.userMessage(str("")).with("createdAt", number(0))) },
	func(s *sim) int { return s.finishAs(success(m("interrupts", array()))) },
	func(s *sim) int {
		return s.finishAs(interruptOutcome(object(m("id", str("i1")), m("reason", str("")), m("options", array()))))
	},
	func(s *sim) int { return s.wrongUsage(object(m("requests", number(1)))) },
}
