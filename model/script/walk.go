package script

import (
	"iter"
	"reflect"
)

// name is that of the member that an action has.
func (a *Action) name() string {
	v := reflect.ValueOf(a).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsNil() {
			name, _ := member(v.Type().Field(i))
			return name
		}
	}
	return ""
}

// all yields every action in the order of the script, an outer one before those inside.
func (s Script) all() iter.Seq[*Action] {
	return func(yield func(*Action) bool) { eachOf(s, yield) }
}

func eachOf(list []Action, yield func(*Action) bool) bool {
	for i := range list {
		if !yield(&list[i]) || !list[i].eachInside(yield) {
			return false
		}
	}
	return true
}

func (a *Action) eachInside(yield func(*Action) bool) bool {
	switch {
	case a.Text != nil:
		return eachPiece(a.Text.Stream, yield)
	case a.ToolCall != nil:
		return eachPiece(a.ToolCall.Stream, yield)
	case a.Reasoning != nil:
		for _, m := range a.Reasoning.Messages {
			if !eachPiece(m.Stream, yield) {
				return false
			}
		}
	case a.Step != nil:
		return eachOf(a.Step.Do, yield)
	case a.Parallel != nil:
		for _, b := range a.Parallel.Branches {
			if !eachOf(b, yield) {
				return false
			}
		}
	case a.Subagent != nil:
		return eachOf(a.Subagent.Do, yield)
	case a.Replay != nil:
		return eachOf(a.Replay.Do, yield)
	}
	return true
}

func eachPiece(stream []Piece, yield func(*Action) bool) bool {
	for _, p := range stream {
		if p.Action != nil && (!yield(p.Action) || !p.Action.eachInside(yield)) {
			return false
		}
	}
	return true
}
