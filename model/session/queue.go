package session

import "slices"

// The queue: steering first, then follow-up.

func (s *sim) queued() int { return len(s.queue[0]) + len(s.queue[1]) }

// mayQueue says whether the queue may change now. While a turn waits for what it was promised, and while a run ends
// because there is nothing to go on with, it may not.
func (s *sim) mayQueue() bool { return !s.hold }

func (s *sim) queueUpdate() int {
	return s.emit(typed("queue_update", m("steering", strs(s.queue[0])), m("followUp", strs(s.queue[1]))))
}

func (s *sim) enqueue(list int, text string) {
	s.queue[list] = append(slices.Clone(s.queue[list]), text)
	s.queueUpdate()
}

// deliver takes messages from the queue into a turn that has begun.
func (s *sim) deliver() {
	list, due := s.nextInLine()
	for due {
		s.take(list)
		s.hold = false
		due = s.all[list] && len(s.queue[list]) > 0 && (list == 0 || len(s.queue[0]) == 0)
	}
	s.hold = false
}

// nextInLine says which list is due: steering at any turn, a follow-up where the run would end without it.
func (s *sim) nextInLine() (int, bool) {
	r := s.run
	idle := r.turns > 1 && len(r.last.calls) == 0
	switch {
	case !s.session() || s.abort && !s.hold:
		return 0, false
	case len(s.queue[0]) > 0:
		return 0, true
	case len(s.queue[1]) > 0:
		return 1, s.hold || idle && r.last.goesOn
	}
	return 0, false
}

// take moves the first of a list into the turn.
func (s *sim) take(list int) {
	text := s.queue[list][0]
	s.queue[list] = slices.Clone(s.queue[list][1:])
	hold := s.hold
	s.hold = true // the message comes before anything else is taken or cleared
	s.queueUpdate()
	s.hold = hold
	s.say(s.typedMessage(text))
}

// typedMessage is a queued text as a message, at times with an image.
func (s *sim) typedMessage(text string) message {
	content := array(typed("text", m("text", str(text))))
	if n := s.noise(); s.optional(n, 8) {
		content.list = append(content.list, s.image(n))
	}
	return message{"user", object(m("role", str("user")), m("content", content), m("timestamp", s.now()))}
}

// clear empties the queue at once.
func (s *sim) clear() [2][]string {
	was := s.queue
	s.queue = [2][]string{}
	s.queueUpdate()
	return was
}
