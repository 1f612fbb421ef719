package baseline

import "iter"

// Schemas yields every schema in the revision's events and objects, nested
// ones after the one that holds them. It does not follow Ref: what a Ref
// names is among the objects.
func (r *Revision) Schemas() iter.Seq[*Schema] {
	return func(yield func(*Schema) bool) {
		for i := range r.Events {
			if !walkMembers(r.Events[i].Members, yield) {
				return
			}
		}
		for i := range r.Objects {
			if !walkMembers(r.Objects[i].Members, yield) {
				return
			}
		}
	}
}

func walkMembers(members []Member, yield func(*Schema) bool) bool {
	for i := range members {
		if !walk(&members[i].Schema, yield) {
			return false
		}
	}
	return true
}

func walk(s *Schema, yield func(*Schema) bool) bool {
	if !yield(s) {
		return false
	}
	if s.Items != nil && !walk(s.Items, yield) {
		return false
	}
	for i := range s.OneOf {
		if !walk(&s.OneOf[i], yield) {
			return false
		}
	}
	return true
}
