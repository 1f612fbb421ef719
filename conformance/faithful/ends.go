package faithful

import "fmt"

// compareEnds compares what the runs are besides their items and the labels at their ends, which have been found equal.
func compareEnds(want, got []*ending, b *bindings) *Difference {
	for i, w := range want {
		if sentence := w.differs(got[i], b); sentence != "" {
			return &Difference{sentence: w.named() + sentence, lines: w.lines(got[i])}
		}
	}
	return nil
}

// lines are those of a diff of two ends: of what the runs are, or of the states that they took.
func (e *ending) lines(got *ending) (lines []line) {
	if e.line() != got.line() {
		return []line{{'-', e.line()}, {'+', got.line()}}
	}
	state := func(v any) string { return `{"state":` + show(v) + "}" }
	next := 0
	for _, g := range got.states {
		sign := byte('+')
		if next < len(e.states) && equal(e.states[next], g) {
			sign = ' '
			next++
		}
		lines = append(lines, line{sign, state(g)})
	}
	for _, w := range e.states[next:] {
		lines = append(lines, line{'-', state(w)})
	}
	return lines
}

// named begins a sentence about a run.
func (e *ending) named() string {
	if e.id == "" {
		return "the run "
	}
	return "the run " + word(e.id) + " "
}

// differs says how a run's end differs from the script's, "" where it does not.
func (e *ending) differs(got *ending, b *bindings) string {
	switch {
	case e.id != got.id && got.id == "":
		return "never starts: the stream begins with an error" + got.why()
	case e.id == "" && got.id != "":
		return "has started as " + word(got.id) + ", the script fails before that"
	case e.id != got.id:
		return fmt.Sprintf("has the id %s on the stream", word(got.id))
	case e.outcome != got.outcome:
		return "ends as " + word(got.outcome) + got.why() + ", the script's as " + word(e.outcome)
	}
	for _, name := range fieldNames {
		if sentence := e.fieldDiffers(name, got); sentence != "" {
			return sentence
		}
	}
	return statesDiffer(e.states, got.states)
}

// why quotes the error of a run that failed.
func (e *ending) why() string {
	message, ok := e.fields["message"].(string)
	if !ok {
		return ""
	}
	out := ": " + quote(message)
	if code, ok := e.fields["code"].(string); ok {
		out += " (" + word(code) + ")"
	}
	return out
}

func (e *ending) fieldDiffers(name string, got *ending) string {
	w, wanted := e.fields[name]
	g, has := got.fields[name]
	switch {
	case wanted && (name == "interrupts" || name == "pending"):
		return "" // found equal with their labels
	case !wanted && has && name == "pending" && e.free[name]:
		if !equal(g, list(got.pending)) {
			return fmt.Sprintf("names as pending %s; without results are %s", show(g), show(list(got.pending)))
		}
		return ""
	case !wanted && has && e.free[name], wanted == has && equal(w, g):
		return ""
	case !wanted:
		return fmt.Sprintf("has %s %s, the script's none", name, show(g))
	case !has:
		return fmt.Sprintf("has no %s, the script's %s", name, show(w))
	}
	w, g = apart(w, g)
	return fmt.Sprintf("has %s %s, the script's %s", name, show(g), show(w))
}

func list(l []any) []any {
	if l == nil {
		return []any{}
	}
	return l
}

// statesDiffer: the script's values occur in the stream's in that order, and the last is the same.
func statesDiffer(want, got []any) string {
	if len(want) == 0 {
		return ""
	}
	next := 0
	for _, g := range got {
		if next < len(want) && equal(want[next], g) {
			next++
		}
	}
	if last := want[len(want)-1]; next == len(want) && !equal(last, got[len(got)-1]) {
		w, g := apart(last, got[len(got)-1])
		return fmt.Sprintf("ends with the state %s, the script's with %s", show(g), show(w))
	}
	if next < len(want) {
		return fmt.Sprintf("never has the state %s%s", show(want[next]), after(want[:next]))
	}
	return ""
}

// after says behind which state another was looked for.
func after(states []any) string {
	if len(states) == 0 {
		return ""
	}
	return " after " + show(states[len(states)-1])
}
