package session

import (
	"bytes"
	"encoding/json"
	"slices"

	"pgregory.net/rapid"
)

// Mutate damages a recording in one to three places without aim: it drops, doubles, swaps or moves records, gives
// one another type or id, truncates, deletes members or makes them null, changes types, or splices in a piece of
// another place. Whether the result is legal nobody knows beforehand; it expects nothing. The given recording is not
// changed.
func Mutate(s Stream) *rapid.Generator[Stream] {
	return rapid.Custom(func(t *rapid.T) Stream {
		mt := &mutation{draw{t}, slices.Clone(s.Records)}
		for range 1 + mt.roll(3) {
			pick(mt.draw, mutations)(mt)
		}
		return Stream{Records: mt.records, Profile: s.Profile, Class: s.Class}
	})
}

type mutation struct {
	draw
	records [][]byte
}

var mutations = []func(*mutation){
	(*mutation).drop, (*mutation).drop, (*mutation).double, (*mutation).swap, (*mutation).swap, (*mutation).move, (*mutation).retype, (*mutation).rename, (*mutation).rename,
	(*mutation).truncate, (*mutation).cut, (*mutation).delete, (*mutation).null, (*mutation).change, (*mutation).borrow, (*mutation).borrow, (*mutation).splice, (*mutation).repeat,
}

// at draws a record, late ones as often as early ones; ok is false where there is none.
func (mt *mutation) at() (int, bool) {
	if len(mt.records) == 0 {
		return 0, false
	}
	return mt.noise().below(len(mt.records)), true
}

func (mt *mutation) drop() {
	if i, ok := mt.at(); ok {
		mt.records = slices.Delete(mt.records, i, i+1)
	}
}

func (mt *mutation) double() {
	if i, ok := mt.at(); ok {
		mt.records = slices.Insert(mt.records, i, mt.records[i])
	}
}

// repeat says a record again at another place.
func (mt *mutation) repeat() {
	if i, ok := mt.at(); ok {
		mt.records = slices.Insert(mt.records, mt.even(len(mt.records)+1), mt.records[i])
	}
}

func (mt *mutation) swap() {
	if i, ok := mt.at(); ok && i+1 < len(mt.records) {
		mt.records[i], mt.records[i+1] = mt.records[i+1], mt.records[i]
	}
}

func (mt *mutation) move() {
	if i, ok := mt.at(); ok {
		r := mt.records[i]
		mt.records = slices.Delete(mt.records, i, i+1)
		mt.records = slices.Insert(mt.records, mt.even(len(mt.records)+1), r)
	}
}

// truncate ends the recording early.
func (mt *mutation) truncate() { mt.records = mt.records[:mt.even(len(mt.records)+1)] }

// cut ends one record early.
func (mt *mutation) cut() {
	if i, ok := mt.at(); ok {
		mt.records[i] = mt.records[i][:mt.roll(len(mt.records[i])+1)]
	}
}

// splice repeats a piece of the recording at another place.
func (mt *mutation) splice() {
	if i, ok := mt.at(); ok {
		piece := slices.Clone(mt.records[i:min(len(mt.records), i+1+mt.roll(6))])
		mt.records = slices.Insert(mt.records, mt.even(len(mt.records)+1), piece...)
	}
}

// edit changes the object that a record is; what is no object stays. It changes what an envelope holds.
func (mt *mutation) edit(how func(v value) value) {
	i, ok := mt.at()
	if !ok {
		return
	}
	v, ok := parse(mt.records[i])
	if !ok || v.kind != '{' {
		return
	}
	if v.has("dir") && v.get("record").kind == '{' && !mt.chance(10) {
		v = v.with("record", how(v.get("record")))
	} else {
		v = how(v)
	}
	mt.records[i] = []byte(plain(v))
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

// named are the members that name something or decide about it.
var named = []string{"toolCallId", "toolName", "id", "parentToolCallId", "reason", "role", "stopReason", "command", "attempt", "success", "isError", "gen", "seq", "dir",
	"contentIndex", "willRetry", "entry", "sessionId", "since", "leafId", "parentId", "disposition", "cancelled", "ext", "steering", "followUp", "args", "content"}

// rename gives a member of one record another value that the recording has for it, at any depth.
func (mt *mutation) rename() {
	name := pick(mt.draw, named)
	list := append(mt.values(name), str("new"))
	mt.edit(func(v value) value {
		var where []place
		for _, p := range places(v) {
			if p[len(p)-1].name == name {
				where = append(where, p)
			}
		}
		if len(where) == 0 {
			return v
		}
		return replace(v, pick(mt.draw, where), pick(mt.draw, list))
	})
}

// borrow gives a record what another of the same type has in the place of one member.
func (mt *mutation) borrow() {
	i, ok := mt.at()
	if !ok {
		return
	}
	from, ok := parse(mt.records[i])
	if !ok {
		return
	}
	if from.has("record") {
		from = from.get("record")
	}
	mt.edit(func(v value) value {
		if len(from.members) == 0 {
			return v
		}
		f := pick(mt.draw, from.members)
		return v.with(f.name, f.val)
	})
}

// values lists what the recording has as that member, at any depth.
func (mt *mutation) values(name string) []value {
	var out []value
	for range min(len(mt.records), 12) {
		i, _ := mt.at()
		v, ok := parse(mt.records[i])
		if !ok {
			continue
		}
		for _, p := range places(v) {
			if p[len(p)-1].name == name {
				out = append(out, at(v, p))
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

// anywhere changes one member or element of a record, at any depth.
func (mt *mutation) anywhere(how func(v value) (value, bool)) {
	mt.edit(func(v value) value {
		list := places(v)
		if len(list) == 0 {
			return v
		}
		where := pick(mt.draw, list)
		if mt.chance(60) { // near the top, where the rules are
			where = where[:1]
		}
		now, stays := how(at(v, where))
		if !stays {
			return remove(v, where)
		}
		return replace(v, where, now)
	})
}

// --- places ---

// step is a member's name or an element's index.
type step struct {
	name    string
	element bool
	index   int
}

type place []step

// places lists all members and elements inside a value.
func places(v value) []place {
	var out []place
	for _, m := range v.members {
		out = append(out, under(step{name: m.name}, m.val)...)
	}
	for i, e := range v.list {
		out = append(out, under(step{element: true, index: i}, e)...)
	}
	return out
}

func under(s step, v value) []place {
	out := []place{{s}}
	for _, p := range places(v) {
		out = append(out, append(place{s}, p...))
	}
	return out
}

func at(v value, p place) value {
	for _, s := range p {
		if s.element {
			v = v.list[s.index]
		} else {
			v = v.get(s.name)
		}
	}
	return v
}

func replace(v value, p place, now value) value {
	if len(p) == 0 {
		return now
	}
	if s := p[0]; s.element {
		out := value{kind: '[', list: slices.Clone(v.list)}
		out.list[s.index] = replace(v.list[s.index], p[1:], now)
		return out
	}
	return v.with(p[0].name, replace(v.get(p[0].name), p[1:], now))
}

func remove(v value, p place) value {
	last := p[len(p)-1]
	inside := at(v, p[:len(p)-1])
	if last.element {
		inside = value{kind: '[', list: slices.Delete(slices.Clone(inside.list), last.index, last.index+1)}
	} else {
		inside = inside.without(last.name)
	}
	return replace(v, p[:len(p)-1], inside)
}

// --- reading ---

// parse reads a document; of a repeated name the last value counts, and halves of surrogate pairs are lost.
func parse(raw []byte) (value, bool) {
	if !json.Valid(raw) {
		return value{}, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
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
