// Package stream is the queue between who makes a stream of events and who reads it, with the rules of the
// stream in between: an event that may not come fails its push, and with the same error whatever is waiting
// at the other end. It is di-code's EventStream in Go.
package stream

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// ErrEnded is the error of a push behind the event that ended the stream, where the rules do not say it.
var ErrEnded = errors.New("stream: the stream has ended")

// Rules say what a stream takes and what it comes to. They belong to one stream: what Validate remembers of
// it must not be shared with another.
type Rules[E, R any] struct {
	// Validate returns why an event may not come now; nil where it may. It is called once for each push, in
	// their order, until it returns an error.
	Validate func(E) error
	// IsTerminal reports whether an event, which Validate has let pass, ends the stream.
	IsTerminal func(E) bool
	// Result returns what the event that ends the stream gives.
	Result func(E) (R, error)
}

// A Stream is safe for concurrent use by producers and readers. Its queue has no bound, so a push never
// waits for a reader; each event goes to one reader.
type Stream[E, R any] struct {
	rules Rules[E, R]

	mu      sync.Mutex
	queue   []E
	failure error // of the first push that failed, or of Fail
	settled bool  // the result is known: value, or err
	value   R
	err     error
	changed chan struct{} // closed at the next change
}

// New returns a stream.
func New[E, R any](rules Rules[E, R]) *Stream[E, R] {
	return &Stream[E, R]{rules: rules, changed: make(chan struct{})}
}

// Push gives an event to the readers. The first one that may not come is the end of the stream: this push,
// every later one, the readers once they have read what came before, and the result have the same error. An
// event that comes when the stream has ended well fails the pushes alone.
func (s *Stream[E, R]) Push(e E) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return s.failure
	}
	if err := s.take(e); err != nil {
		s.fail(err)
	}
	return s.failure
}

func (s *Stream[E, R]) take(e E) error {
	if err := s.rules.Validate(e); err != nil {
		return err
	}
	if s.settled {
		return ErrEnded
	}
	if s.rules.IsTerminal(e) {
		value, err := s.rules.Result(e)
		if err != nil {
			return err
		}
		s.settled, s.value = true, value
	}
	s.queue = append(s.queue, e)
	s.wake()
	return nil
}

// Fail ends the stream with an error of the producer's, as a push that fails would.
func (s *Stream[E, R]) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.fail(err)
	}
}

func (s *Stream[E, R]) fail(err error) {
	s.failure = err
	if !s.settled {
		s.settled, s.err = true, err
		s.wake()
	}
}

func (s *Stream[E, R]) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Next waits for the next event. It returns false behind the last, with the error where the stream failed,
// and the context's where that ended the waiting.
func (s *Stream[E, R]) Next(ctx context.Context) (e E, ok bool, err error) {
	for {
		s.mu.Lock()
		changed := s.changed
		if len(s.queue) > 0 {
			e, s.queue = s.queue[0], s.queue[1:]
			s.mu.Unlock()
			return e, true, nil
		}
		settled, err := s.settled, s.err
		s.mu.Unlock()
		if settled {
			return e, false, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return e, false, ctx.Err()
		}
	}
}

// All ranges over the events. The last pair has the error where the stream failed.
func (s *Stream[E, R]) All(ctx context.Context) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		for {
			e, ok, err := s.Next(ctx)
			if !ok {
				if err != nil {
					yield(e, err)
				}
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Result waits for what the stream comes to. It needs no reader.
func (s *Stream[E, R]) Result(ctx context.Context) (R, error) {
	for {
		s.mu.Lock()
		changed, settled, value, err := s.changed, s.settled, s.value, s.err
		s.mu.Unlock()
		if settled {
			return value, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
}
