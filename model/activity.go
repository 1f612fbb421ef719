package model

import "github.com/agentstream/conformance/baseline"

// Activities: snapshots that replace or leave what is there, and deltas that apply.

func (s *sim) activitySnapshot() {
	msg := s.activity()
	replaces := opt{}
	if s.k.has(Optional) {
		replaces = pick(s.draw, []opt{{}, given("true"), given("false")})
	}
	keeps := replaces.s == "false"
	s.putActivity(msg, s.tag(func(o owner) bool { return !keeps || s.agrees("activity", msg.id, o) }), replaces)
}

// putActivity emits a snapshot; replaces is "true", "false" or absent.
func (s *sim) putActivity(msg *message, o owner, replaces opt) {
	keeps := replaces.s == "false"
	e := s.event(baseline.ActivitySnapshot, o).put("messageId", str(msg.id)).put("activityType", str("plan"))
	content := s.record(e.n, 2)
	e.put("content", content)
	if replaces.given {
		e.put("replace", boolean(!keeps))
	}
	e.emit()
	msg.introduced = true
	if _, recorded := s.owned("activity", msg.id); !recorded || !keeps {
		s.give("activity", msg.id, o)
	}
	if !msg.known || !keeps {
		msg.known, msg.content = true, content
	}
}

func (s *sim) activity() *message {
	if known := s.messagesOf("activity"); len(known) > 0 && s.chance(50) {
		return pick(s.draw, known)
	}
	return s.newMessage("activity")
}

// baselined lists the activities that a delta may follow.
func (s *sim) baselined() []*message {
	var out []*message
	for _, m := range s.messagesOf("activity") {
		if m.known {
			out = append(out, m)
		}
	}
	return out
}

func (s *sim) activityDelta() {
	msg := pick(s.draw, s.baselined())
	e := s.event(baseline.ActivityDelta, s.tag(func(o owner) bool { return s.agrees("activity", msg.id, o) }))
	patch, after := s.patch(e.n, msg.content, true)
	e.put("messageId", str(msg.id)).put("activityType", str(s.name(e.n))).put("patch", patch).emit()
	msg.content = after
}
