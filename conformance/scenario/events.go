package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// value reads one JSON value as encoding/json has it.
func value(data []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something stands behind the value")
	}
	return v, nil
}

// A pattern is what an event is to be like: its type and some members.
type pattern struct {
	text    string
	kind    string
	members []member
}

type member struct {
	path []string
	want any
}

// parsePattern reads 'TYPE path=value …'. A value is JSON or a bare word; one that is a label stands for its id.
func (a *answer) parsePattern(text string) (p pattern, err error) {
	p.text = text
	words := splitWords(text)
	if len(words) == 0 {
		return p, fmt.Errorf("an empty pattern")
	}
	p.kind = words[0]
	for _, w := range words[1:] {
		path, text, found := strings.Cut(w, "=")
		if !found {
			return p, fmt.Errorf("%q in the pattern %q is no path=value", w, p.text)
		}
		want, err := value([]byte(text))
		if err != nil {
			want = a.idOf(text)
		} else if s, isString := want.(string); isString {
			want = a.idOf(s)
		}
		p.members = append(p.members, member{strings.Split(path, "."), want})
	}
	return p, nil
}

// splitWords splits at spaces that stand in no JSON string.
func splitWords(s string) (words []string) {
	quoted, from := false, -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] == '"' && (i == 0 || s[i-1] != '\\') {
			quoted = !quoted
		}
		if i == len(s) || s[i] == ' ' && !quoted {
			if from >= 0 {
				words = append(words, s[from:i])
			}
			from = -1
		} else if from < 0 {
			from = i
		}
	}
	return words
}

// matches tells whether an event is like the pattern.
func (p *pattern) matches(event map[string]any) bool {
	if event["type"] != p.kind {
		return false
	}
	for _, m := range p.members {
		got, ok := at(event, m.path)
		if !ok || !reflect.DeepEqual(got, m.want) {
			return false
		}
	}
	return true
}

// at follows a path of names and indices.
func at(v any, path []string) (any, bool) {
	for _, name := range path {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// anything stands for any number of events between two patterns.
const anything = "..."

func (x *session) eventsCommand(args []string) error {
	f := flags("events")
	anyOrder := f.Bool("any", false, "in any order")
	absent := f.Bool("absent", false, "none of them")
	count := f.Int("count", -1, "exactly so many of one")
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	for _, a := range x.answers {
		if !a.response.IsStream() {
			continue // an error answer that the scenario allows
		}
		patterns, err := a.patterns(f.Args(), !*anyOrder && !*absent && *count < 0)
		if err != nil {
			return err
		}
		if len(patterns) == 0 || *count >= 0 && len(patterns) != 1 {
			return fmt.Errorf("events wants patterns; one with -count")
		}
		events := a.objects()
		wrong := ""
		switch {
		case *absent:
			wrong = present(events, patterns)
		case *count >= 0:
			wrong = counted(events, patterns[0], *count)
		case *anyOrder:
			wrong = missing(events, patterns)
		default:
			wrong = disordered(events, patterns)
		}
		if wrong != "" {
			x.result.Diff = strings.Join(lines(a.response.Events), "\n")
			return x.failed(Expectation, a, "%s", wrong)
		}
	}
	return x.needAnswer("events")
}

// patterns reads patterns for one answer, whose labels and run have ids of their own. Only where there is an order, "..." stands
// between two.
func (a *answer) patterns(texts []string, ordered bool) (all []pattern, err error) {
	for _, text := range texts {
		p := pattern{text: text}
		if text != anything || !ordered {
			if p, err = a.parsePattern(text); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

func present(events []map[string]any, patterns []pattern) string {
	for i, e := range events {
		for _, p := range patterns {
			if p.matches(e) {
				return fmt.Sprintf("event %d is %s, which must not be there", i, p.text)
			}
		}
	}
	return ""
}

func counted(events []map[string]any, p pattern, want int) string {
	n := 0
	for _, e := range events {
		if p.matches(e) {
			n++
		}
	}
	if n == want {
		return ""
	}
	return fmt.Sprintf("there are %d of %s, not %d", n, p.text, want)
}

// missing returns the first pattern that no event of its own matches.
func missing(events []map[string]any, patterns []pattern) string {
	taken := make([]bool, len(events))
	for _, p := range patterns {
		found := false
		for i, e := range events {
			if !taken[i] && p.matches(e) {
				taken[i], found = true, true
				break
			}
		}
		if !found {
			return "there is no " + p.text
		}
	}
	return ""
}

// disordered returns the first pattern that does not come where it is to come. Patterns between two "..." are neighbours.
func disordered(events []map[string]any, patterns []pattern) string {
	from := 0
	for _, group := range groups(patterns) {
		at := place(events[from:], group)
		if at < 0 {
			texts := make([]string, len(group))
			for i, p := range group {
				texts[i] = p.text
			}
			return fmt.Sprintf("from event %d on there is no %s", from, strings.Join(texts, ", directly followed by "))
		}
		from += at + len(group)
	}
	return ""
}

func groups(patterns []pattern) (all [][]pattern) {
	var group []pattern
	for _, p := range patterns {
		if p.text != anything {
			group = append(group, p)
			continue
		}
		if group != nil {
			all = append(all, group)
		}
		group = nil
	}
	if group != nil {
		all = append(all, group)
	}
	return all
}

// place returns where events match a group, one after the other; -1 where nowhere.
func place(events []map[string]any, group []pattern) int {
next:
	for i := 0; i+len(group) <= len(events); i++ {
		for k, p := range group {
			if !p.matches(events[i+k]) {
				continue next
			}
		}
		return i
	}
	return -1
}

// objects are an answer's events as JSON objects; nil in place of what is none.
func (a *answer) objects() []map[string]any {
	out := make([]map[string]any, len(a.response.Events))
	for i, e := range a.response.Events {
		_ = json.Unmarshal(e, &out[i])
	}
	return out
}

// onTheWire returns the index of the illegal event, which is the last that the script emits; -1 where it is not there. Legal
// ones that are like it come first.
func (a *answer) onTheWire() int {
	emitted := a.script.Emits()
	if len(emitted) == 0 {
		return -1
	}
	bad := emittedEvent(emitted[len(emitted)-1])
	legal := 0
	for _, e := range emitted[:len(emitted)-1] {
		if reflect.DeepEqual(emittedEvent(e), bad) {
			legal++
		}
	}
	for i, e := range a.objects() {
		if !reflect.DeepEqual(withoutTimestamp(e), bad) {
			continue
		}
		if legal == 0 {
			return i
		}
		legal--
	}
	return -1
}

func emittedEvent(data []byte) any {
	v, _ := value(data) // a script's values are JSON
	return withoutTimestamp(v)
}

func withoutTimestamp(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for name, x := range m {
		if name != "timestamp" && name != "rawEvent" {
			out[name] = x
		}
	}
	return out
}

func lines(events [][]byte) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = string(e)
	}
	return out
}
