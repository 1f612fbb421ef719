package materialise

import (
	"github.com/agentstream/conformance/verifier/agui/document"
)

// activitySnapshot makes an activity, replaces one, or leaves it as it is but for metadata.
func (s *Stream) activitySnapshot(e *event) {
	id, ok := e.text("messageId")
	content := e.object("content")
	if !ok || content == nil {
		return
	}
	replace := e.raw("replace")
	m := s.held.activity(id)
	if m == nil || string(replace) != "false" {
		m = s.held.setActivity(id, content, e.owner())
		copyTexts(m.fields, e, "activityType", "activityType")
	}
	s.touch(m, e)
}

func (s *Stream) activityDelta(e *event) {
	id, _ := e.text("messageId")
	m, patch := s.held.activity(id), e.list("patch")
	if m == nil || patch == nil {
		return
	}
	if m.content.apply(patch, (*document.Document).ApplyToObject) {
		copyTexts(m.fields, e, "activityType", "activityType")
	}
	s.touch(m, e)
}

// touch notes in the run what an activity has become. It is one item, where the run first speaks of it,
// even if a snapshot has dropped it since and it was made anew.
func (s *Stream) touch(m *message, e *event) {
	merge(m.fields, e.metadata())
	r := s.runs[len(s.runs)-1]
	it := r.activities[m.id]
	if it == nil {
		it = s.add("message", map[string]any{"id": m.id, "role": "activity"})
		r.activities[m.id] = it
	}
	copyMembers(it.fields, m.fields, "activityType", "activityType")
	m.owner().note(it.fields, "owner")
	it.content = m.content
	merge(it.fields, e.metadata())
}

// settleActivities gives the items of activities the content that the run leaves.
func (s *Stream) settleActivities(r *run) {
	for _, it := range r.items {
		if it.content == nil {
			continue
		}
		if v, ok := s.readDoc(it.content); ok {
			it.fields["content"] = v
		}
	}
}
