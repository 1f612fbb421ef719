package materialise

import (
	"maps"
	"slices"
)

// spoken is an object of which deltas make up one string member. Where that is content in parts, as a
// user's message may have it, they go on with the text that ends it.
type spoken struct {
	fields map[string]any
	name   string // of the member
	said   []byte // what it is while on is set
	on     bool   // it is being spoken: the member is behind
}

func newSpoken(name string, fields map[string]any) spoken { return spoken{fields: fields, name: name} }

func (s *spoken) say(delta string) {
	if delta == "" {
		return
	}
	if !s.on {
		before, _ := s.holder()
		text, _ := before[s.member()].(string)
		s.said, s.on = []byte(text), true
	}
	s.said = append(s.said, delta...)
}

// settled returns the object with all that was said.
func (s *spoken) settled() map[string]any {
	if s.on {
		text := joined(s.said)
		if parts := s.parts(); parts != nil {
			s.fields[s.name] = s.ending(parts, text)
		} else {
			s.fields[s.name] = text
		}
		s.said, s.on = nil, false
	}
	return s.fields
}

// ending returns parts that end in that text. The old ones stay as they are: who else has the content
// has it as it was.
func (s *spoken) ending(parts []any, text string) []any {
	last, fresh := s.holder()
	if !fresh {
		parts = parts[:len(parts)-1]
	}
	last = maps.Clone(last)
	last["text"] = text
	return append(slices.Clip(parts), last)
}

func (s *spoken) parts() []any {
	parts, _ := s.fields[s.name].([]any)
	return parts
}

// member is where the holder has the text.
func (s *spoken) member() string {
	if s.parts() != nil {
		return "text"
	}
	return s.name
}

// holder is the object that has the text: this one, or the last part, which is fresh where the parts do
// not end in a text.
func (s *spoken) holder() (o map[string]any, fresh bool) {
	parts := s.parts()
	if parts == nil {
		return s.fields, false
	}
	if len(parts) > 0 {
		if last, _ := parts[len(parts)-1].(map[string]any); last["type"] == "text" {
			return last, false
		}
	}
	return map[string]any{"type": "text"}, true
}

// merge lays metadata over that of an object: key by key, the last write wins.
func merge(into map[string]any, metadata map[string]any) {
	if len(metadata) == 0 {
		return
	}
	if has, ok := into["metadata"].(map[string]any); ok {
		maps.Copy(has, metadata)
		return
	}
	into["metadata"] = maps.Clone(metadata)
}
