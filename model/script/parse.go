package script

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The limits of a script.
const (
	MaxDepth   = 64     // levels of JSON, the script's own array the first
	MaxActions = 10_000 // at any depth
)

// Parse reads a script, a JSON array of actions, and refuses everything that is not of the contract's shape: an unknown, missing
// or repeated member, a null where no null may be, an action that does not have exactly one member, a string that is not one of
// the listed ones, text that is not Unicode, and more than MaxDepth or MaxActions. Whether the script is legal is for Check. The
// error names the place by a JSON pointer.
func Parse(data []byte) (Script, error) {
	if err := scan(data); err != nil {
		return nil, err
	}
	r := reader{dec: jsontext.NewDecoder(bytes.NewReader(data))}
	var s Script
	if err := r.value(reflect.ValueOf(&s).Elem(), ""); err != nil {
		return nil, err
	}
	return s, nil
}

// JSON writes the script in compact form; Parse gives back what it was made from. It panics if a value of the script is no JSON.
func (s Script) JSON() []byte {
	data, err := json.Marshal([]Action(s))
	if err != nil {
		panic(fmt.Sprintf("script: %v", err)) // Parse and the generators let no such value in
	}
	return data
}

// MarshalJSONTo writes a string or an action.
func (p Piece) MarshalJSONTo(enc *jsontext.Encoder) error {
	if p.Action == nil {
		return enc.WriteToken(jsontext.String(p.Delta))
	}
	return json.MarshalEncode(enc, p.Action)
}

// scan sees to it that the text is one JSON value that is not nested too deep, before anything follows its structure.
func scan(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		_, err := dec.ReadToken()
		if err != nil {
			return fmt.Errorf("script: %w", err)
		}
		if dec.StackDepth() > MaxDepth {
			return fmt.Errorf("script: at %s: nested deeper than %d levels", place(dec), MaxDepth)
		}
		if dec.StackDepth() == 0 {
			break
		}
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("script: more than one JSON value")
	}
	return nil
}

// place is where the value is that was read last.
func place(dec *jsontext.Decoder) string { return strconv.Quote(string(dec.StackPointer())) }

// A reader reads JSON by the shape of Go types.
type reader struct {
	dec     *jsontext.Decoder
	actions int
}

func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("script: at %s: %s", place(r.dec), fmt.Sprintf(format, args...))
}

// value reads the next value. The tag says what else it has to be.
func (r *reader) value(into reflect.Value, tag reflect.StructTag) error {
	switch into := into.Addr().Interface().(type) {
	case *jsontext.Value:
		return r.any(into, tag)
	case *Piece:
		return r.piece(into)
	case *Action:
		r.actions++
		if r.actions > MaxActions {
			return r.fail("more than %d actions", MaxActions)
		}
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return r.value(into.Elem(), tag)
	case reflect.Struct:
		return r.object(into)
	case reflect.Slice:
		return r.list(into, tag)
	case reflect.Bool:
		return r.bool(into)
	}
	return r.string(into, tag)
}

// open reads the token that begins a value of the kind; of another kind it reads the whole value, so that the error is placed.
func (r *reader) open(kind jsontext.Kind, name string) (jsontext.Token, error) {
	if r.dec.PeekKind() != kind {
		if _, err := r.dec.ReadValue(); err != nil {
			return jsontext.Token{}, r.fail("%v", err)
		}
		return jsontext.Token{}, r.fail("not %s", name)
	}
	return r.dec.ReadToken()
}

func (r *reader) string(into reflect.Value, tag reflect.StructTag) error {
	t, err := r.open('"', "a string")
	if err != nil {
		return err
	}
	s := t.String()
	into.SetString(s)
	if list, ok := tag.Lookup("enum"); ok && !slices.Contains(strings.Split(list, ","), s) {
		return r.fail("%q is none of %s", s, list)
	}
	if _, ok := tag.Lookup("pointer"); ok && !isPointer(s) {
		return r.fail("%q is no JSON pointer", s)
	}
	return nil
}

// isPointer: RFC 6901.
func isPointer(s string) bool {
	return (s == "" || s[0] == '/') && !strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(s), "~")
}

func (r *reader) bool(into reflect.Value) error {
	v, err := r.dec.ReadValue()
	if err != nil {
		return r.fail("%v", err)
	}
	if k := v.Kind(); k != 't' && k != 'f' {
		return r.fail("not true or false")
	}
	into.SetBool(v.Kind() == 't')
	return nil
}

func (r *reader) list(into reflect.Value, tag reflect.StructTag) error {
	if _, err := r.open('[', "an array"); err != nil {
		return err
	}
	into.Set(reflect.MakeSlice(into.Type(), 0, 0))
	for r.dec.PeekKind() != ']' {
		element := reflect.New(into.Type().Elem()).Elem()
		if err := r.value(element, ""); err != nil {
			return err
		}
		into.Set(reflect.Append(into, element))
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return r.fail("%v", err)
	}
	return r.least(into.Len(), tag)
}

func (r *reader) least(n int, tag reflect.StructTag) error {
	if want, err := strconv.Atoi(tag.Get("least")); err == nil && n < want {
		return r.fail("%d elements, at least %d are needed", n, want)
	}
	return nil
}

// object reads the members of a struct. Where all of them are pointers to structs (an action, the end of a subagent), it is a
// choice: exactly one has to be there.
func (r *reader) object(into reflect.Value) error {
	if _, err := r.open('{', "an object"); err != nil {
		return err
	}
	seen := make([]bool, into.NumField())
	count := 0
	for r.dec.PeekKind() != '}' {
		name, err := r.dec.ReadToken()
		if err != nil {
			return r.fail("%v", err)
		}
		i := field(into.Type(), name.String())
		if i < 0 {
			return r.fail("unknown member")
		}
		seen[i] = true
		count++
		if err := r.value(into.Field(i), into.Type().Field(i).Tag); err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return r.fail("%v", err)
	}
	if isChoice(into.Type()) && count != 1 {
		return r.fail("%d members, exactly one is needed", count)
	}
	for i, seen := range seen {
		if name, required := member(into.Type().Field(i)); required && !seen {
			return r.fail("no member %q", name)
		}
	}
	return nil
}

// member is the JSON name of a field.
func member(f reflect.StructField) (name string, required bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, options == ""
}

// field finds the field of a member, -1 if there is none.
func field(t reflect.Type, name string) int {
	for i := range t.NumField() {
		if n, _ := member(t.Field(i)); n == name {
			return i
		}
	}
	return -1
}

func isChoice(t reflect.Type) bool {
	return t == reflect.TypeFor[Action]() || t == reflect.TypeFor[SubagentEnd]()
}

func (r *reader) piece(into *Piece) error {
	switch r.dec.PeekKind() {
	case '"':
		return r.value(reflect.ValueOf(&into.Delta).Elem(), "")
	case '{':
		return r.value(reflect.ValueOf(&into.Action).Elem(), "")
	}
	if _, err := r.dec.ReadValue(); err != nil {
		return r.fail("%v", err)
	}
	return r.fail("not a string or an action")
}

// any keeps a value as it is written, but for white space and escapes that nothing needs.
func (r *reader) any(into *jsontext.Value, tag reflect.StructTag) error {
	v, err := r.dec.ReadValue()
	if err != nil {
		return r.fail("%v", err)
	}
	v = v.Clone()
	if err := v.Format(); err != nil {
		return r.fail("%v", err)
	}
	*into = v
	if allow, ok := tag.Lookup("allow"); ok && !slices.ContainsFunc(strings.Split(allow, ","), func(kind string) bool { return isA(v, kind) }) {
		return r.fail("not %s", kinds.Replace(allow))
	}
	if strings.HasSuffix(tag.Get("json"), ",omitzero") && v.Kind() == 'n' {
		return r.fail("null")
	}
	if tag.Get("least") != "" {
		return r.least(len(elements(v)), tag)
	}
	return nil
}

var kinds = strings.NewReplacer("objects", "an array of objects", "object", "an object", "string", "a string", ",", " or ")

// isA says whether a value is of a kind that the tag allow names.
func isA(v jsontext.Value, kind string) bool {
	switch kind {
	case "string":
		return v.Kind() == '"'
	case "object":
		return v.Kind() == '{'
	}
	return v.Kind() == '[' && !slices.ContainsFunc(elements(v), func(e jsontext.Value) bool { return e.Kind() != '{' })
}

// elements are those of an array.
func elements(v jsontext.Value) []jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	var out []jsontext.Value
	for dec.PeekKind() != ']' {
		e, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		out = append(out, e.Clone())
	}
	return out
}
