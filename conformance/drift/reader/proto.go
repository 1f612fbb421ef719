package reader

import (
	"slices"
	"strings"

	"github.com/emicklei/proto"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var protobuf = Reader{
	Name:        "proto",
	Language:    "Protocol Buffers",
	Optionality: "`optional` of scalars and `oneof`; messages, lists and maps say nothing",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".proto") },
	Read:        readProto,
}

type protoSource struct {
	messages map[string]*protoMessage
	order    []*protoMessage
	enums    []*enum
	events   *enum
	known    func(string) bool
}

type protoMessage struct {
	*proto.Message
	file string
}

func readProto(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &protoSource{messages: map[string]*protoMessage{}, known: known}
	for _, f := range files {
		if err := token.Readable([]byte(f.Text)); err != nil {
			damage(sdk, f, err)
			continue
		}
		sdk.Files++
		parser := proto.NewParser(strings.NewReader(f.Text))
		parser.Filename(f.Path)
		parsed, err := parser.Parse()
		if err != nil {
			damage(sdk, f, &token.Error{Reason: strings.TrimPrefix(err.Error(), f.Path+":")})
		}
		if parsed != nil {
			s.declared(f.Path, parsed.Elements)
		}
	}
	s.events = eventTypes(s.enums, known)
	if s.events != nil {
		sdk.Listed = s.events.members
	}
	sdk.Payloads = s.payloads()
	for _, m := range s.order {
		isEvent := slices.ContainsFunc(sdk.Payloads, func(p vocabulary.Payload) bool { return p.Name == m.Name })
		if x, ok := shape(m.Name, m.file, m.Position.Line, s.object(m, 0)); ok && !isEvent {
			sdk.Shapes = append(sdk.Shapes, x)
		}
	}
	return sdk
}

func (s *protoSource) declared(file string, list []proto.Visitee) {
	for _, x := range list {
		switch x := x.(type) {
		case *proto.Message:
			if !x.IsExtend {
				m := &protoMessage{x, file}
				s.messages[x.Name] = m
				s.order = append(s.order, m)
				s.declared(file, x.Elements)
			}
		case *proto.Enum:
			s.enum(file, x)
		}
	}
}

func (s *protoSource) enum(file string, x *proto.Enum) {
	e := &enum{name: x.Name}
	prefix := strings.ToUpper(snake(x.Name)) + "_" // EVENT_TYPE_RUN_STARTED of EventType
	for _, member := range x.Elements {
		if f, ok := member.(*proto.EnumField); ok {
			value := f.Name
			if !s.known(value) {
				value = strings.TrimPrefix(value, prefix)
			}
			e.members = append(e.members, vocabulary.Listed{Value: value, Name: f.Name, At: vocabulary.Place{File: file, Line: f.Position.Line}})
		}
	}
	s.enums = append(s.enums, e)
}

// payloads returns the messages of the oneof that has most events, and those that
// share their base but are not in it.
func (s *protoSource) payloads() []vocabulary.Payload {
	values := s.oneof()
	bases := map[string]int{}
	for _, m := range s.order {
		if _, ok := values[m.Name]; ok {
			for _, f := range s.plain(m) {
				if s.isBase(f.Type) {
					bases[f.Type]++
				}
			}
		}
	}
	var out []vocabulary.Payload
	for _, m := range s.order {
		value, used := values[m.Name]
		shares := false
		for _, f := range s.plain(m) {
			shares = shares || bases[f.Type] > 0
		}
		if used || shares {
			o := s.object(m, 0)
			out = append(out, vocabulary.Payload{
				Name: m.Name, Value: value, At: vocabulary.Place{File: m.file, Line: m.Position.Line}, Fields: o.fields, Unparsed: o.problem, Unused: !used,
			})
		}
	}
	return settle(out)
}

// oneof returns the event of each message of the oneof of events, by the message's name.
func (s *protoSource) oneof() map[string]string {
	var best map[string]string
	most := 1
	for _, m := range s.order {
		for _, x := range m.Elements {
			o, ok := x.(*proto.Oneof)
			if !ok {
				continue
			}
			values := map[string]string{}
			n := 0
			for _, f := range o.Elements {
				if f, ok := f.(*proto.OneOfField); ok && s.find(f.Type) != nil {
					value := strings.ToUpper(f.Name)
					values[s.find(f.Type).Name] = value
					if s.known(value) {
						n++
					}
				}
			}
			if n > most {
				best, most = values, n
			}
		}
	}
	return best
}

// find returns the message that a type means, without its package.
func (s *protoSource) find(typ string) *protoMessage {
	return s.messages[typ[strings.LastIndex(typ, ".")+1:]]
}

func (s *protoSource) plain(m *protoMessage) []*proto.NormalField {
	var out []*proto.NormalField
	for _, x := range m.Elements {
		if f, ok := x.(*proto.NormalField); ok {
			out = append(out, f)
		}
	}
	return out
}

// isBase: a message that has the discriminator is what each event holds, and its
// fields are the event's.
func (s *protoSource) isBase(typ string) bool {
	m := s.find(typ)
	if m == nil || s.events == nil {
		return false
	}
	for _, f := range s.plain(m) {
		if f.Type[strings.LastIndex(f.Type, ".")+1:] == s.events.name {
			return true
		}
	}
	return false
}

func (s *protoSource) object(m *protoMessage, depth int) object {
	var o object
	if depth > 10 {
		return object{problem: problem(m.file, m.Position.Line, "%s holds itself", m.Name)}
	}
	add := func(f *proto.Field, p vocabulary.Presence) {
		o.fields = o.fields.set(vocabulary.Field{Name: jsonName(f), Presence: p, At: vocabulary.Place{File: m.file, Line: f.Position.Line}})
	}
	for _, x := range m.Elements {
		switch x := x.(type) {
		case *proto.NormalField:
			if s.isBase(x.Type) && !x.Repeated {
				o.merge(s.object(s.find(x.Type), depth+1))
				continue
			}
			add(x.Field, s.presence(x))
		case *proto.MapField:
			add(x.Field, vocabulary.Unsaid)
		case *proto.Oneof:
			for _, f := range x.Elements {
				if f, ok := f.(*proto.OneOfField); ok {
					add(f.Field, vocabulary.Optional)
				}
			}
		case *proto.Group:
			o.fail(problem(m.file, x.Position.Line, "a group"))
		}
	}
	return o
}

var protoScalars = "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes"

func (s *protoSource) presence(f *proto.NormalField) vocabulary.Presence {
	scalar := strings.Contains(" "+protoScalars+" ", " "+f.Type+" ")
	isEnum := s.events != nil && f.Type[strings.LastIndex(f.Type, ".")+1:] == s.events.name
	switch {
	case f.Optional:
		return vocabulary.Optional
	case f.Required, !f.Repeated && (scalar || isEnum):
		return vocabulary.Required
	}
	return vocabulary.Unsaid
}

// jsonName is the name that protobuf's JSON gives a field.
func jsonName(f *proto.Field) string {
	for _, o := range f.Options {
		if o.Name == "json_name" {
			return o.Constant.Source
		}
	}
	return lowerCamel(f.Name)
}
