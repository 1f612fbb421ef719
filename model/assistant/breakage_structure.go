package assistant

import "github.com/agentstream/conformance/baseline/pi"

// Faults of a record by itself: its bytes, its type, its members.

var structureFaults = []fault{
	{clause: "bad-json", severities: "EEEE", do: func(s *sim) int {
		return s.bytes(pick(s.draw, []string{
			`{"type":"start"`, `{"type":"text_start","contentIndex":01}`, `{}{}`, `nul`, `{'type':"start"}`, `{"type":"start",}`, "\ufeff{}", `{"a":"\x"}`,
			"{\"a\":\"\n\"}", `{"a":1e}`, `[1,]`, `{"a"}`, `}`, `{"a":"\ud8"}`, `{"a":.5}`, `"`,
		}))
	}},
	{clause: "not-an-object", severities: "EEEE", do: func(s *sim) int {
		return s.bytes(pick(s.draw, []string{`[]`, `null`, `1`, `"start"`, `[{"type":"start"}]`, `true`, ` -0 `}))
	}},
	{clause: "bad-utf8", severities: "EEEE", do: func(s *sim) int {
		bad := pick(s.draw, []string{"\xff", "\xc3(", "\xed\xa0\x80", "\xe2\x82", "\xf0\x9f\x98", "\xc0\xaf", "\xf4\x90\x80\x80"})
		return s.spoil(func(v value) value { return v.with("x", raw(`"`+bad+`"`)) })
	}},
	{clause: "duplicate-name", severities: "WWWW", do: func(s *sim) int {
		s.plain = true
		defer func() { s.plain = false }()
		return s.spoil(func(v value) value {
			twice := object(m("a", number(1)), m("\u0061", number(2)))
			switch s.even(3) {
			case 0:
				return object(append([]member{m("type", str("done"))}, v.members...)...) // the last one counts
			case 1:
				return v.with("x", array(twice))
			}
			return object(append(v.members[:len(v.members):len(v.members)], twice.members...)...)
		})
	}},
	{clause: "unknown-event-type", severities: "EWWW", do: func(s *sim) int {
		types := []string{"ping", "image", "Text_start", "", "message_update", "TEXT_DELTA"}
		if s.dicode() {
			types = append(types, "toolcall_start", "toolcall_delta", "toolcall_end")
		} else {
			types = append(types, "tool_call_start", "tool_call_end")
		}
		return s.refused(s.event(s.noise(), pick(s.draw, types), m("contentIndex", number(len(s.blocks)))))
	}},
	{clause: "missing-field/type", severities: "EEEE", do: func(s *sim) int {
		return s.refused(s.event(s.noise(), "start").without("type"))
	}},
	{clause: "wrong-type/type", severities: "EEEE", do: func(s *sim) int {
		return s.refused(s.event(s.noise(), "start").with("type", pick(s.draw, []value{null, number(1), array(str("start")), yes, empty})))
	}},
}

func (s *sim) bytes(line string) int {
	s.out = append(s.out, []byte(line))
	return s.last()
}

// others are values of other types than a string or an object.
var others = []value{number(5), yes, no, array(), literal("-0.5")}

var memberFaults = []fault{
	{clause: "missing-field/delta", severities: "WEEE", do: func(s *sim) int {
		return s.deltaSpoiled("undefined", func(v value) value { return v.without("delta") })
	}},
	{clause: "wrong-type/delta", severities: "WEEE", do: func(s *sim) int {
		appended := map[string]value{"5": number(5), "true": yes, "false": no, "null": null, "-0.5": literal("-5e-1"), "1e+21": literal("1E21"), "1e-7": literal("0.0000001"), "123456789012345680000": literal("1.2345678901234568e20"), "Infinity": literal("1e400")}
		text := pick(s.draw, []string{"5", "true", "false", "null", "-0.5", "1e+21", "1e-7", "123456789012345680000", "Infinity"})
		return s.deltaSpoiled(text, func(v value) value { return v.with("delta", appended[text]) })
	}},
	{clause: "wrong-type/delta-of-any-text", severities: "WEEE", do: func(s *sim) int {
		b := said(pick(s.draw, []string{"text", "thinking"}), unitsOf("whatever it is"))
		return s.deltaOf(b, func(v value) value { return v.with("delta", pick(s.draw, []value{array(number(1)), empty})) })
	}},
	{clause: "wrong-type/arguments-of-any-text", severities: "W---", do: func(s *sim) int {
		b := called(object(m("a", number(1))), "?")
		return s.deltaOf(b, func(v value) value { return v.with("argumentsDelta", pick(s.draw, []value{array(number(1)), empty})) })
	}},
	{clause: "missing-field/arguments-delta", severities: "WEEE", do: func(s *sim) int {
		index := s.deltaOf(called(empty, "undefined"), func(v value) value { return v.without("delta").without("argumentsDelta") })
		s.failure() // over the open call: what was appended is no JSON
		return index
	}},
	{clause: "missing-field/name", severities: "W---", do: func(s *sim) int {
		s.endAll()
		s.mangle = func(v value) value { return v.without(pick(s.draw, []string{"id", "name"})) }
		s.begin(called(empty))
		index := s.last()
		s.failure() // over the open call, which is left out
		return index
	}},
	{clause: "wrong-type/name", severities: "WEEE", do: func(s *sim) int {
		s.endAll()
		s.mangle = func(v value) value {
			return v.with(pick(s.draw, map[bool][]string{true: {"id", "name"}, false: {"id", "toolName"}}[s.dicode()]), pick(s.draw, others))
		}
		s.begin(called(empty))
		index := s.last()
		s.failure()
		return index
	}},
	{clause: "missing-field/content-index", severities: "-EEE", do: func(s *sim) int {
		return s.spoil(func(v value) value { return v.without("contentIndex") })
	}},
	{clause: "wrong-type/content-index", severities: "-EEE", do: func(s *sim) int {
		return s.spoil(func(v value) value {
			return v.with("contentIndex", pick(s.draw, []value{str("0"), null, array(number(0)), empty, no}))
		})
	}},
	{clause: "wrong-type/content", severities: "-EEE", do: func(s *sim) int {
		return s.refuseEnd(s.fresh(s.plan("text")), func(v value) value { return v.with("content", pick(s.draw, others)) })
	}},
	{clause: "missing-field/tool-call", severities: "EEEE", do: func(s *sim) int {
		return s.refuseEnd(s.fresh(called(empty)), func(v value) value { return v.without("toolCall") })
	}},
	{clause: "wrong-type/tool-call", severities: "EEEE", do: func(s *sim) int {
		return s.refuseEnd(s.fresh(called(empty)), func(v value) value { return v.with("toolCall", null) })
	}},
	{clause: "wrong-type/tool-call-of-pi", severities: "-EEE", do: func(s *sim) int {
		return s.refuseEnd(s.fresh(called(empty)), func(v value) value { return v.with("toolCall", pick(s.draw, others)) })
	}},
	{clause: "missing-field/in-tool-call", severities: "-EEE", do: func(s *sim) int {
		name := pick(s.draw, []string{"type", "id", "name", "arguments"})
		return s.refuseEnd(s.fresh(called(empty)), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.without(name) })
		})
	}},
	{clause: "missing-field/type-of-tool-call", severities: "WEEE", do: func(s *sim) int {
		return s.endSpoiled(s.fresh(called(empty)), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.without("type") })
		})
	}},
	{clause: "wrong-type/in-tool-call", severities: "-EEE", do: func(s *sim) int {
		name := pick(s.draw, []string{"type", "id", "name", "argumentsError", "namespace", "thoughtSignature"})
		return s.refuseEnd(s.fresh(called(empty)), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.with(name, pick(s.draw, others)) })
		})
	}},
	{clause: "missing-field/reason", severities: "WEEE", do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value {
			return inside(v, s.messageName(typ), func(v value) value {
				if s.dicode() { // both undefined
					return v.without("stopReason")
				}
				return v
			}).without("reason")
		})
	}},
	{clause: "wrong-type/reason", severities: "WEEE", do: func(s *sim) int {
		other := pick(s.draw, []value{number(5), yes, null})
		return s.finishSpoiled(func(v value, typ string) value {
			return inside(v, s.messageName(typ), func(v value) value {
				if s.dicode() {
					return v.with("stopReason", other)
				}
				return v
			}).with("reason", other)
		})
	}},
	{clause: "missing-field/message", severities: "EEEE", do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value { return v.without(s.messageName(typ)).without("usage") })
	}},
	{clause: "missing-field/message-is-null", severities: "-EEE", do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value { return v.with(s.messageName(typ), null).without("usage") })
	}},
	{clause: "wrong-type/message", severities: "E---", do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value { return v.with("message", null) })
	}},
	{clause: "wrong-type/message-of-pi", severities: "-EEE", do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value { return v.with(s.messageName(typ), pick(s.draw, others)) })
	}},
	{clause: "missing-field/in-message", severities: "WEEE", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		names := []string{"role", "provider", "model", "usage", "timestamp"}
		if !s.dicode() {
			names = append(names, "api", "content", "stopReason")
		}
		return s.finishMessage(func(v value) value { return v.without(pick(s.draw, names)) })
	}},
	{clause: "wrong-type/in-message", severities: "WEEE", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		names := []string{"role", "provider", "model", "usage", "errorMessage", "timestamp"}
		if !s.dicode() {
			names = append(names, "api", "responseModel", "responseId", "rawStopReason", "durationMs", "content", "stopReason")
		}
		return s.finishMessage(func(v value) value {
			return v.with(pick(s.draw, names), pick(s.draw, []value{yes, no}))
		})
	}},
	{clause: "missing-field/in-usage", severities: "WEEE", do: func(s *sim) int {
		name := pick(s.draw, []string{"input", "output", "cacheRead", "cacheWrite", "totalTokens", "cost"})
		return s.finishUsage(func(v value) value { return v.without(name) })
	}},
	{clause: "wrong-type/in-usage", severities: "WEEE", do: func(s *sim) int {
		name := pick(s.draw, []string{"input", "output", "cacheRead", "cacheWrite", "total"})
		return s.finishUsage(func(v value) value {
			return inside(v, "cost", func(v value) value { return v.with(name, pick(s.draw, []value{str("1"), null, array()})) })
		})
	}},
	{clause: "missing-field/in-partial", severities: "-EEE", forms: pi.InProcess, do: func(s *sim) int {
		name := pick(s.draw, []string{"role", "provider", "model", "usage", "timestamp", "api", "content", "stopReason"})
		return s.spoil(func(v value) value {
			return inside(v, "partial", func(v value) value { return v.without(name) })
		})
	}},
	{clause: "wrong-type/partial", severities: "-EEE", do: func(s *sim) int {
		return s.spoil(func(v value) value { return v.with("partial", pick(s.draw, others)) })
	}},
	{clause: "bad-value/role", severities: "WEEE", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		return s.finishMessage(func(v value) value { return v.with("role", str(pick(s.draw, []string{"user", "", "Assistant"}))) })
	}},
	{clause: "bad-value/timestamp", severities: "WEEE", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		return s.finishMessage(func(v value) value { return v.with("timestamp", literal("1796003696136.5")) })
	}},
	{clause: "bad-value/reason-of-partial", severities: "-EEE", forms: pi.InProcess, do: func(s *sim) int {
		return s.spoil(func(v value) value {
			return inside(v, "partial", func(v value) value { return v.with("stopReason", str("banana")) })
		})
	}},
	{clause: "bad-value/block", severities: "-EEE", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		return s.finishMessage(func(v value) value {
			return inside(v, "content", func(v value) value {
				return array(append(v.list[:len(v.list):len(v.list)], object(m("type", str("image")), m("data", str("AAAA")), m("mimeType", str("image/png"))))...)
			})
		})
	}},
	{clause: "null-optional/in-event", severities: "-WWW", do: func(s *sim) int {
		switch b := s.fresh(s.plan("text")); s.even(3) {
		case 0:
			return s.endSpoiled(b, func(v value) value { return v.with("contentSignature", null) })
		case 1:
			return s.endSpoiled(b, func(v value) value { return v.with("content", null) })
		default:
			return s.endSpoiled(b, func(v value) value { return v.with("partial", null) })
		}
	}},
	{clause: "null-optional/in-tool-call", severities: "-WWW", do: func(s *sim) int {
		return s.endSpoiled(s.fresh(called(empty, "{}")), func(v value) value {
			return inside(v, "toolCall", func(v value) value {
				return v.with(pick(s.draw, []string{"argumentsError", "namespace", "thoughtSignature"}), null)
			})
		})
	}},
	{clause: "null-optional/in-message", severities: "WWWW", forms: pi.InProcess | pi.Wire, do: func(s *sim) int {
		names := []string{"errorMessage"}
		if !s.dicode() {
			names = append(names, "responseModel", "responseId", "rawStopReason", "durationMs")
		}
		return s.finishMessage(func(v value) value { return v.with(pick(s.draw, names), null) })
	}},
}

// deltaSpoiled sends a block whose one delta is spoiled, and is appended as that text by di-code.
func (s *sim) deltaSpoiled(appended string, how func(v value) value) int {
	return s.deltaOf(said(pick(s.draw, []string{"text", "thinking"}), unitsOf(appended)), how)
}

func (s *sim) deltaOf(b *block, how func(v value) value) int {
	s.fresh(b)
	s.mangle = how
	s.delta(b)
	return s.last()
}

// finishMessage ends the stream and spoils the message of that.
func (s *sim) finishMessage(how func(v value) value) int {
	return s.finishSpoiled(func(v value, typ string) value { return inside(v, s.messageName(typ), how) })
}

// finishUsage ends the stream and spoils its usage, wherever it is.
func (s *sim) finishUsage(how func(v value) value) int {
	return s.finishSpoiled(func(v value, typ string) value {
		in := func(v value) value { return inside(v, "usage", how) }
		return inside(in(v), s.messageName(typ), in)
	})
}
