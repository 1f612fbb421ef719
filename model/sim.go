package model

import "github.com/agentstream/conformance/baseline"

// owner is a subagent's tag or, without one, the parent agent.
type owner struct {
	tag    string
	tagged bool
}

var parentAgent = owner{}

func by(tag string) owner { return owner{tag, true} }

// opt is a string that may be absent.
type opt struct {
	s     string
	given bool
}

func given(s string) opt { return opt{s, true} }

// message is what is known of a message id, on the stream or in the request.
type message struct {
	id, kind   string // text reasoning tool activity
	introduced bool   // on the stream
	carried    bool   // by the request
	described  bool   // a text message: role and name were given on the stream
	role       string // of a text message
	name       opt    // of a text message
	call       string // a tool message: the call it answers
	content    value  // an activity that the stream introduced
	known      bool   // an activity: a delta may follow
}

// call is what is known of a tool call.
type call struct {
	id     string
	made   bool // described by a START or an opening chunk
	name   string
	parent opt
}

// sim is a producer that knows what it has said. Every action draws among what is
// legal now, emits one event, and notes its effect.
type sim struct {
	draw
	k   Knobs
	out [][]byte
	fit Stream // the flags

	ids      *mint
	thread   string
	names    []string // tool names
	ghosts   []string // tags that may be used without an announcement
	unborn   []string // message ids that were named as a parent before they exist
	subs     []string // ids that any run announced
	messages []*message
	calls    []*call
	spans    []string
	state    *value // nil: not known

	request *request
	plan    plan
	until   int // the run's events end here

	// For a broken stream.
	profile  string
	over     bool           // nothing more may follow
	plainIDs bool           // fresh ids are new in every space
	mangle   func(e *event) // spoils the next event

	*run
}

// plan is decided before the stream starts.
type plan struct {
	size    int    // events that it may have
	version string // of every run; "": as it comes; "absent"
	request wish
}

// wish says whether a request is known.
type wish int

const (
	perhaps wish = iota
	never
	wanted // with a frontend tool and a message of each kind that can be streamed
)

// item is something opened by START that awaits its END.
type item struct {
	kind, id string // text reasoning span tool
	opened   owner  // who owned it when it was opened
}

// lane holds the chunk item that an owner's chunks assemble.
type lane struct {
	by       owner
	kind, id string
}

type step struct {
	by   owner
	name string
}

type subagent struct {
	id     string
	active bool
}

// run is what a new run starts without.
type run struct {
	id        string
	asked     bool // it is the requested run
	open      []item
	chunked   map[thing]bool // items whose latest opener was a chunk
	lanes     []lane
	books     map[thing]owner // kind: message reasoning tool activity
	steps     []step
	subs      []subagent
	seen      map[string]bool // tags
	made      []string
	answered  map[string]bool
	listed    map[string]bool // calls that a snapshot or echo listed
	suspended []string        // ids of interrupts that suspended subagents wait for
	paused    bool            // a subagent was suspended
}

// thing names an entity by its kind and id.
type thing struct{ kind, id string }

func newSim(d draw, k Knobs, p plan) *sim {
	s := &sim{draw: d, k: k, plan: p, ids: newMint(), fit: Stream{NoChunks: true, ResultsFollow: true, OwnersSettled: true}}
	for _, name := range stepNames {
		s.ids.take("step", name)
	}
	s.thread = s.fresh("thread")
	s.names = []string{"search", "confirm", "draw"}
	if k.has(Subagents) && s.chance(60) {
		s.ghosts = []string{s.fresh("agent")}
	}
	s.plan.size = 2 + s.even(k.MaxEvents-1)
	if p.request == wanted || p.request == perhaps && k.has(Requests) && s.chance(30) {
		s.makeRequest()
	}
	return s
}

func newRun(id string) *run {
	return &run{id: id, chunked: map[thing]bool{}, books: map[thing]owner{}, seen: map[string]bool{}, answered: map[string]bool{}, listed: map[string]bool{}}
}

func (s *sim) result() Stream {
	out := s.fit
	out.Events = s.out
	if s.request != nil {
		out.Request = s.request.bytes
	}
	return out
}

// event is one event in the making.
type event struct {
	s    *sim
	typ  baseline.EventType
	own  owner
	n    *noise
	body value
}

func (s *sim) event(typ baseline.EventType, own owner) *event {
	e := &event{s: s, typ: typ, own: own, n: s.noise()}
	e.body = value{kind: '{', members: make([]member, 0, 8)}
	return e.put("type", str(typ.String()))
}

func (e *event) put(name string, v value) *event {
	e.body.members = append(e.body.members, m(name, v))
	return e
}

// may puts an optional member, or not.
func (e *event) may(name string, v func() value) *event {
	if e.wants() {
		e.put(name, v())
	}
	return e
}

func (e *event) wants() bool { return e.s.k.has(Optional) && e.n.chance(35) }

func (e *event) opt(name string, o opt) *event {
	if o.given {
		e.put(name, str(o.s))
	}
	return e
}

// common puts what every event may have.
func (e *event) common() {
	if e.own.tagged {
		e.put("subagentRunId", str(e.own.tag))
	}
	if !e.s.k.has(Optional) || e.n.chance(60) {
		return
	}
	e.may("timestamp", func() value { return e.s.integer(e.n, 1<<53-1, true) })
	e.may("rawEvent", func() value { return e.s.anything(e.n, 2, false) })
	e.may("metadata", func() value { return e.s.metadata(e.n) })
}

// emit writes the event and notes what every event of its kind does to lanes and tags.
func (e *event) emit() {
	e.common()
	e.write()
	e.s.note(e)
}

func (e *event) write() {
	if f := e.s.mangle; f != nil {
		e.s.mangle = nil
		f(e)
	}
	e.s.out = append(e.s.out, spell(e.n, e.s.k.has(Odd)).bytes(e.body))
}

func (s *sim) note(e *event) {
	if s.run == nil {
		return
	}
	if e.own.tagged {
		s.seen[e.own.tag] = true
	}
	s.closeLanes(e)
}

// tags lists who may be the owner of an event now, the parent agent first.
func (s *sim) tags() []owner {
	out := []owner{parentAgent}
	for _, a := range s.run.subs {
		out = append(out, by(a.id))
	}
	for _, g := range s.ghosts {
		if !s.run.announced(g) {
			out = append(out, by(g))
		}
	}
	return out
}

// tag draws an owner among those that are legal.
func (s *sim) tag(legal func(owner) bool) owner {
	list, _ := s.legalTags(legal)
	return pick(s.draw, list)
}

func (s *sim) anyTag() owner { return pick(s.draw, s.tags()) }

func (s *sim) legalTags(legal func(owner) bool) ([]owner, bool) {
	var out []owner
	for _, o := range s.tags() {
		if legal(o) {
			out = append(out, o)
		}
	}
	return out, len(out) > 0
}

// --- books of owners ---

func bookOf(kind string) string {
	switch kind {
	case "tool-message", "text":
		return "message"
	case "span":
		return "reasoning"
	}
	return kind
}

func (s *sim) owned(book, id string) (owner, bool) {
	o, ok := s.books[thing{book, id}]
	return o, ok
}

// agrees: an untagged event agrees with everything, a tagged one with its item's owner.
func (s *sim) agrees(book, id string, tag owner) bool {
	o, ok := s.owned(book, id)
	return !tag.tagged || !ok || o == tag
}

func (s *sim) claim(book, id string, o owner) {
	if _, ok := s.owned(book, id); !ok {
		s.books[thing{book, id}] = o
	}
}

func (s *sim) give(book, id string, o owner) { s.books[thing{book, id}] = o }

// --- open items ---

func (s *sim) openOf(kind string) []item {
	var out []item
	for _, it := range s.open {
		if it.kind == kind {
			out = append(out, it)
		}
	}
	return out
}

func (s *sim) isOpen(kind, id string) bool {
	for _, it := range s.open {
		if it.kind == kind && it.id == id {
			return true
		}
	}
	return false
}

// opened notes a START.
func (s *sim) opened(kind, id string) {
	o, _ := s.owned(bookOf(kind), id)
	s.open = append(s.open, item{kind, id, o})
	delete(s.chunked, thing{kind, id})
}

func (s *sim) closed(it item) {
	for i, have := range s.open {
		if have.kind == it.kind && have.id == it.id {
			s.open = append(s.open[:i:i], s.open[i+1:]...)
			return
		}
	}
}

// continuationTag draws the tag of content or an end for an open item.
func (s *sim) continuationTag(it item) owner {
	o := s.tag(func(o owner) bool {
		return s.agrees(bookOf(it.kind), it.id, o) && !(s.k.Guard && o.tagged && o != it.opened)
	})
	if o.tagged && o != it.opened {
		s.fit.OwnersSettled = false
	}
	return o
}

// --- registers ---

func (s *sim) message(id string) *message {
	for _, m := range s.messages {
		if m.id == id {
			return m
		}
	}
	return nil
}

func (s *sim) messagesOf(kind string) []*message {
	var out []*message
	for _, m := range s.messages {
		if m.kind == kind {
			out = append(out, m)
		}
	}
	return out
}

func (s *sim) newMessage(kind string) *message {
	m := &message{id: s.fresh("message"), kind: kind}
	s.messages = append(s.messages, m)
	s.checkSpans(m.id, kind)
	return m
}

// checkSpans: the guards keep one book for all of them.
func (s *sim) checkSpans(id, kind string) {
	if kind != "reasoning" && s.ids.taken("span", id) {
		s.fit.OwnersSettled = false
	}
}

func (s *sim) call(id string) *call {
	for _, c := range s.calls {
		if c.id == id {
			return c
		}
	}
	return nil
}
