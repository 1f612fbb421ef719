package spec

import "strings"

// Profiles server and client: one run, no lanes, and only the fields they read.

type guardCase struct {
	*judge
	e    *entry
	h    history // accepted
	it   item
	role string
}

func (g *guardCase) ended() bool {
	return g.past.everPhase("RUN_FINISHED") || g.past.everPhase("RUN_ERROR")
}

func (g *guardCase) started() bool { return g.past.everPhase("RUN_STARTED") }

func (g *guardCase) server() bool { return g.Profile == "server" }

// spanless: the client keeps no open spans.
func (g *guardCase) spanless() bool { return g.it.kind == "span" && !g.server() }

type guardClause struct {
	code string
	when func(g *guardCase) bool
	keep bool
}

var guardClauses = []guardClause{
	{code: "run-ended", when: (*guardCase).ended},
	{code: "first-event", when: func(g *guardCase) bool {
		return !g.server() && !g.started() && g.e.typ != "RUN_STARTED" && g.e.typ != "RAW" && g.e.typ != "CUSTOM"
	}},
	{code: "duplicate-run-started", when: func(g *guardCase) bool { return g.e.typ == "RUN_STARTED" && g.started() }},
	{code: "owner-mismatch", when: (*guardCase).startMismatch},
	{code: "duplicate-start", when: func(g *guardCase) bool {
		switch {
		case g.role == "start":
			return !g.spanless() && g.h.openByStart(g.it)
		case g.e.typ == "STEP_STARTED":
			return g.h.stepOpen(g.e.tag(), g.e.id("stepName"))
		case g.e.typ == "SUBAGENT_STARTED":
			return g.h.announced(g.e.id("subagentRunId"))
		}
		return false
	}},
	{code: "not-open", when: func(g *guardCase) bool {
		switch {
		case g.role == "fill" || g.role == "end":
			return !g.spanless() && !g.h.openByStart(g.it)
		case g.e.typ == "STEP_FINISHED":
			return !g.h.stepOpen(g.e.tag(), g.e.id("stepName"))
		case g.e.typ == "SUBAGENT_FINISHED" || g.e.typ == "SUBAGENT_ERROR":
			return !g.h.active(g.e.id("subagentRunId"))
		}
		return false
	}},
	{code: "unknown-id", when: func(g *guardCase) bool {
		p, named := g.e.str("parentSubagentRunId")
		return g.e.typ == "SUBAGENT_STARTED" && named && !g.h.announced(p) ||
			g.server() && g.e.typ == "TOOL_CALL_RESULT" && !g.h.callKnown(g.e.id("toolCallId"))
	}},
	{code: "out-of-order", when: func(g *guardCase) bool {
		return g.e.typ == "TOOL_CALL_RESULT" && g.h.openByStart(item{"tool", g.e.id("toolCallId")})
	}},
	{code: "open-at-finish", when: func(g *guardCase) bool {
		return g.server() && g.finishesOpen()
	}},
	{code: "open-at-finish", keep: true, when: func(g *guardCase) bool {
		return !g.server() && g.finishesOpen()
	}},
	{code: "owner-mismatch", when: (*guardCase).otherMismatch},
	{code: "empty-interrupts", keep: true, when: func(g *guardCase) bool { return !g.server() && emptyInterrupts(g.e) }},
}

func (g *guardCase) finishesOpen() bool {
	return g.e.typ == "RUN_FINISHED" && g.h.anythingOpen(func(it item) bool { return g.server() || it.kind != "span" })
}

// startMismatch: a START (in the server profile also a chunk with an id) against the live record.
func (g *guardCase) startMismatch() bool {
	if g.role != "start" && !(g.role == "chunk" && g.server() && g.e.has(parts[g.e.typ].idName)) {
		return false
	}
	if g.it.kind == "tool" {
		return g.callDisagrees(g.h, g.e)
	}
	return g.disagrees(g.h, g.bookOf(g.it), g.it.id, g.e.tag())
}

// otherMismatch: content, args and end against the owner at the time of opening
// (they are open, or not-open had ended the judging); the client's REASONING_END
// against the live record.
func (g *guardCase) otherMismatch() bool {
	tag := g.e.tag()
	switch {
	case g.spanless() && g.role == "end":
		return g.disagrees(g.h, g.bookOf(g.it), g.it.id, tag)
	case g.role == "fill" || g.role == "end":
		for i := len(g.h) - 1; i >= 0; i-- {
			if have, role := itemOf(g.h[i]); have == g.it && role == "start" {
				return g.disagrees(g.h[:i+1], g.bookOf(g.it), g.it.id, tag)
			}
		}
	case g.e.typ == "ACTIVITY_DELTA":
		return g.disagrees(g.h, "activity", g.e.id("messageId"), tag)
	case g.e.typ == "REASONING_ENCRYPTED_VALUE":
		return g.encryptedDisagrees(g.h, g.e)
	}
	return false
}

func (j *judge) guardEvent(index int, raw []byte) {
	doc, typ, broken := opened(raw)
	if broken != "" {
		j.blame(broken, index, E)
		return
	}
	if _, known := guardShape(j.Profile, typ); !known {
		return // unknown types have no effect
	}
	e := &entry{index: index, typ: typ, root: doc.root, revision: "1.0"}
	lifecycle := strings.HasPrefix(typ, "RUN_")
	g := &guardCase{judge: j, e: e, h: j.past.accepted()}
	g.it, g.role = itemOf(e)
	faults := guardFaults(j.Profile, typ, e.root)
	for _, code := range []string{"missing-field", "wrong-type"} {
		for _, f := range faults {
			if f.code == code {
				j.blame(code, index, E)
				for _, c := range guardClauses[:3] {
					if c.when(g) {
						return
					}
				}
				e.phases = lifecycle
				j.past = append(j.past, e)
				return
			}
		}
	}
	for _, c := range guardClauses {
		if !c.when(g) {
			continue
		}
		j.blame(c.code, index, E)
		if !c.keep {
			return
		}
	}
	e.stays = !(g.role == "chunk" && !g.server()) // chunks have no effect on the client
	e.phases = lifecycle
	j.past = append(j.past, e)
}
