package verifier

// Limits bound what one stream may cost. Where one is reached, judging stops and the verdict is
// incomplete: the producer is not at fault.
type Limits struct {
	// EventBytes is the size of one event.
	EventBytes int
	// Depth is how deep JSON may be nested.
	Depth int
	// Open is how many items may be open at once.
	Open int
	// IDBytes bounds the ids and names that must be remembered, all together, with a fixed
	// overhead for each.
	IDBytes int
	// TextBytes bounds the joined text of what is open, all together.
	TextBytes int
	// DocumentBytes bounds the state and all activities, all together.
	DocumentBytes int
	// Findings is how many findings a report keeps. The rest is counted; the verdict does not depend on it.
	Findings int
}

// DefaultLimits are generous for real streams and safe for hostile ones.
func DefaultLimits() Limits {
	return Limits{
		EventBytes:    16 << 20,
		Depth:         512,
		Open:          100_000,
		IDBytes:       256 << 20,
		TextBytes:     64 << 20,
		DocumentBytes: 64 << 20,
		Findings:      1000,
	}
}

// OrDefault fills in what is zero.
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	for _, p := range []struct{ got, def *int }{
		{&l.EventBytes, &d.EventBytes}, {&l.Depth, &d.Depth}, {&l.Open, &d.Open},
		{&l.IDBytes, &d.IDBytes}, {&l.TextBytes, &d.TextBytes}, {&l.DocumentBytes, &d.DocumentBytes}, {&l.Findings, &d.Findings},
	} {
		if *p.got == 0 {
			*p.got = *p.def
		}
	}
	return l
}
