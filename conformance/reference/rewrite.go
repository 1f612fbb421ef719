package reference

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// A rewriter makes of each event what goes out in its place. It is for one response and may remember what it saw.
type rewriter func(e event) []event

// A change is what becomes of one event.
type change func(e event) []event

// rewriting returns habits that rewrite, one after the other.
func rewriting(all ...func() rewriter) habits {
	return habits{rewrite: func() rewriter {
		steps := make([]rewriter, len(all))
		for i, make := range all {
			steps[i] = make()
		}
		return func(e event) []event {
			events := []event{e}
			for _, step := range steps {
				var next []event
				for _, e := range events {
					next = append(next, step(e)...)
				}
				events = next
			}
			return events
		}
	}}
}

// --- which events ---

// nth changes the nth event of a type, from 1.
func nth(n int, t baseline.EventType, c change) func() rewriter {
	return func() rewriter {
		seen := 0
		return func(e event) []event {
			if !e.is(t) {
				return []event{e}
			}
			if seen++; seen != n {
				return []event{e}
			}
			return c(e)
		}
	}
}

func first(t baseline.EventType, c change) func() rewriter  { return nth(1, t, c) }
func second(t baseline.EventType, c change) func() rewriter { return nth(2, t, c) }

// every changes all events.
func every(c change) func() rewriter { return func() rewriter { return rewriter(c) } }

// all changes all events of a type.
func all(t baseline.EventType, c change) func() rewriter {
	return every(func(e event) []event {
		if e.is(t) {
			return c(e)
		}
		return []event{e}
	})
}

// about changes all events that name an id, be it of a message, a call, a subagent or a step.
func about(id string, c change) func() rewriter {
	return every(func(e event) []event {
		for _, name := range []string{"messageId", "toolCallId", "subagentRunId", "stepName", "entityId"} {
			if e.get(name) != nil && e.text(name) == id {
				return c(e)
			}
		}
		return []event{e}
	})
}

// --- what becomes of them ---

func dropped(event) []event { return nil }

func doubled(e event) []event { return []event{e, e} }

// given sets a member, which is JSON.
func given(name, value string) change {
	return func(e event) []event { return []event{e.set(name, jsontext.Value(value))} }
}

func lacking(name string) change {
	return func(e event) []event { return []event{e.without(name)} }
}

// followed puts events behind one, preceded before it. They are JSON; what is no object goes out as it is.
func followed(by ...string) change {
	return func(e event) []event { return append([]event{e}, events(by)...) }
}

func preceded(by ...string) change {
	return func(e event) []event { return append(events(by), e) }
}

func replaced(by ...string) change {
	return func(event) []event { return events(by) }
}

func events(all []string) []event {
	out := make([]event, len(all))
	for i, text := range all {
		if jsontext.Value(text).Kind() == '{' && jsontext.Value(text).IsValid() {
			out[i] = parse(jsontext.Value(text))
		} else {
			out[i] = event{bytes: []byte(text)}
		}
	}
	return out
}

// spelled replaces a part of an event's bytes.
func spelled(old, new string) change {
	return func(e event) []event {
		return []event{{bytes: bytes.Replace(e.json(), []byte(old), []byte(new), 1)}}
	}
}

// renamed replaces an id, wherever in an event it stands as a whole string.
func renamed(old, new string) func() rewriter {
	return every(func(e event) []event {
		return []event{parse(jsontext.Value(strings.ReplaceAll(string(e.json()), string(encoded(old)), string(encoded(new)))))}
	})
}

// late holds back the events that match until one of a type has gone out behind them.
func late(t baseline.EventType, matches func(e event) bool) func() rewriter {
	return func() rewriter {
		var held []event
		released := false
		return func(e event) []event {
			switch {
			case released:
				return []event{e}
			case matches(e):
				held = append(held, e)
				return nil
			case e.is(t) && held != nil:
				released = true
				return append([]event{e}, held...)
			}
			return []event{e}
		}
	}
}
