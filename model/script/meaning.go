package script

// A Meaning is what a script says, to be compared with what a stream said. Values are as encoding/json has them: nil, bool,
// float64, string, []any, map[string]any.
type Meaning struct {
	Runs []Run
}

// A Run is one run of a Meaning: replayed ones first, the script's own last.
type Run struct {
	ID      string
	Outcome string // success, interrupt, cancelled, error
	// Fields are the members that the run's end must have: result, interrupts, pending, message, code, usage. Of those that are
	// not there, Free names what the subject may add.
	Fields map[string]any
	Free   map[string]bool
	// States are the values that the state takes, the base first.
	States []any
	// Items are what the run opens and says.
	Items Order
}

// An Order is a partial order of items: one item, or a sequence, or branches side by side. Exactly one member is set; the
// zero Order is an empty sequence.
type Order struct {
	Item map[string]any
	Seq  []Order
	Par  []Order
}
