package assistant

// Faults of tool calls: what they are, their arguments, their id and name.

// ways to be no JSON, to be none of an object, and to be what only JavaScript or nobody reads.
var (
	noJSON   = []string{`{"a":1`, `{"a":1,}`, `{"a":1}{"b":2}`, `{"a":1/*x*/}`, `{'a':1}`, "{\"a\":\"x\ny\"}", "\ufeff{\"a\":1}", `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":NaN}`, "", " ", `{"a":"\ud8"}`, "\u00a0{}", `{"a":1.}`, `undefined`}
	noObject = []string{`[1]`, `null`, `"a"`, `7`, `true`, ` [] `, `{"a":1e400}`, `{"a":[{"b":-1e999}]}`, `[{}]`}
)

var toolFaults = []fault{
	{clause: "bad-tool-call/type", severities: "-EEE", do: func(s *sim) int {
		return s.callSpoiled(func(v value) value {
			return v.with("type", str(pick(s.draw, []string{"tool_call", "", "toolcall", "text"})))
		})
	}},
	{clause: "bad-tool-call/id", severities: "-EEE", do: func(s *sim) int {
		return s.callSpoiled(func(v value) value { return v.with("id", str("")) })
	}},
	{clause: "bad-tool-call/name", severities: "-EEE", do: func(s *sim) int {
		return s.callSpoiled(func(v value) value { return v.with("name", str("")) })
	}},
	{clause: "arguments-not-json", severities: "E---", do: func(s *sim) int {
		return s.refuseAndGoOn(called(object(m("a", number(1))), pick(s.draw, noJSON)))
	}},
	{clause: "arguments-not-object/text", severities: "E---", do: func(s *sim) int {
		return s.refuseAndGoOn(called(object(m("a", number(1))), pick(s.draw, noObject)))
	}},
	{clause: "arguments-not-object/arguments", severities: "EEEE", do: func(s *sim) int {
		wrong := []value{null, array(number(1)), str("{}"), number(0), yes, object(m("a", literal("1e400"))), object(m("a", array(literal("-1e999"))))}
		b := called(empty)
		if !s.dicode() {
			b = called(object(m("a", number(1))), `{"a":1}`)
		}
		return s.refuseEnd(s.fresh(b), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.with("arguments", pick(s.draw, wrong)) })
		})
	}},
	{clause: "tool-id-changed", severities: "EEEE", do: func(s *sim) int {
		return s.callSpoiled(func(v value) value { return v.with("id", str(pick(s.draw, []string{"call_2", "call_1 ", "CALL_1"}))) })
	}},
	{clause: "tool-name-changed", severities: "EEEE", do: func(s *sim) int {
		return s.callSpoiled(func(v value) value { return v.with("name", str(pick(s.draw, []string{"write", "Read"}))) })
	}},
	{clause: "arguments-mismatch/changed", severities: "EEEE", do: func(s *sim) int {
		pair := pick(s.draw, different)
		return s.refuseEnd(s.fresh(called(empty, pair[0])), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.with("arguments", raw(pair[1])) })
		})
	}},
	{clause: "arguments-mismatch/blank", severities: "-EEE", do: func(s *sim) int {
		b := called(object(m("a", number(1))))
		if s.chance(60) {
			b = called(b.args, pick(s.draw, blanks))
		}
		s.drain(s.fresh(b))
		s.end(b)
		return s.last()
	}},
	{clause: "arguments-repaired", severities: "-III", do: func(s *sim) int {
		b := called(s.object(s.noise(), 0, 1), pick(s.draw, unparsable))
		s.drain(s.fresh(b))
		s.end(b)
		return s.last()
	}},
	{clause: "arguments-error-missing", severities: "---E", do: func(s *sim) int {
		b := called(empty, pick(s.draw, unparsable))
		s.drain(s.fresh(b))
		s.end(b)
		return s.last()
	}},
	{clause: "arguments-error-missing/null", severities: "---E", do: func(s *sim) int {
		b := called(empty, pick(s.draw, unparsable))
		return s.endSpoiled(s.fresh(b), func(v value) value {
			return inside(v, "toolCall", func(v value) value { return v.with("argumentsError", null) })
		})
	}},
}

// different are texts of arguments and arguments that are not the same.
var different = [][2]string{
	{`{"a":1}`, `{}`}, {`{}`, `{"a":null}`}, {`{"a":1}`, `{"a":"1"}`}, {`{"a":[1,2]}`, `{"a":[2,1]}`}, {`{"a":true}`, `{"a":1}`}, {`{"a":null}`, `{}`},
	{`{"a":[1]}`, `{"a":{"0":1}}`}, {`{"a":1,"a":2}`, `{"a":1}`}, {`{"__proto__":{"x":1}}`, `{}`}, {`{"a":"\ud800"}`, `{"a":"\ufffd"}`}, {`{"a":"é"}`, `{"a":"e\u0301"}`},
	{`{"a":9007199254740993}`, `{"a":9007199254740994}`}, {`{"a":{"b":{"c":[]}}}`, `{"a":{"b":{"c":{}}}}`}, {`{"a":0}`, `{"a":false}`}, {`{"a":""}`, `{"a":null}`},
	{`{"a":1}`, `{"A":1}`}, {`{"a":1}`, `{"a":1,"b":1}`}, {`{"a":0.1}`, `{"a":0.10000000000000002}`},
}

// callSpoiled ends a call, and spoils what the end says that it is.
func (s *sim) callSpoiled(how func(v value) value) int {
	b := called(object(m("a", number(1))), `{"a":1}`)
	return s.refuseEnd(s.fresh(b), func(v value) value { return inside(v, "toolCall", how) })
}

// refuseAndGoOn is for a call whose text cannot be saved: the stream ends over it, with an error.
func (s *sim) refuseAndGoOn(b *block) int {
	s.drain(s.fresh(b))
	s.end(b)
	index := s.last()
	b.ended = false
	s.failure()
	return index
}
