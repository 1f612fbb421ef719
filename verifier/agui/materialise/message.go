package materialise

import (
	"iter"
	"slices"
	"sync"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/scan"
)

// A message is one that the consumer holds. Its object is that of the wire, but for the calls.
type message struct {
	spoken
	id         string
	prev, next *message
	calls      []*heldCall
	results    *message // the last of the results put behind its calls, so that the next need not look for it
	content    *doc     // of an activity

	// made: no event has said the message, only a call that needs one. alone: the call named none.
	made, alone bool
}

// A heldCall is a tool call that an assistant message lists.
type heldCall struct {
	id       string
	fields   map[string]any // but for the function
	function spoken
	message  *message
}

// class says what a MESSAGES_SNAPSHOT that leaves a message out does to it.
type class uint8

const (
	conversational class = iota // it goes
	thought                     // it goes if the snapshot has reasoning
	active                      // it goes if the snapshot has activities
	classes
)

func classOf(role any) class {
	switch role {
	case "reasoning":
		return thought
	case "activity":
		return active
	}
	return conversational
}

func (m *message) role() any    { return m.fields["role"] }
func (m *message) class() class { return classOf(m.role()) }

func (m *message) owner() owner {
	tag, ok := m.fields["subagentRunId"].(string)
	return owner{tag, ok}
}

// A listing is one message of a list, with its JSON.
type listing struct {
	id     string
	raw    []byte
	fields map[string]any
}

// listed ranges over the messages of a list. Of a role that no message has, or without an id, there are
// none.
func listed(list []byte) iter.Seq[listing] {
	return func(yield func(listing) bool) {
		if len(list) == 0 || list[0] != '[' {
			return
		}
		for _, raw := range scan.EachElement(list) {
			fields, _ := valueOf(raw).(map[string]any)
			id, named := fields["id"].(string)
			role, _ := fields["role"].(string)
			if !named || !slices.Contains(roles(), role) {
				continue
			}
			if parts, ok := fields["content"].([]any); ok {
				fields["content"] = known(parts)
			}
			if !yield(listing{id, raw, fields}) {
				return
			}
		}
	}
}

// contentOf is content as a message has it: a string or parts.
func contentOf(raw []byte) any {
	v := valueOf(raw)
	if parts, ok := v.([]any); ok {
		return known(parts)
	}
	return v
}

// known leaves out parts of a type that a consumer does not know.
func known(parts []any) []any {
	return slices.DeleteFunc(parts, func(part any) bool {
		fields, _ := part.(map[string]any)
		name, _ := fields["type"].(string)
		return !slices.Contains(partTypes(), name)
	})
}

var (
	roles     = variants("Message")
	partTypes = variants("ContentPart")
)

// variants returns what the discriminator of a union may be.
func variants(union string) func() []string {
	return sync.OnceValue(func() (values []string) {
		u, ok := baseline.AGUI().Newest().Union(union)
		if !ok {
			panic("materialise: baseline has no union " + union)
		}
		for _, v := range u.Variants {
			values = append(values, v.Value)
		}
		return values
	})
}
