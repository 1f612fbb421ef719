package assistant

import (
	"slices"

	"pgregory.net/rapid"
)

// Mutate damages a stream in one to three places without aim: it drops, doubles, swaps or moves events, gives
// one another type, index, id or reason, truncates, deletes members or makes them null, changes types, edits
// text, or splices in a piece of another place. Whether the result is legal nobody knows beforehand. The
// given stream is not changed.
func Mutate(s Stream) *rapid.Generator[Stream] {
	return rapid.Custom(func(t *rapid.T) Stream {
		mt := &mutation{draw{t}, slices.Clone(s.Events)}
		for range 1 + mt.roll(3) {
			pick(mt.draw, mutations)(mt)
		}
		return Stream{mt.events, s.Profile, s.Form}
	})
}

type mutation struct {
	draw
	events [][]byte
}

var mutations = []func(*mutation){
	(*mutation).drop, (*mutation).double, (*mutation).swap, (*mutation).move, (*mutation).retag, (*mutation).retype, (*mutation).rename,
	(*mutation).truncate, (*mutation).cut, (*mutation).delete, (*mutation).delete, (*mutation).null, (*mutation).change, (*mutation).change,
	(*mutation).argue, (*mutation).excuse, (*mutation).edit, (*mutation).splice, (*mutation).repeat, (*mutation).garble,
}

// at draws an event, late ones as often as early ones, but seldom the first: a stream without its start
// tells nothing else. ok is false where there is none.
func (mt *mutation) at() (int, bool) {
	if len(mt.events) == 0 {
		return 0, false
	}
	i := mt.even(len(mt.events))
	if i == 0 && mt.chance(80) {
		i = mt.even(len(mt.events))
	}
	return i, true
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
		mt.events = slices.Insert(mt.events, mt.even(len(mt.events)+1), mt.events[i])
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
		mt.events = slices.Insert(mt.events, mt.even(len(mt.events)+1), e)
	}
}

// truncate ends the stream early.
func (mt *mutation) truncate() { mt.events = mt.events[:mt.even(len(mt.events)+1)] }

// cut ends one event early.
func (mt *mutation) cut() {
	if i, ok := mt.at(); ok {
		mt.events[i] = mt.events[i][:mt.even(len(mt.events[i])+1)]
	}
}

// garble changes one byte of an event.
func (mt *mutation) garble() {
	if i, ok := mt.at(); ok && len(mt.events[i]) > 0 {
		e := slices.Clone(mt.events[i])
		e[mt.even(len(e))] = pick(mt.draw, []byte("\"\\{}[]:,0a\xff\x00 "))
		mt.events[i] = e
	}
}

// splice repeats a piece of the stream at another place.
func (mt *mutation) splice() {
	if i, ok := mt.at(); ok {
		piece := slices.Clone(mt.events[i:min(len(mt.events), i+1+mt.roll(6))])
		mt.events = slices.Insert(mt.events, mt.even(len(mt.events)+1), piece...)
	}
}

// alter changes the object that an event is; what is no object stays.
func (mt *mutation) alter(how func(v value) value) {
	i, ok := mt.at()
	if !ok {
		return
	}
	if v, ok := parse(mt.events[i]); ok && v.kind == '{' {
		mt.events[i] = spelling{n: new(noise)}.bytes(how(v))
	}
}

// retag gives an event another index.
func (mt *mutation) retag() {
	indices := append(mt.values("contentIndex"), number(0), number(1), number(2), literal("-0"), literal("1.0"), literal("0.5"), number(-1), str("0"))
	mt.alter(func(v value) value { return v.with("contentIndex", pick(mt.draw, indices)) })
}

func (mt *mutation) retype() {
	types := mt.values("type")
	for _, t := range []string{"text_start", "text_delta", "text_end", "thinking_start", "thinking_delta", "thinking_end", "done", "error", "start",
		"toolcall_start", "toolcall_delta", "toolcall_end", "tool_call_start", "tool_call_delta", "tool_call_end"} {
		types = append(types, str(t))
	}
	mt.alter(func(v value) value { return v.with("type", pick(mt.draw, types)) })
}

// rename gives an id, name, reason or text another value, at any depth.
func (mt *mutation) rename() {
	names := map[string]bool{"id": true, "name": true, "toolName": true, "reason": true, "stopReason": true, "redacted": true, "role": true, "argumentsError": true}
	news := append(append(mt.values("id"), mt.values("reason")...), str(""), str("call_2"), str("stop"), str("pending"), str("error"), yes, no)
	mt.alter(func(v value) value {
		var named []place
		for _, p := range places(v) {
			if len(p) > 0 && names[p[len(p)-1].name] {
				named = append(named, p)
			}
		}
		if len(named) == 0 {
			return v
		}
		now := pick(mt.draw, news)
		return edited(v, pick(mt.draw, named), func(value) (value, bool) { return now, true })
	})
}

// argue gives the end of a call other arguments.
func (mt *mutation) argue() {
	mt.where("toolCall", func(v value) value {
		return inside(v, "toolCall", func(v value) value { return v.with("arguments", pick(mt.draw, replacements)) })
	})
}

// excuse gives the end of a stream another reason, and its message often the same.
func (mt *mutation) excuse() {
	why := str(pick(mt.draw, []string{"stop", "length", "toolUse", "tool_use", "deferred", "pending", "error", "aborted", "banana", ""}))
	mt.where("reason", func(v value) value {
		v = v.with("reason", why)
		for _, name := range []string{"message", "error"} {
			if in, ok := v.get(name); ok && in.kind == '{' && mt.chance(80) {
				v = v.with(name, in.with("stopReason", why))
			}
		}
		return v
	})
}

// where alters an event that has the member.
func (mt *mutation) where(name string, how func(v value) value) {
	var have []int
	for i, raw := range mt.events {
		if v, ok := parse(raw); ok {
			if _, has := v.get(name); has {
				have = append(have, i)
			}
		}
	}
	if len(have) > 0 {
		i := pick(mt.draw, have)
		v, _ := parse(mt.events[i])
		mt.events[i] = spelling{n: new(noise)}.bytes(how(v))
	}
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

var replacements = []value{
	str(""), str("x"), number(0), number(-1), literal("1.5"), literal("1e400"), literal("1e21"), yes, no, null, array(), empty,
	array(str("x")), array(number(1)), object(m("type", str("text")), m("text", str("x"))), str("{}"), str("text"), str("toolCall"),
}

func (mt *mutation) change() {
	mt.anywhere(func(value) (value, bool) { return pick(mt.draw, replacements), true })
}

// edit changes one character of a string, or puts one in.
func (mt *mutation) edit() {
	mt.anywhere(func(v value) (value, bool) {
		if v.kind != '"' {
			return v, true
		}
		i := mt.even(len(v.units) + 1)
		units := slices.Insert(slices.Clone(v.units), i, pick(mt.draw, []uint16{'a', ' ', '"', '}', '1', 0xd83d, 0xde00, '\n'}))
		if mt.chance(50) && len(v.units) > 0 {
			units = slices.Delete(slices.Clone(v.units), min(i, len(v.units)-1), min(i, len(v.units)-1)+1)
		}
		return text(units), true
	})
}

// anywhere changes one member or element of an event, at any depth. Members of the event itself are drawn
// as often as all that is inside of them.
func (mt *mutation) anywhere(how func(v value) (value, bool)) {
	mt.alter(func(v value) value {
		where := mt.somewhere(v)
		if len(where) == 0 {
			return v
		}
		return edited(v, where, how)
	})
}

// somewhere is a place in a value; none where there is nothing inside.
func (mt *mutation) somewhere(v value) place {
	in := inner(v)
	if len(in) == 0 {
		return nil
	}
	st := pick(mt.draw, in)
	if mt.chance(45) {
		return place{st}
	}
	return append(place{st}, mt.somewhere(st.of(v))...)
}

// A place is a way into a value: members and elements.
type place []step

type step struct {
	name  string
	index int // of an element; -1 for a member
}

// inner are the steps from a value.
func inner(v value) []step {
	var out []step
	for _, m := range v.members {
		out = append(out, step{m.name, -1})
	}
	for i := range v.list {
		out = append(out, step{"", i})
	}
	return out
}

func (st step) of(v value) value {
	if st.index >= 0 {
		return v.list[st.index]
	}
	in, _ := v.get(st.name)
	return in
}

// places are all there are in a value.
func places(v value) []place {
	var out []place
	for _, st := range inner(v) {
		out = append(out, place{st})
		for _, p := range places(st.of(v)) {
			out = append(out, append(place{st}, p...))
		}
	}
	return out
}

// edited is a value with a place in it changed, or taken out.
func edited(v value, where place, how func(v value) (value, bool)) value {
	st := where[0]
	in := func(v value) (value, bool) {
		if len(where) == 1 {
			return how(v)
		}
		return edited(v, where[1:], how), true
	}
	if st.index < 0 {
		was, _ := v.get(st.name)
		now, stays := in(was)
		if !stays {
			return v.without(st.name)
		}
		return v.with(st.name, now)
	}
	list := slices.Clone(v.list)
	now, stays := in(list[st.index])
	if !stays {
		return array(slices.Delete(list, st.index, st.index+1)...)
	}
	list[st.index] = now
	return array(list...)
}
