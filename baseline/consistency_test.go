package baseline

import (
	"slices"
	"testing"
)

func TestEveryNameResolvesInItsRevision(t *testing.T) {
	for i := range AGUI().Revisions {
		r := &AGUI().Revisions[i]
		used := map[string]bool{}
		for s := range r.Schemas() {
			for _, ref := range refs(s) {
				used[ref] = true
				if _, ok := r.Object(ref); !ok {
					t.Errorf("%s: no object %s", r.Name, ref)
				}
			}
		}
		for _, o := range r.Objects {
			if !used[o.Name] {
				t.Errorf("%s: nothing refers to %s", r.Name, o.Name)
			}
		}
	}
}

func refs(s *Schema) []string {
	var names []string
	if s.Kind == KindRef {
		names = append(names, s.Ref)
	}
	for _, v := range s.Variants {
		names = append(names, v.Ref)
	}
	return names
}

func TestAVariantIsToldByAConstantOfItsObject(t *testing.T) {
	for i := range AGUI().Revisions {
		r := &AGUI().Revisions[i]
		for s := range r.Schemas() {
			for _, v := range s.Variants {
				o, _ := r.Object(v.Ref)
				m, ok := o.Member(s.Discriminator)
				if !ok || !m.Required || !slices.Equal(m.Schema.Enum, []string{v.Value}) {
					t.Errorf("%s %s: %s is not told by %s = %q", r.Name, s.Name, v.Ref, s.Discriminator, v.Value)
				}
			}
		}
	}
}

func TestASchemaHasTheFieldsOfItsKind(t *testing.T) {
	for i := range AGUI().Revisions {
		r := &AGUI().Revisions[i]
		for s := range r.Schemas() {
			if !fits(s) {
				t.Errorf("%s: %+v", r.Name, *s)
			}
		}
	}
}

func fits(s *Schema) bool {
	narrowed := s.Enum != nil || s.Pattern != ""
	bounded := s.Min != nil || s.Max != nil
	named := s.Name != "" && s.Discriminator != "" && len(s.Variants) > 0
	switch s.Kind {
	case KindAny, KindBoolean, KindObject, KindNumber:
		return !narrowed && !bounded && !named
	case KindString:
		return !bounded
	case KindInteger:
		return !narrowed
	case KindArray:
		return s.Items != nil
	case KindRef:
		return s.Ref != ""
	case KindUnion:
		return named
	case KindOneOf:
		return len(s.OneOf) > 1
	}
	return false
}

func TestSinceAndUntilSayWhichRevisionsHaveAnEvent(t *testing.T) {
	retired := []string{"THINKING_START", "THINKING_END", "THINKING_TEXT_MESSAGE_START", "THINKING_TEXT_MESSAGE_CONTENT", "THINKING_TEXT_MESSAGE_END"}
	for _, r := range AGUI().Revisions {
		for _, e := range r.Events {
			until := ""
			if slices.Contains(retired, e.Type) {
				until = "0.x"
			}
			if e.Since != "0.x" || e.Until != until {
				t.Errorf("%s %s: since %q until %q, want since 0.x until %q", r.Name, e.Type, e.Since, e.Until, until)
			}
		}
	}
}

// Member's Since and Until are held against the revisions themselves.
func TestSinceAndUntilSayWhichRevisionsHaveAMember(t *testing.T) {
	p := AGUI()
	for i := range p.Revisions {
		r := &p.Revisions[i]
		for _, e := range r.Events {
			checkLifetimes(t, r, e.Type, e.Members)
		}
		for _, o := range r.Objects {
			checkLifetimes(t, r, o.Name, o.Members)
		}
	}
}

func checkLifetimes(t *testing.T, r *Revision, owner string, list []Member) {
	t.Helper()
	for _, m := range list {
		var in []string
		for i := range AGUI().Revisions {
			if _, ok := memberOf(&AGUI().Revisions[i], owner, m.Name); ok {
				in = append(in, AGUI().Revisions[i].Name)
			}
		}
		since, until := in[0], in[len(in)-1]
		if until == AGUI().Newest().Name {
			until = ""
		}
		if m.Since != since || m.Until != until {
			t.Errorf("%s %s.%s: since %q until %q, want %q and %q", r.Name, owner, m.Name, m.Since, m.Until, since, until)
		}
	}
}

// A reader of 1.0 must put up with these nulls, and they are exactly the ones
// that became illegal between the revisions.
func TestLegacyNullsAreThoseThat0xAllowed(t *testing.T) {
	want := []string{
		"AudioPart.metadata", "DocumentPart.metadata", "ImagePart.metadata", "ResumeEntry.payload",
		"RUN_FINISHED.outcome", "RUN_FINISHED.result", "RunAgentInput.forwardedProps", "RunAgentInput.state",
		"SUBAGENT_FINISHED.result", "TOOL_CALL_CHUNK.parentMessageId", "TOOL_CALL_START.parentMessageId",
		"Tool.parameters", "VideoPart.metadata",
	}
	old, _ := AGUI().Revision("0.x")
	var got []string
	collect := func(owner string, list []Member) {
		for _, m := range list {
			now, ok := memberOf(AGUI().Newest(), owner, m.Name)
			if ok && m.Nullable && !now.Nullable && m.Name != "rawEvent" {
				got = append(got, owner+"."+m.Name)
			}
		}
	}
	for _, e := range old.Events {
		collect(e.Type, e.Members)
	}
	for _, o := range old.Objects {
		collect(o.Name, o.Members)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// membersOf returns the members of an event or object.
func membersOf(r *Revision, owner string) ([]Member, bool) {
	if e, ok := r.Event(owner); ok {
		return e.Members, true
	}
	if o, ok := r.Object(owner); ok {
		return o.Members, true
	}
	return nil, false
}

func memberOf(r *Revision, owner, name string) (*Member, bool) {
	list, _ := membersOf(r, owner)
	return member(list, name)
}

func TestEventTypesCountInTheOrderOfTheEvents(t *testing.T) {
	events := AGUI().Events()
	if len(events) != EventTypeCount {
		t.Fatalf("%d events, %d event types", len(events), EventTypeCount)
	}
	for i, e := range events {
		typ := EventType(i + 1)
		if typ.String() != e.Type || EventTypeOf([]byte(e.Type)) != typ {
			t.Errorf("%s: type %d is %q", e.Type, typ, typ.String())
		}
	}
	if EventTypeOf([]byte("text_message_start")) != 0 || EventTypeOf(nil) != 0 || EventType(0).String() != "" {
		t.Error("an unknown name has a type")
	}
}

func TestEventTypeOfDoesNotAllocate(t *testing.T) {
	name := []byte("REASONING_ENCRYPTED_VALUE")
	if n := testing.AllocsPerRun(100, func() { EventTypeOf(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
