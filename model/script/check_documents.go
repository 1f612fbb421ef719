package script

import (
	"slices"
	"strconv"

	"github.com/agentstream/conformance/baseline"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The shapes of the wire that scripts hold.
var (
	contentShape    = eventShape("TOOL_CALL_RESULT", "content")
	patchShape      = eventShape("STATE_DELTA", "delta")
	messagesShape   = eventShape("MESSAGES_SNAPSHOT", "messages")
	usageShape      = eventShape("RUN_FINISHED", "usage")
	interruptsShape = func() *baseline.Schema {
		o, _ := wire().Object("RunFinishedInterruptOutcome")
		m, _ := o.Member("interrupts")
		return &m.Schema
	}
)

// eventShape is the shape of an event's member. The baseline is read when it is asked for.
func eventShape(typ, name string) func() *baseline.Schema {
	return func() *baseline.Schema {
		e, _ := wire().Event(typ)
		m, _ := e.Member(name)
		return &m.Schema
	}
}

// shape checks a value of the wire.
func (c *checker) shape(v jsontext.Value, shape func() *baseline.Schema, token string) {
	c.value(v, token)
	c.within(func() {
		if err := conforms(decoded(v), shape()); err != nil {
			c.fail("not the shape of AG-UI 1.0%v", err)
		}
	}, token)
}

func (c *checker) stateSnapshot(s *StateSnapshot) {
	c.use("state", "")
	c.value(s.Snapshot, "snapshot")
	c.state, c.based = decoded(s.Snapshot), true
}

func (c *checker) stateDelta(s *StateDelta) {
	c.use("state", "")
	c.shape(s.Patch, patchShape, "patch")
	if !c.based {
		c.fail("a change of a state that this run has not said, after or in a replayed run")
	}
	if c.err != nil {
		return
	}
	after, err := applyPatch(c.state, s.Patch)
	if err != nil {
		c.fail("the patch does not apply: %v", err)
	}
	c.state = after
}

func (c *checker) activity(a *Activity) {
	c.value(a.Content, "content")
	c.value(a.Metadata, "metadata")
	m := c.messages[a.ID]
	replaces := a.Replace == nil || *a.Replace
	if m == nil {
		m = c.introduce(a.ID, anActivity)
		m.activity = a.Type
	} else {
		c.sameActivity(m, a.ID, a.Type)
		if !m.based && !replaces {
			c.fail("whether an earlier response's activity %q is replaced is for whoever remembers it", a.ID)
		}
	}
	if replaces || !m.based {
		m.content, m.based = decoded(a.Content), true
	}
	c.heard++
}

func (c *checker) sameActivity(m *knownMessage, id, typ string) {
	c.use(Messages, id)
	switch {
	case m.kind != anActivity:
		c.fail("%q is a %s already", id, m.kind)
	case m.activity != typ, m.owner != c.owner:
		c.fail("the activity %q comes again with another type or owner", id)
	}
}

func (c *checker) activityDelta(a *ActivityDelta) {
	c.shape(a.Patch, patchShape, "patch")
	m := c.messages[a.ID]
	if m == nil || !m.based {
		c.use(Messages, a.ID)
		c.fail("this response has not said the activity %q", a.ID)
		return
	}
	c.sameActivity(m, a.ID, a.Type)
	if c.err != nil {
		return
	}
	after, err := applyPatch(m.content, a.Patch)
	if err != nil {
		c.fail("the patch does not apply: %v", err)
	} else if _, ok := after.(map[string]any); !ok {
		c.fail("the patch leaves no object")
	}
	m.content = after
}

func (c *checker) messagesSnapshot(s *MessagesSnapshot) {
	c.shape(s.Messages, messagesShape, "messages")
	if len(c.branches) > 0 {
		c.fail("a snapshot of messages in parallel")
	}
	all := objectsOf(decoded(s.Messages))
	if slices.ContainsFunc(all, func(m map[string]any) bool { return m["role"] == "activity" }) {
		c.dropActivities()
	}
	seen := map[string]bool{}
	for i, m := range all {
		c.within(func() {
			if id := textOf(m, "id"); seen[id] {
				c.fail("a second message %q", id)
			}
			seen[textOf(m, "id")] = true
			c.restate(m)
		}, "messages", strconv.Itoa(i))
	}
	c.heard++
}

// dropActivities: a snapshot with activities has all that there are.
func (c *checker) dropActivities() {
	for _, m := range c.messages {
		m.based = false
	}
}

// restate takes one message of a snapshot.
func (c *checker) restate(m map[string]any) {
	id, now := textOf(m, "id"), listed(m)
	now.based = now.kind == anActivity
	if old := c.messages[id]; old != nil {
		now.carried = old.carried
		switch {
		case old.kind != now.kind:
			c.fail("%q is a %s already", id, old.kind)
		case old.open:
			c.fail("%q is restated while it is open", id)
		}
	}
	if owner, isSpan := c.spans[id]; isSpan && now.kind == aReasoning && owner != now.owner {
		c.fail("the span %q has another owner", id)
	}
	if k := c.calls[textOf(m, "toolCallId")]; now.kind == aResult && !now.carried && k != nil && k.run >= c.first && c.tools[k.name] {
		c.fail("the tool %q is the frontend's to answer", k.name)
	}
	c.messages[id] = now
	c.listCalls(m)
}

// emit checks an event that is sent as it is. It is legal on its own: it opens, continues and closes nothing.
func (c *checker) emit(e *Emit) {
	event, _ := decoded(e.Event).(map[string]any)
	typ := textOf(event, "type")
	if c.guard && typ == "RUN_ERROR" {
		c.fail("no guard has a reason to keep RUN_ERROR back")
	}
	c.value(e.Event, "event")
	before := c.err
	c.within(func() { c.event(e.Event, event, typ) }, "event")
	if c.guard && before == nil && c.err != nil && len(c.branches) == 0 {
		c.err, c.failed = nil, true // the guard ends the run
	}
}

func (c *checker) event(text jsontext.Value, event map[string]any, typ string) {
	shape, known := wire().Event(typ)
	if !known {
		c.fail("%q is no event", typ)
		return
	}
	if err := conformsObject(event, shape.Open, shape.Members); err != nil {
		c.fail("not the shape of AG-UI 1.0%v", err)
		return
	}
	owner := c.owner
	c.owner = ""
	if tag, ok := event["subagentRunId"].(string); ok {
		c.owner = "/" + tag
		c.use(Subagents, tag)
		if !c.agents[tag] {
			c.fail("the subagent %q has not begun", tag)
		}
	}
	c.says(text, typ)
	c.owner = owner
}

// says checks an event like the action that says the same.
func (c *checker) says(text jsontext.Value, typ string) {
	var e struct {
		MessageID    string         `json:"messageId"`
		ToolCallID   string         `json:"toolCallId"`
		ActivityType string         `json:"activityType"`
		Replace      *bool          `json:"replace"`
		Content      jsontext.Value `json:"content"`
		Snapshot     jsontext.Value `json:"snapshot"`
		Messages     jsontext.Value `json:"messages"`
		Delta        jsontext.Value `json:"delta"`
		Patch        jsontext.Value `json:"patch"`
	}
	if err := json.Unmarshal(text, &e); err != nil {
		c.fail("%v", err)
		return
	}
	switch typ {
	case "CUSTOM", "RAW":
		c.heard++
	case "TOOL_CALL_RESULT":
		switch k := c.calls[e.ToolCallID]; {
		case k == nil || k.run == 0:
		case k.run != c.runs:
			c.fail("the call %q is of another run, and not in the request", e.ToolCallID)
		case k.owner != c.owner:
			c.fail("the call %q has another owner, in whose lane chunks may still hold it open", e.ToolCallID)
		}
		c.toolResult(&ToolResult{ID: e.MessageID, Call: e.ToolCallID, Content: e.Content})
	case "STATE_SNAPSHOT":
		c.stateSnapshot(&StateSnapshot{Snapshot: e.Snapshot})
	case "STATE_DELTA":
		c.stateDelta(&StateDelta{Patch: e.Delta})
	case "MESSAGES_SNAPSHOT":
		c.messagesSnapshot(&MessagesSnapshot{Messages: e.Messages})
	case "ACTIVITY_SNAPSHOT":
		c.activity(&Activity{ID: e.MessageID, Type: e.ActivityType, Content: e.Content, Replace: e.Replace})
	case "ACTIVITY_DELTA":
		c.activityDelta(&ActivityDelta{ID: e.MessageID, Type: e.ActivityType, Patch: e.Patch})
	default:
		c.fail("%s is no event that stands alone", typ)
	}
}
