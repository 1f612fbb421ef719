package reference

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/subject"
)

// send sends what shows a habit, opens the gates that the run comes to, and returns what came.
func send(t *testing.T, h Habit, l subject.Limits) *subject.Response {
	t.Helper()
	address := serve(t, Options{Habit: h.Name})
	s, err := subject.NewHTTP(address, nil, l)
	assert.NilError(t, err)
	t.Cleanup(func() { s.Close() })
	body := requestOf(t, h.Script, h.Input)
	if h.Abort != "" {
		hangUp(t, address, body)
	}
	if h.Body != "" {
		body = []byte(h.Body)
	}
	open := false
	p, err := s.Send(t.Context(), &subject.Request{Body: body, Event: func(data []byte, c *subject.Call) {
		if h.Script == waiting && !open && bytes.Contains(data, []byte("TEXT_MESSAGE_END")) {
			open = true
			assert.Check(t, c.Open("r/a"))
		}
	}})
	assert.NilError(t, err)
	return p
}

func TestFaultsOfTheConnectionAreSeenByAClient(t *testing.T) {
	for _, h := range Faults() {
		if h.Cause == Rule || h.Cause == Unfaithful {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			l := subject.DefaultLimits()
			l.Request, l.Events = 10*time.Second, 1000
			if h.Cause == LimitTime {
				l.Request = 300 * time.Millisecond
			}
			p := send(t, h, l)
			switch h.Cause {
			case HTTP:
				wellAnswered := p.Status == http.StatusOK && p.IsStream()
				assert.Equal(t, wellAnswered, h.Body != "", "%d %v", p.Status, p.Header)
			case Status501:
				assert.Equal(t, p.Status, 501)
			case Expectation:
				assert.Equal(t, p.Cause, subject.Cause(""))
				assert.Assert(t, !strings.Contains(string(p.Events[0]), `"protocolVersion":"1.0"`), "%s", p.Events[0])
			default:
				assert.Equal(t, string(p.Cause), string(h.Cause), "%s", p.Detail)
			}
		})
	}
}

// What such a script gets from an agent without faults.
func TestWithoutAFaultTheConnectionIsFine(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range Faults() {
		if h.Cause == Rule || h.Cause == Unfaithful || h.Body != "" || seen[h.Script+h.Input] {
			continue
		}
		seen[h.Script+h.Input] = true
		right := h
		right.Name, right.Abort = "", ""
		p := send(t, right, subject.DefaultLimits())
		assert.Equal(t, p.Status, 200)
		assert.Equal(t, p.Cause, subject.Cause(""), "%s", p.Detail)
		assert.Assert(t, cmp.Contains(string(p.Events[0]), `"protocolVersion":"1.0"`))
		var events []string
		for _, e := range p.Events {
			events = append(events, string(e))
		}
		assertLegal(t, events, requestOf(t, h.Script, h.Input))
	}
}

func TestASlowAgentIsOnlySlow(t *testing.T) {
	began := time.Now()
	h, _ := find("slow")
	p := send(t, h, subject.DefaultLimits())
	assert.Equal(t, p.Cause, subject.Cause(""))
	assert.Assert(t, time.Since(began) >= time.Duration(len(p.Events))*slowly)
}

func TestThereIsNoHabitOfAnotherName(t *testing.T) {
	defer func() { assert.Assert(t, recover() != nil) }()
	New(Options{Habit: "rude"})
}
