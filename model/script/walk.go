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
	return func(yield func(*Action) bool) {
		for i := range s {
			if !s[i].each(yield) {
				return
			}
		}
	}
}

func (a *Action) each(yield func(*Action) bool) bool {
	if !yield(a) {
		return false
	}
	for inner := range a.inside() {
		if !inner.each(yield) {
			return false
		}
	}
	return true
}

// inside yields the actions that stand in one, but not those that stand in them.
func (a *Action) inside() iter.Seq[*Action] {
	return func(yield func(*Action) bool) {
		for _, stream := range a.streams() {
			for _, p := range stream {
				if p.Action != nil && !yield(p.Action) {
					return
				}
			}
		}
		for _, list := range a.lists() {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

func (a *Action) streams() [][]Piece {
	switch {
	case a.Text != nil:
		return [][]Piece{a.Text.Stream}
	case a.ToolCall != nil:
		return [][]Piece{a.ToolCall.Stream}
	case a.Reasoning != nil:
		var all [][]Piece
		for _, m := range a.Reasoning.Messages {
			all = append(all, m.Stream)
		}
		return all
	}
	return nil
}

func (a *Action) lists() [][]Action {
	switch {
	case a.Step != nil:
		return [][]Action{a.Step.Do}
	case a.Parallel != nil:
		return a.Parallel.Branches
	case a.Subagent != nil:
		return [][]Action{a.Subagent.Do}
	case a.Replay != nil:
		return [][]Action{a.Replay.Do}
	}
	return nil
}
