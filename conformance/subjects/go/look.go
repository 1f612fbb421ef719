package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// lookThrough compares a whole script, as JSON, with the types that are to hold it, ours and the SDK's. encoding/json alone
// would drop what has no field.
func lookThrough(script any) (unsupported []string, malformed error) {
	var l look
	l.value("script", script, reflect.TypeFor[[]Action]())
	return l.unsupported, l.malformed
}

type look struct {
	unsupported []string // by the contract's names
	malformed   error    // the first
}

func (l *look) value(path string, value any, t reflect.Type) {
	_, isString := value.(string)
	switch {
	case t.Kind() == reflect.Interface: // holds any value
	case t.Kind() == reflect.Pointer:
		l.value(path, value, t.Elem())
	case t.Kind() == reflect.Slice:
		list, ok := value.([]any)
		l.want(ok, path, "a list")
		for _, element := range list {
			l.value(path, element, t.Elem())
		}
	case t == reflect.TypeFor[Piece]() && !isString, t == reflect.TypeFor[Action]():
		object, ok := value.(map[string]any)
		l.want(ok && len(object) == 1, path, "an action, of one member")
		l.members("", object, reflect.TypeFor[Action]())
	case t.Kind() == reflect.Struct && !isString:
		object, ok := value.(map[string]any)
		l.want(ok, path, "an object")
		l.members(path+".", object, t)
	default: // encoding/json checks the type
		l.want(value != nil, path, "a value")
	}
}

func (l *look) members(prefix string, object map[string]any, t reflect.Type) {
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[name] = true
		value, given := object[name]
		switch _, isList := value.([]any); {
		case !given:
			l.want(options == "omitempty", prefix+name, "there")
		case name == "content" && isList:
			l.lacks("parts")
		default:
			l.value(prefix+name, value, field.Type)
		}
	}
	for name := range object {
		if !known[name] {
			l.lacks(prefix + name)
		}
	}
}

func (l *look) want(ok bool, path, what string) {
	if !ok && l.malformed == nil {
		l.malformed = fmt.Errorf("the script is malformed: %s is not %s", path, what)
	}
}

func (l *look) lacks(name string) {
	if !slices.Contains(l.unsupported, name) {
		l.unsupported = append(l.unsupported, name)
	}
}
