package spec

import "slices"

// record judges one record: structure first, then the rules, until something drops it.
func (j *judge) record(i int, raw []byte) {
	e := j.read(i, raw)
	if e == nil {
		return
	}
	h := &hearing{j, e, append(slices.Clone(j.past), e)}
	for _, c := range clauses {
		severity := c.severity(j.profile)
		if severity == "" {
			continue
		}
		if guilty, cause := c.when(h); guilty {
			j.blame(c.code, i, severity, cause)
			if h.drops(c, severity) {
				return
			}
		}
	}
	j.past = h.now
}

// read gives the event of a record, nil where structure drops it.
func (j *judge) read(i int, raw []byte) *event {
	doc, ok := decode(raw)
	switch {
	case !ok:
		return j.refuse("bad-json", i, E)
	case !doc.root.is('{'):
		return j.refuse("not-an-object", i, E)
	case doc.badBytes && !j.embedded:
		return j.refuse("bad-utf8", i, E)
	}
	if doc.twice && !j.embedded {
		j.blame("duplicate-name", i, W, -1)
	}
	typ := doc.root.get("type")
	switch {
	case typ.is('u'):
		return j.refuse("missing-field", i, E)
	case !typ.is('"'):
		return j.refuse("wrong-type", i, E)
	}
	e := &event{i, nameOf(typ.text), doc.root}
	known := piEvents
	if j.dicode() {
		known = dicodeEvents
	}
	s := known[e.typ]
	switch {
	case s == nil && j.dicode():
		return e // phase comes first there
	case s == nil:
		return j.refuse("unknown-event-type", i, W)
	case j.embedded && (e.typ == "start" || e.terminal()):
		return nil
	}
	return j.shaped(e, s(doc.root))
}

func (j *judge) refuse(code string, i int, severity string) *event {
	j.blame(code, i, severity, -1)
	return nil
}

// shaped blames an event for the faults of its shape, each code once; it is nil if one of them drops it.
func (j *judge) shaped(e *event, faults []string) *event {
	for _, code := range []string{"missing-field", "wrong-type", "bad-value", "null-optional"} {
		if !slices.Contains(faults, code) {
			continue
		}
		severity := E
		if code == "null-optional" || j.dicode() && e.deadly() != code {
			severity = W
		}
		j.blame(code, e.index, severity, -1)
		if severity == E {
			return nil
		}
	}
	return e
}

// deadly is the fault of a di-code event that the original dies of, if it has one.
func (e *event) deadly() string {
	name, has := map[string]string{"tool_call_end": "toolCall", "done": "message", "error": "message"}[e.typ]
	switch n := e.get(name); {
	case !has:
		return ""
	case n.is('u'):
		return "missing-field"
	case n.is('n'):
		return "wrong-type"
	}
	return ""
}

// end: what is known only once the stream is over.
func (j *judge) end(n int) {
	if j.past.ended() != nil {
		return
	}
	if j.dicode() {
		j.blame("truncated", n, W, -1)
		return
	}
	j.blame("truncated", n, E, -1)
}

// messageEnd lets the end of a session's message play done or error.
func (j *judge) messageEnd(final Part) {
	doc, ok := decode(final.JSON)
	if !ok || !doc.root.is('{') {
		return // for the session
	}
	e := asTerminal(final.Index, doc.root)
	h := &hearing{j, e, append(slices.Clone(j.past), e)}
	for _, c := range clauses {
		severity := c.severity(j.profile)
		switch c.code {
		case "content-mismatch", "bad-reason":
		case "open-at-done":
			severity = j.ifUpdated(severity)
		case "final-content", "partial-content": // an extension may have replaced the message
			severity = j.ifUpdated(W)
		default:
			continue
		}
		if guilty, cause := c.when(h); guilty && severity != "" {
			j.blame(c.code, final.Index, severity, cause)
		}
	}
}

// ifUpdated leaves out what only a message with updates is judged by: a setup failure has text and no update.
func (j *judge) ifUpdated(severity string) string {
	if !j.updated {
		return ""
	}
	return severity
}

// asTerminal is a message as the event that would carry it.
func asTerminal(i int, m *node) *event {
	typ, name := "done", "message"
	if reason := m.get("stopReason"); reason.says("error") || reason.says("aborted") {
		typ, name = "error", "error"
	}
	return &event{i, typ, &node{sort: '{', members: []member{{"reason", m.get("stopReason")}, {name, m}}}}
}
