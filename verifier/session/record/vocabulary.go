package record

import (
	"slices"
	"sync"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier/assistant/shape"
)

// A vocabulary is what a release has, compiled from its tables.
type vocabulary struct {
	profile  string
	shapes   [typeCount]*shape.Object // nil where the profile has no such type
	request  *shape.Object
	commands map[string]*command
	types    map[string]Type // by name; those of hosts have names of their own
	hosts    map[string]Type
	fields   map[string]Field
}

// A command is what a success brings: nothing, or an object.
type command struct {
	data     *shape.Object // nil where it is not looked into
	gives    bool
	nullable bool
	optional bool // only some of the releases of the profile give it
}

var vocabularies = sync.OnceValue(func() map[string]*vocabulary {
	all := map[string]*vocabulary{}
	for _, profile := range pi.Profiles() {
		all[profile] = compile(profile)
	}
	return all
})

func compile(profile string) *vocabulary {
	v := &vocabulary{profile: profile, commands: map[string]*command{}, types: map[string]Type{}, hosts: map[string]Type{}, fields: map[string]Field{}}
	set := shape.Compile(profile, slices.Concat(pi.Agent(), pi.Session(), pi.Host()))
	for t := AgentStart; t < typeCount; t++ {
		v.shapes[t] = set.Event([]byte(t.String()))
		if t < Bind {
			v.types[t.String()] = t
		} else {
			v.hosts[t.String()] = t
		}
	}
	for f, name := range fieldNames {
		v.fields[name] = Field(f)
	}
	v.request = set.Shape("UIRequest")
	for _, c := range pi.Commands() {
		if pi.In(profile, c.Since, "") {
			gives := c.Data.Name != "" && pi.In(profile, c.Data.Since, "")
			v.commands[c.Type] = &command{gives: gives, nullable: c.Data.Nullable, optional: !c.Data.Required, data: set.Shape(c.Data.Of)}
		}
	}
	return v
}
