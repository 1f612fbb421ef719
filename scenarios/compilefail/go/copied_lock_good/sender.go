// Package sender keeps two senders of one stream apart.
package sender

import "sync"

type sender struct {
	turn sync.Mutex
	sent int
}

func (s *sender) send() {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.sent++
}

var _ = (*sender).send
