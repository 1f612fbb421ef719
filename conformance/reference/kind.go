package reference

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A kind reads the value of a member.
type kind func(r *reader, v jsontext.Value) (any, error)

func text(_ *reader, v jsontext.Value) (any, error) {
	if v.Kind() != '"' {
		return nil, misfits("not a string")
	}
	return textOf(v), nil
}

func oneOf(values ...string) kind {
	return func(r *reader, v jsontext.Value) (any, error) {
		s, err := text(r, v)
		if err == nil && !slices.Contains(values, s.(string)) {
			err = misfits("%q is none of %q", s, values)
		}
		return s, err
	}
}

// The forms of an item.
const (
	asEvents = "events"
	asChunks = "chunks"
)

func form(r *reader, v jsontext.Value) (any, error) { return oneOf(asEvents, asChunks)(r, v) }

func pointer(r *reader, v jsontext.Value) (any, error) {
	s, err := text(r, v)
	if err == nil && !isPointer(s.(string)) {
		err = misfits("%q is no JSON pointer", s)
	}
	return s, err
}

func flag(_ *reader, v jsontext.Value) (any, error) {
	if k := v.Kind(); k != 't' && k != 'f' {
		return nil, misfits("not true or false")
	}
	return v.Kind() == 't', nil
}

func anything(_ *reader, v jsontext.Value) (any, error) { return v, nil }

func notNull(_ *reader, v jsontext.Value) (any, error) {
	if v.Kind() == 'n' {
		return nil, misfits("null")
	}
	return v, nil
}

func object(_ *reader, v jsontext.Value) (any, error) {
	if v.Kind() != '{' {
		return nil, misfits("not an object")
	}
	return v, nil
}

func objects(r *reader, v jsontext.Value) (any, error) {
	_, err := list(v, func(v jsontext.Value) (any, error) { return object(r, v) })
	return v, err
}

func someObjects(r *reader, v jsontext.Value) (any, error) {
	if len(elements(v)) == 0 {
		return nil, misfits("not an array with an element")
	}
	return objects(r, v)
}

func textOrObjects(r *reader, v jsontext.Value) (any, error) {
	if v.Kind() == '"' {
		return v, nil
	}
	return objects(r, v)
}

// texts reads a list of labels that is not empty.
func texts(r *reader, v jsontext.Value) (any, error) {
	all, err := list(v, func(v jsontext.Value) (string, error) {
		_, err := text(r, v)
		return textOf(v), err
	})
	if err == nil && len(all) == 0 {
		err = misfits("an empty list")
	}
	return all, err
}

func stream(r *reader, v jsontext.Value) (any, error) {
	return list(v, func(v jsontext.Value) (piece, error) {
		if v.Kind() == '"' {
			return piece{delta: textOf(v)}, nil
		}
		a, err := r.action(v)
		return piece{action: &a}, err
	})
}

func actions(r *reader, v jsontext.Value) (any, error) { return list(v, r.action) }

func branches(r *reader, v jsontext.Value) (any, error) {
	all, err := list(v, func(v jsontext.Value) ([]action, error) { return list(v, r.action) })
	if err == nil && len(all) < 2 {
		err = misfits("%d branches, at least two are needed", len(all))
	}
	return all, err
}

// one reads an object, listOf an array of them.
func one(what string, s shape) kind {
	return func(r *reader, v jsontext.Value) (any, error) { return r.members(what, s, v) }
}

func listOf(what string, s shape) kind {
	return func(r *reader, v jsontext.Value) (any, error) {
		return list(v, func(v jsontext.Value) (members, error) { return r.members(what, s, v) })
	}
}

// subagentEnd reads how a subagent ends: an action-like object of one member.
func subagentEnd(r *reader, v jsontext.Value) (any, error) {
	name, value, err := only(v)
	if err != nil {
		return nil, err
	}
	s, known := map[string]shape{"success": succeeded, "suspended": suspended, "error": failed}[name]
	if !known {
		r.unsupported = append(r.unsupported, "subagent.end."+name)
		return nil, nil
	}
	m, err := r.members("subagent.end."+name, s, value)
	return action{name, m}, under(name, err)
}
