package reference

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// checkInput says where a value is no RunAgentInput. What the protocol does not know is no fault: members, and elements of
// lists that are of an unknown kind. A null where any value may stand counts as absent: older clients sent it.
func checkInput(v jsontext.Value) error {
	o, _ := baseline.AGUI().Newest().Object("RunAgentInput")
	return checkObject(v, o)
}

func checkObject(v jsontext.Value, o *baseline.Object) error {
	if v.Kind() != '{' {
		return misfits("not an object, as %s is", o.Name)
	}
	given := membersOf(v)
	for i := range o.Members {
		m := &o.Members[i]
		value, isGiven := given[m.Name]
		switch {
		case isGiven:
			if err := checkValue(value, &m.Schema); err != nil {
				return under(m.Name, err)
			}
		case m.Required:
			return misfits("no member %q", m.Name)
		}
	}
	return nil
}

func checkValue(v jsontext.Value, s *baseline.Schema) error {
	switch s.Kind {
	case baseline.KindAny:
		return nil
	case baseline.KindString:
		return checkString(v, s.Enum)
	case baseline.KindObject:
		_, err := object(nil, v)
		return err
	case baseline.KindArray:
		_, err := list(v, func(e jsontext.Value) (any, error) { return nil, checkValue(e, s.Items) })
		return err
	case baseline.KindRef:
		o, _ := baseline.AGUI().Newest().Object(s.Ref)
		return checkObject(v, o)
	case baseline.KindUnion:
		return checkUnion(v, s)
	case baseline.KindOneOf:
		return checkOneOf(v, s)
	}
	return misfits("a %s, which no input has", s.Kind)
}

func checkString(v jsontext.Value, enum []string) error {
	if v.Kind() != '"' {
		return misfits("not a string")
	}
	if s := textOf(v); enum != nil && !slices.Contains(enum, s) {
		return misfits("%q is none of %q", s, enum)
	}
	return nil
}

func checkUnion(v jsontext.Value, s *baseline.Schema) error {
	name := membersOf(v)[s.Discriminator]
	if name.Kind() != '"' {
		return misfits("no %s with a string %q", s.Name, s.Discriminator)
	}
	for _, x := range s.Variants {
		if x.Value == textOf(name) {
			o, _ := baseline.AGUI().Newest().Object(x.Ref)
			return checkObject(v, o)
		}
	}
	return nil
}

// checkOneOf: the alternatives differ in their JSON type.
func checkOneOf(v jsontext.Value, s *baseline.Schema) error {
	for i := range s.OneOf {
		isArray := s.OneOf[i].Kind == baseline.KindArray
		if isArray == (v.Kind() == '[') {
			return checkValue(v, &s.OneOf[i])
		}
	}
	return misfits("a value of a wrong type")
}
