package script

// The state, and the activities: documents that patches change.

func (t *teller) setState(v any) {
	t.state = v
	if states := t.run.States; !equal(states[len(states)-1], v) {
		t.run.States = append(states, v)
	}
}

func (t *teller) patchState(patch any) {
	after, err := applyOperations(t.state, patch)
	if err != nil {
		t.broken("the state's patch: %v", err)
		return
	}
	t.setState(after)
}

// An activity is a document that a response goes on with, from run to run.
type activity struct {
	typ     string
	content any
	owner   any
}

func (t *teller) activity(x *Activity) Order {
	content := t.decode(x.Content)
	var metadata any
	if x.Metadata != nil {
		metadata = t.decode(x.Metadata)
	}
	replace := x.Replace == nil || *x.Replace
	return t.sayActivity(x.ID, x.ID, activity{typ: x.Type, content: content, owner: t.owner}, metadata, replace)
}

// sayActivity tells an activity's content. Without replace it changes nothing but metadata of one that is known.
func (t *teller) sayActivity(name string, id any, now activity, metadata any, replace bool) Order {
	a := t.activities[name]
	switch {
	case a == nil:
		a = &activity{typ: now.typ, content: now.content, owner: now.owner}
		t.activities[name] = a
	case replace:
		a.typ, a.content, a.owner = now.typ, now.content, now.owner
	}
	return t.show(name, id, a, metadata)
}

func (t *teller) patchActivity(name string, id any, typ string, patch, metadata any) Order {
	a := t.activities[name]
	if a == nil {
		return t.broken("a patch for the activity %q, which is unknown", name)
	}
	content, err := applyOperations(a.content, patch)
	if err != nil {
		return t.broken("the patch for the activity %q: %v", name, err)
	}
	if _, ok := content.(map[string]any); !ok {
		return t.broken("the patch for the activity %q leaves no object", name)
	}
	a.typ, a.content = typ, content
	return t.show(name, id, a, metadata)
}

// show brings the run's item of an activity up to date; the first time it is told here.
func (t *teller) show(name string, id any, a *activity, metadata any) (first Order) {
	item := t.shown[name]
	if item == nil {
		item = messageItem(id, "activity")
		t.shown[name], first.Item = item, item
	}
	item["activityType"], item["content"] = a.typ, a.content
	delete(item, "owner")
	if a.owner != nil {
		item["owner"] = a.owner
	}
	mergeMetadata(item, metadata)
	return first
}

// restateActivities takes a snapshot's activities for what they are now. One that has any drops those that it leaves out.
func (t *teller) restateActivities(messages []any) {
	now := map[string]*activity{}
	for _, m := range messages {
		m, _ := m.(map[string]any)
		id, ok := m["id"].(string)
		if m["role"] != "activity" || !ok {
			continue
		}
		a := &activity{content: m["content"]}
		a.typ, _ = m["activityType"].(string)
		if owner, ok := m["subagentRunId"].(string); ok {
			a.owner = ID(owner)
		}
		now[id] = a
	}
	if len(now) > 0 {
		t.activities = now
	}
}
