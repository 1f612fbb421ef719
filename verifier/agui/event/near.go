package event

import "github.com/agentstream/conformance/verifier"

// nearest returns the event type of the revision that a misspelt one may stand for.
func (s *shapes) nearest(name string) string {
	var names []string
	for _, o := range s.events {
		if o != nil {
			names = append(names, o.name)
		}
	}
	return verifier.Nearest(name, names)
}

// nearest returns the member that a misspelt one may stand for.
func (o *object) nearest(name string) string {
	var names []string
	for i := range o.members {
		names = append(names, o.members[i].name)
	}
	return verifier.Nearest(name, names)
}
