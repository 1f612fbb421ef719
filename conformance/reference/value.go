package reference

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Values of the request stay JSON: they go out as they came in, but for white space and escapes that nothing needs.

// document reads one whole JSON value: valid Unicode, no member twice, nothing behind it.
func document(data []byte) (jsontext.Value, error) {
	v := jsontext.Value(data)
	if err := v.Format(); err != nil {
		return nil, err
	}
	return v, nil
}

// eachMember calls f for the members of an object, in order.
func eachMember(v jsontext.Value, f func(name string, v jsontext.Value) error) error {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		text := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if err := f(text, value.Clone()); err != nil {
			return err
		}
	}
	return nil
}

// elements returns those of an array.
func elements(v jsontext.Value) (all []jsontext.Value) {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '[' {
		return nil
	}
	for dec.PeekKind() != ']' {
		e, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		all = append(all, e.Clone())
	}
	return all
}

// membersOf returns those of an object by name; none of what is no object.
func membersOf(v jsontext.Value) map[string]jsontext.Value {
	if v.Kind() != '{' {
		return nil
	}
	all := map[string]jsontext.Value{}
	_ = eachMember(v, func(name string, v jsontext.Value) error {
		all[name] = v
		return nil
	})
	return all
}

// at follows a JSON pointer (RFC 6901); nil where it leads nowhere.
func at(v jsontext.Value, pointer string) jsontext.Value {
	if pointer == "" {
		return v
	}
	for _, name := range strings.Split(pointer[1:], "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch v.Kind() {
		case '{':
			v = membersOf(v)[name]
		case '[':
			v = elementAt(elements(v), name)
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

func elementAt(all []jsontext.Value, name string) jsontext.Value {
	i, err := strconv.ParseUint(name, 10, 31)
	if err != nil || i >= uint64(len(all)) || strconv.FormatUint(i, 10) != name {
		return nil
	}
	return all[i]
}

// isPointer tells whether a string is a JSON pointer.
func isPointer(s string) bool {
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(s)
	return (s == "" || s[0] == '/') && !strings.Contains(rest, "~")
}

// A misfit is a value that is not of its shape.
type misfit struct {
	pointer, fact string
}

func (m *misfit) Error() string { return fmt.Sprintf("at %q: %s", m.pointer, m.fact) }

func misfits(format string, args ...any) error { return &misfit{fact: fmt.Sprintf(format, args...)} }

// under places an error below a member or an element.
func under(name any, err error) error {
	if m, ok := err.(*misfit); ok {
		escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(fmt.Sprint(name))
		m.pointer = "/" + escaped + m.pointer
	}
	return err
}
