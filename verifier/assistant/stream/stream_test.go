package stream_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/stream"
)

const (
	start     = `{"type":"start"}`
	textStart = `{"type":"text_start","contentIndex":0}`
	textDelta = `{"type":"text_delta","contentIndex":0,"delta":"hi"}`
	textEnd   = `{"type":"text_end","contentIndex":0,"content":"hi"}`
	message   = `{"role":"assistant","content":[{"type":"text","text":"hi"}],"stopReason":"stop"}`
	done      = `{"type":"done","reason":"stop","message":` + message + `}`
	wrongEnd  = `{"type":"text_end","contentIndex":0,"content":"ho"}`
)

func diCode(t *testing.T) *stream.Judge {
	t.Helper()
	s, err := stream.Judged(assistant.Options{Profile: assistant.DiCode})
	assert.NilError(t, err)
	return s
}

func push(t *testing.T, s *stream.Judge, events ...string) {
	t.Helper()
	for _, e := range events {
		assert.NilError(t, s.Push([]byte(e)))
	}
}

// read reads to the end and returns the events and the error behind them.
func read(t *testing.T, s *stream.Judge) (events string, err error) {
	t.Helper()
	for e, failed := range s.All(t.Context()) {
		if err = failed; err == nil {
			events += string(e) + "\n"
		}
	}
	return events, err
}

func lines(events ...string) string { return strings.Join(events, "\n") + "\n" }

func TestALegalStreamIsReadAndComesToItsMessage(t *testing.T) {
	s := diCode(t)
	push(t, s, start, textStart, textDelta, textEnd, done)
	events, err := read(t, s)
	assert.NilError(t, err)
	assert.Equal(t, events, lines(start, textStart, textDelta, textEnd, done))
	got, err := s.Result(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(got), message)
	events, err = read(t, s)
	assert.NilError(t, err)
	assert.Equal(t, events, "", "each event is read once")
}

// The first illegal event is final, though the rules alone would take the legal one behind it.
func TestTheFirstIllegalEventFailsPushReaderResultAndLaterPushes(t *testing.T) {
	s := diCode(t)
	push(t, s, start, textStart, textDelta)
	failed := s.Push([]byte(wrongEnd))
	var sequence *stream.SequenceError
	assert.Assert(t, errors.As(failed, &sequence))
	assert.Equal(t, sequence.Violation.Code, "content-mismatch")
	assert.Equal(t, sequence.Violation.Index, 3)
	assert.ErrorContains(t, failed, "event 3 (text_end): content-mismatch: ")
	assert.Equal(t, s.Push([]byte(textEnd)), failed)
	events, err := read(t, s)
	assert.Equal(t, err, failed)
	assert.Equal(t, events, lines(start, textStart, textDelta), "what came before is read")
	_, err = s.Result(t.Context())
	assert.Equal(t, err, failed)
}

func TestAReaderAndAResultThatWaitAreFailed(t *testing.T) {
	s := diCode(t)
	push(t, s, start)
	_, ok, err := s.Next(t.Context())
	assert.NilError(t, err)
	assert.Assert(t, ok)
	var waiting sync.WaitGroup
	errs := make([]error, 2)
	waiting.Go(func() { _, _, errs[0] = s.Next(t.Context()) })
	waiting.Go(func() { _, errs[1] = s.Result(t.Context()) })
	failed := s.Push([]byte(start))
	waiting.Wait()
	assert.ErrorContains(t, failed, "duplicate-stream-start")
	assert.Equal(t, errs[0], failed)
	assert.Equal(t, errs[1], failed)
}

func TestAnEventBehindTheEndFailsPushesAlone(t *testing.T) {
	s := diCode(t)
	push(t, s, start, textStart, textDelta, textEnd, done)
	failed := s.Push([]byte(start))
	assert.ErrorContains(t, failed, "stream-ended")
	assert.Equal(t, s.Push([]byte(done)), failed)
	events, err := read(t, s)
	assert.NilError(t, err)
	assert.Equal(t, strings.Count(events, "\n"), 5)
	got, err := s.Result(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(got), message)
}

func TestAWarningFailsNothing(t *testing.T) {
	s := diCode(t)
	push(t, s, start, textStart, `{"type":"text_delta","contentIndex":0}`, `{"type":"text_end","contentIndex":0,"content":"undefined"}`)
}

// Two streams that are made at once share no phase, index or text.
func TestStreamsAreIsolated(t *testing.T) {
	var makers sync.WaitGroup
	for i := range 8 {
		makers.Go(func() {
			s, err := stream.Judged(assistant.Options{Profile: assistant.DiCode})
			if err != nil {
				t.Error(err)
				return
			}
			text := strings.Repeat("x", i)
			for _, e := range []string{
				start, textStart, fmt.Sprintf(`{"type":"text_delta","contentIndex":0,"delta":%q}`, text), fmt.Sprintf(`{"type":"text_end","contentIndex":0,"content":%q}`, text),
				fmt.Sprintf(`{"type":"error","reason":"aborted","message":{"role":"assistant","content":[{"type":"text","text":%q}],"stopReason":"aborted"}}`, text),
			} {
				if err := s.Push([]byte(e)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	makers.Wait()
}

func TestWhatWasPushedMayBeChanged(t *testing.T) {
	s := diCode(t)
	for _, e := range []string{start, textStart, textDelta, textEnd, done} {
		bytes := []byte(e)
		assert.NilError(t, s.Push(bytes))
		clear(bytes)
	}
	events, err := read(t, s)
	assert.NilError(t, err)
	assert.Equal(t, events, lines(start, textStart, textDelta, textEnd, done))
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	s := diCode(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, ok, err := s.Next(ctx)
	assert.Assert(t, !ok)
	assert.Equal(t, err, context.Canceled)
	_, err = s.Result(ctx)
	assert.Equal(t, err, context.Canceled)
}

func TestAProducerMayFailItsStream(t *testing.T) {
	s := diCode(t)
	push(t, s, start)
	lost := errors.New("connection lost")
	s.Fail(lost)
	s.Fail(errors.New("later"))
	assert.Equal(t, s.Push([]byte(textStart)), lost)
	events, err := read(t, s)
	assert.Equal(t, err, lost)
	assert.Equal(t, events, lines(start))
	_, err = s.Result(t.Context())
	assert.Equal(t, err, lost)
}

// The queue knows nothing of JSON: any events will do, and any rules.
func TestRulesMayBeOfAnyKind(t *testing.T) {
	make := func() *stream.Stream[int, string] {
		last := 0
		return stream.New(stream.Rules[int, string]{
			Validate: func(n int) error {
				if n < last {
					return fmt.Errorf("%d after %d", n, last)
				}
				last = n
				return nil
			},
			IsTerminal: func(n int) bool { return n >= 10 },
			Result: func(n int) (string, error) {
				if n > 10 {
					return "", errors.New("too far")
				}
				return fmt.Sprint("ended at ", n), nil
			},
		})
	}
	s := make()
	for _, n := range []int{1, 5, 10} {
		assert.NilError(t, s.Push(n))
	}
	got, err := s.Result(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, got, "ended at 10")
	assert.Equal(t, s.Push(10), stream.ErrEnded)

	s = make()
	assert.NilError(t, s.Push(3))
	assert.Error(t, s.Push(2), "2 after 3")
	assert.Error(t, s.Push(4), "2 after 3")

	s = make()
	assert.Error(t, s.Push(11), "too far")
	_, err = s.Result(t.Context())
	assert.Error(t, err, "too far")
}

func TestAStreamOfPiWithoutAMessageComesToItsEnd(t *testing.T) {
	s, err := stream.Judged(assistant.Options{})
	assert.NilError(t, err)
	end := ` {"type":"error","reason":"error","usage":{"input":1,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":1,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`
	push(t, s, end)
	got, err := s.Result(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, string(got), end)
	_, err = stream.Judged(assistant.Options{Profile: "other"})
	assert.ErrorContains(t, err, "no profile")
}
