package session

import "strings"

// message is one that is not the assistant's, with the text that it was queued as.
type message struct {
	role string
	v    value
}

func (s *sim) textBlock(n *noise, text string) value {
	b := typed("text", m("text", str(text)))
	if s.optional(n, 10) {
		b = b.with("textSignature", str("sig"))
	}
	return b
}

func (s *sim) image(n *noise) value {
	return typed("image", m("data", str(among(n, []string{"aGk=", "iVBORw0KGgo="}))), m("mimeType", str(among(n, []string{"image/png", "image/jpeg"}))))
}

// line is a text that somebody types.
func (s *sim) line() string {
	n := s.noise()
	if n.chance(40) {
		return among(n, []string{"hi", "go on", "stop it", "why?"})
	}
	return s.prose(n)
}

// user is a message of the user; content is an array as prompts make it, at times a string.
func (s *sim) user(text string) message {
	n := s.noise()
	content := array(typed("text", m("text", str(text))))
	switch {
	case s.optional(n, 8):
		content = str(text)
	case s.optional(n, 8):
		content.list = append(content.list, s.image(n))
	}
	return message{"user", object(m("role", str("user")), m("content", content), m("timestamp", s.now()))}
}

// note is a message of an extension.
func (s *sim) note() message {
	n := s.noise()
	v := object(m("role", str("custom")), m("customType", str(among(n, []string{"note", "reminder", ""}))))
	content := str(s.prose(n))
	if s.optional(n, 30) {
		content = array(s.textBlock(n, s.prose(n)))
	}
	v = v.with("content", content).with("display", boolean(n.chance(50)))
	if s.optional(n, 30) {
		v = v.with("details", s.anything(n, 2))
	}
	return message{"custom", v.with("timestamp", s.now())}
}

// system is the first message of a session.
func (s *sim) system() message {
	n := s.noise()
	v := object(m("role", str("system")), m("content", str(among(n, []string{"", "You are a coding assistant."}))))
	if s.optional(n, 60) {
		v = v.with("sections", object(m("preamble", str("You are a coding assistant.")), m("cwd", str("/home/dev/project/work")), m("docs", null)))
	}
	v = v.with("timestamp", s.now())
	if s.optional(n, 60) {
		v = v.with("toolsAdded", array(object(m("name", str("read")), m("description", str("Read the contents of a file")),
			m("parameters", object(m("type", str("object")), m("properties", object(m("path", object(m("type", str("string")))))))))))
	}
	if s.optional(n, 10) {
		v = v.with("toolsRemoved", array(str("bash")))
	}
	return message{"system", v}
}

// say writes a message that is not the assistant's: its start and its end are the same.
func (s *sim) say(msg message) {
	saying := s.saying
	s.saying = true
	s.emit(typed("message_start", m("message", msg.v)))
	s.said(msg.v)
	s.emit(typed("message_end", m("message", msg.v)))
	s.saying = saying
}

// said notes a message that ends.
func (s *sim) said(v value) {
	if s.run != nil && s.run.turn != nil {
		s.run.messages = append(s.run.messages, v)
	}
	s.sess.messages = append(s.sess.messages, v)
	s.enter(s.sess, "message", m("message", v))
}

// usage is what a request cost.
func (s *sim) usage(n *noise) value {
	in, out := n.below(2000), n.below(100)
	cost := object(m("input", number(0)), m("output", number(0)), m("cacheRead", number(0)), m("cacheWrite", number(0)), m("total", number(0)))
	if n.chance(30) {
		cost = object(m("input", literal("0.0025")), m("output", literal("1.5e-7")), m("cacheRead", number(0)), m("cacheWrite", number(0)), m("total", literal("0.00250015")))
	}
	if s.optional(n, 15) {
		cost = cost.with("totalFromProvider", boolean(n.chance(50)))
	}
	v := object(m("input", number(in)), m("output", number(out)), m("cacheRead", number(0)), m("cacheWrite", number(n.below(1500))),
		m("totalTokens", number(in+out)), m("cost", cost))
	if s.optional(n, 10) {
		v = v.with("cacheWrite1h", number(0)).with("reasoning", number(n.below(50)))
	}
	return v
}

// --- values that may be anything ---

var keys = []string{"a", "b", "path", "list", "", "a/b", "0", "x y", "type", "__proto__"}

func (s *sim) key(n *noise) string {
	if s.k.has(Unicode) && n.chance(10) {
		return strings.ToValidUTF8(among(n, strangeWords), "?")
	}
	return among(n, keys)
}

var numbers = []string{"0", "1", "-1", "0.5", "42", "1e3", "1E-7", "-0", "3.141592653589793238", "9007199254740993"}

// anything is any JSON value but null.
func (s *sim) anything(n *noise, depth int) value {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch n.below(kinds) {
	case 0:
		return s.anyObject(n, depth-1)
	case 1:
		return literal(among(n, numbers))
	case 2:
		return boolean(n.chance(50))
	case 3:
		return str(s.prose(n))
	case 4:
		out := array()
		for range n.below(4) {
			out.list = append(out.list, s.anythingOrNull(n, depth-1))
		}
		return out
	}
	return s.anyObject(n, depth-1)
}

func (s *sim) anythingOrNull(n *noise, depth int) value {
	if n.chance(10) {
		return null
	}
	return s.anything(n, depth)
}

func (s *sim) anyObject(n *noise, depth int) value {
	out := empty
	if depth < 0 {
		return out
	}
	for range n.below(4) {
		out = out.with(s.key(n), s.anythingOrNull(n, depth))
	}
	return out
}
