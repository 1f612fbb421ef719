package model

import (
	"bytes"
	"encoding/json"
	"slices"

	"pgregory.net/rapid"
)

// Mutate damages a stream in one to three places without aim: it drops, doubles
// or swaps events, gives one another tag or type, renames an id, truncates,
// deletes members or makes them null, changes types, or splices in a piece of
// another place. Whether the result is legal nobody knows beforehand; the flags
// of the stream say nothing about it. The given stream is not changed.
func Mutate(s Stream) *rapid.Generator[Stream] {
	return rapid.Custom(func(t *rapid.T) Stream {
		mt := &mutation{draw{t}, slices.Clone(s.Events)}
		for range 1 + mt.roll(3) {
			pick(mt.draw, mutations)(mt)
		}
		return Stream{Events: mt.events, Request: s.Request, Revision: s.Revision, Strict: s.Strict}
	})
}

type mutation struct {
	draw
	events [][]byte
}

var mutations = []func(*mutation){
	(*mutation).drop, (*mutation).double, (*mutation).swap, (*mutation).move, (*mutation).retag, (*mutation).retype, (*mutation).rename,
	(*mutation).truncate, (*mutation).cut, (*mutation).delete, (*mutation).null, (*mutation).change, (*mutation).splice, (*mutation).repeat,
}

// at draws an event, late ones as often as early ones; ok is false where there is none.
func (mt *mutation) at() (int, bool) {
	if len(mt.events) == 0 {
		return 0, false
	}
	return mt.noise().below(len(mt.events)), true
}

func (mt *mutation) drop() {
	if i, ok := mt.at(); ok {
		mt.events = slices.Delete(mt.events, i, i+1)
	}
}

func (mt *mutation) double() {
	if i, ok := mt.at(); ok {
		mt.events = slices.Insert(mt.events, i, mt.events[i])
	}
}

// repeat says an event again at another place.
func (mt *mutation) repeat() {
	if i, ok := mt.at(); ok {
		mt.events = slices.Insert(mt.events, mt.roll(len(mt.events)+1), mt.events[i])
	}
}

func (mt *mutation) swap() {
	if i, ok := mt.at(); ok && i+1 < len(mt.events) {
		mt.events[i], mt.events[i+1] = mt.events[i+1], mt.events[i]
	}
}

func (mt *mutation) move() {
	if i, ok := mt.at(); ok {
		e := mt.events[i]
		mt.events = slices.Delete(mt.events, i, i+1)
		mt.events = slices.Insert(mt.events, mt.roll(len(mt.events)+1), e)
	}
}

// truncate ends the stream early.
func (mt *mutation) truncate() { mt.events = mt.events[:mt.roll(len(mt.events)+1)] }

// cut ends one event early.
func (mt *mutation) cut() {
	if i, ok := mt.at(); ok {
		mt.events[i] = mt.events[i][:mt.roll(len(mt.events[i])+1)]
	}
}

// splice repeats a piece of the stream at another place.
func (mt *mutation) splice() {
	if i, ok := mt.at(); ok {
		piece := slices.Clone(mt.events[i:min(len(mt.events), i+1+mt.roll(6))])
		mt.events = slices.Insert(mt.events, mt.roll(len(mt.events)+1), piece...)
	}
}

// edit changes the object that an event is; what is no object stays.
func (mt *mutation) edit(how func(v value) value) {
	i, ok := mt.at()
	if !ok {
		return
	}
	if v, ok := parse(mt.events[i]); ok && v.kind == '{' {
		mt.events[i] = spelling{n: new(noise)}.bytes(how(v))
	}
}

func (mt *mutation) retag() {
	tags := []value{str("a1"), str("a2"), str(""), str("a9"), {}}
	tags = append(tags, mt.values("subagentRunId")...)
	mt.edit(func(v value) value {
		if tag := pick(mt.draw, tags); tag.kind != 0 {
			return v.with("subagentRunId", tag)
		}
		return v.without("subagentRunId")
	})
}

func (mt *mutation) retype() {
	types := mt.values("type")
	mt.edit(func(v value) value {
		if len(types) == 0 {
			return v
		}
		return v.with("type", pick(mt.draw, types))
	})
}

// idMembers are the members that name something.
var idMembers = []string{"messageId", "toolCallId", "runId", "threadId", "parentMessageId", "stepName", "entityId", "toolCallName", "parentSubagentRunId", "role", "name"}

// rename gives an id of one event another value of the stream.
func (mt *mutation) rename() {
	name := pick(mt.draw, idMembers)
	ids := append(mt.values(name), str("m1"), str("new"))
	mt.edit(func(v value) value { return v.with(name, pick(mt.draw, ids)) })
}

// values lists what the stream's events have as that member.
func (mt *mutation) values(name string) []value {
	var out []value
	for _, raw := range mt.events {
		if e, ok := parse(raw); ok {
			if v, ok := e.get(name); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

func (mt *mutation) delete() { mt.anywhere(func(value) (value, bool) { return value{}, false }) }

func (mt *mutation) null() { mt.anywhere(func(value) (value, bool) { return null, true }) }

var others = []value{str(""), str("x"), number(0), literal("-1"), literal("1.5"), literal("1e400"), yes, no, null, array(), empty, array(str("x")), object(m("type", str("x")))}

func (mt *mutation) change() {
	mt.anywhere(func(value) (value, bool) { return pick(mt.draw, others), true })
}

// anywhere changes one member or element of an event, at any depth.
func (mt *mutation) anywhere(how func(v value) (value, bool)) {
	mt.edit(func(v value) value {
		where := pick(mt.draw, places(v))
		if len(where) == 0 {
			return v
		}
		now, stays := how(at(v, where))
		if !stays {
			return remove(v, where)
		}
		return replace(v, where, now)
	})
}

// parse reads a document; of a repeated name the last value counts.
func parse(raw []byte) (value, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if !json.Valid(raw) {
		return value{}, false
	}
	return parseValue(d), true
}

func parseValue(d *json.Decoder) value {
	t, _ := d.Token()
	switch t := t.(type) {
	case bool:
		return boolean(t)
	case json.Number:
		return literal(t.String())
	case string:
		return str(t)
	case json.Delim:
		return parseInside(d, t)
	}
	return null
}

func parseInside(d *json.Decoder, open json.Delim) value {
	out := value{kind: byte(open)}
	for d.More() {
		if open == '[' {
			out.list = append(out.list, parseValue(d))
			continue
		}
		name, _ := d.Token()
		out = out.with(name.(string), parseValue(d))
	}
	_, _ = d.Token() // the closing bracket
	return out
}
