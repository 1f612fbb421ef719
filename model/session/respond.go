package session

import "slices"

// respond answers a command with success; no value is no data.
func (s *sim) respond(c *command, data value) int {
	v := s.response(c, true)
	if data.kind != 0 {
		v = v.with("data", data)
	}
	return s.emit(v)
}

// refuse answers a command without success.
func (s *sim) refuse(c *command, text string) int {
	return s.emit(s.response(c, false).with("error", str(text)))
}

func (s *sim) response(c *command, success bool) value {
	v := empty
	if c.id.kind != 0 {
		v = v.with("id", c.id)
	}
	v = v.with("type", str("response"))
	if c.typ != "" {
		v = v.with("command", str(c.typ))
	}
	return v.with("success", boolean(success))
}

// answerQuery answers a command that has an answer at any time.
func (s *sim) answerQuery(c *command) {
	n := s.noise()
	switch {
	case c.typ == "parse":
		s.refuse(c, "Failed to parse command: Unexpected token")
	case c.typ == "" || c.typ == "no_such_command":
		s.refuse(c, "Unknown command: "+c.typ)
	case c.typ == "get_entries":
		s.answerEntries(c)
	case c.typ == "set_model" && c.v.get("modelId").text == "no":
		s.refuse(c, "Model not found: no/no")
	case c.typ == "set_session_name":
		s.rename(c)
	case n.chance(5) && refusable[c.typ]:
		s.refuse(c, "No such thing")
	default:
		s.effect(c)
		s.respond(c, s.data(n, c))
	}
}

// refusable are commands that may fail without more.
var refusable = map[string]bool{"export_html": true, "get_session_stats": true, "get_last_assistant_text": true, "get_available_models": true}

// effect is what a command changes.
func (s *sim) effect(c *command) {
	switch c.typ {
	case "set_steering_mode":
		s.all[0] = c.v.get("mode").text == "all"
	case "set_follow_up_mode":
		s.all[1] = c.v.get("mode").text == "all"
	case "set_auto_compaction":
		s.autoOff.compaction = c.v.get("enabled").kind == 'f'
	case "set_auto_retry":
		s.autoOff.retry = c.v.get("enabled").kind == 'f'
	case "set_thinking_level":
		s.emit(typed("thinking_level_changed", m("level", c.v.get("level"))))
	}
}

func (s *sim) rename(c *command) {
	name := c.v.get("name").text
	if name == "  " {
		s.refuse(c, "Session name cannot be empty")
		return
	}
	s.sess.name = name
	v := typed("session_info_changed")
	if s.chance(80) {
		v = v.with("name", str(name))
	}
	s.emit(v)
	s.respond(c, value{})
}

// data is what the answer to a query has.
func (s *sim) data(n *noise, c *command) value {
	switch c.typ {
	case "get_state":
		return s.state(n)
	case "get_messages":
		return object(m("messages", array(s.sess.messages...)))
	case "set_model":
		return s.modelObject()
	case "cycle_model":
		if n.chance(40) {
			return null
		}
		return object(m("model", s.modelObject()), m("thinkingLevel", str("off")), m("isScoped", no))
	case "cycle_thinking_level":
		if n.chance(40) {
			return null
		}
		return object(m("level", str("high")))
	case "get_available_models":
		return object(m("models", array(s.modelObject())))
	case "get_available_thinking_levels":
		return object(m("levels", strs([]string{"off", "low", "high"})))
	case "get_session_stats":
		return object(m("sessionId", str(s.sess.id)), m("totalMessages", number(len(s.sess.messages))), m("cost", literal("0.25")))
	case "export_html":
		return object(m("path", str("/home/dev/project/out.html")))
	case "get_fork_messages":
		return object(m("messages", s.forkMessages()))
	case "get_tree":
		return object(m("tree", array()), m("leafId", s.leaf()))
	case "get_last_assistant_text":
		if n.chance(30) {
			return object(m("text", null))
		}
		return object(m("text", str(s.prose(n))))
	case "get_commands":
		return object(m("commands", array(object(m("name", str("hello")), m("description", str("handled, no run")), m("source", str("extension"))))))
	}
	return value{}
}

func (s *sim) modelObject() value {
	return object(m("id", str(s.model.name)), m("name", str("Faux 1")), m("api", str(s.model.api)), m("provider", str(s.model.provider)),
		m("reasoning", yes), m("input", array(str("text"))), m("contextWindow", number(128000)), m("maxTokens", number(8192)))
}

var modes = map[bool]string{false: "one-at-a-time", true: "all"}

func (s *sim) state(n *noise) value {
	v := empty
	if n.chance(80) {
		v = v.with("model", s.modelObject())
	}
	v = v.with("thinkingLevel", str("medium")).with("isStreaming", boolean(s.busy)).with("isCompacting", boolean(s.compact != "")).
		with("steeringMode", str(modes[s.all[0]])).with("followUpMode", str(modes[s.all[1]]))
	if n.chance(50) {
		v = v.with("sessionFile", str(s.sess.file))
	}
	v = v.with("sessionId", str(s.sess.id))
	if s.sess.name != "" {
		v = v.with("sessionName", str(s.sess.name))
	}
	return v.with("autoCompactionEnabled", boolean(!s.autoOff.compaction)).with("messageCount", number(len(s.sess.messages))).with("pendingMessageCount", number(s.queued()))
}

func (s *sim) leaf() value {
	if n := len(s.sess.entries); n > 0 {
		return str(s.sess.entries[n-1].id)
	}
	return null
}

func (s *sim) forkMessages() value {
	out := array()
	for _, e := range s.sess.entries {
		if e.v.get("message").get("role").text == "user" {
			out.list = append(out.list, object(m("entryId", str(e.id)), m("text", str("scn:text"))))
		}
	}
	return out
}

// answerEntries answers get_entries: what is behind the cursor, in the order of the file.
func (s *sim) answerEntries(c *command) int {
	entries := s.sess.entries
	if since := c.v.get("since"); since.kind != 0 {
		at := slices.IndexFunc(entries, func(e entry) bool { return e.id == since.text })
		if at < 0 || !s.full || !s.listed[since.text] {
			return s.refuse(c, "Entry not found: "+since.text)
		}
		entries = entries[at+1:]
	} else {
		s.full = true
	}
	out := array()
	for _, e := range entries {
		s.listed[e.id] = true
		out.list = append(out.list, e.v)
	}
	return s.respond(c, object(m("entries", out), m("leafId", s.leaf())))
}
