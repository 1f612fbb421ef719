package session

import (
	"slices"
	"strconv"
)

// era is what a profile stands for, so that eras can be compared.
type era int

const (
	pi073 era = iota
	pi080
	pi1x
)

// sim is an agent that knows what it has written. Every action draws among what is legal now, writes records, and
// notes their effect.
type sim struct {
	draw
	k     Knobs
	era   era
	class Class

	out      [][]byte
	expected []Finding
	until    int // nothing new begins behind so many records
	bustle   int // how often in a hundred something else happens between two records
	tick     int64
	count    map[string]int // of ids
	model    faux

	sess  *sess
	known []*sess // sessions of the process, the present one too

	queue   [2][]string // steering, follow-up
	all     [2]bool     // their modes: all at once
	hold    bool        // the queue must stay as it is
	quiet   bool        // nothing happens between two records
	nested  bool        // something does just now
	busy    bool        // between the start of a run and its settling
	saying  bool        // a message that is not the assistant's
	started bool        // a prompt was accepted and its run has not begun
	ran     bool        // there was a run
	run     *run
	retry   struct{ attempt, max int }
	spilled bool   // this work has recovered from an overflow
	compact string // the reason of the open compaction
	abort   bool   // what runs is to stop
	backoff bool   // a retry waits
	autoOff struct{ retry, compaction bool }

	commands []*command // sent and not taken up
	waiting  []*command // answered when what runs has settled
	tasks    []*task    // that run beside the agent
	cancels  *command   // waits for the end of the retry that it cancels
	early    bool       // a release at the beginning of 1.x: no dispositions, no nested calls, and settled says no more
	bashSeen bool       // the release shows the output of commands while they run
	listed   map[string]bool
	full     bool // all entries of the session were asked for

	host   *host
	asking *call // the call that a question is about
	logged bool  // an extension logs the life of the session

	// What would be unfinished if the recording stopped behind each record.
	marks      []mark
	unanswered int  // commands
	midLine    bool // of standard input
	running    bool
	unsettled  bool
	shown      bool

	// For a broken recording.
	mangle  func(v value) value // spoils the next record of standard output
	earlier Finding             // an error that always comes before the fault
}

// faux is the model that answers.
type faux struct{ api, provider, name string }

func newSim(d draw, k Knobs) *sim {
	s := &sim{draw: d, k: k, count: map[string]int{}, tick: 1796003700000}
	s.chooseInput()
	s.until = 2 + s.even(k.MaxRecords-1)
	s.bustle = pick(d, []int{0, 0, 5, 15, 35})
	s.retry.max = 1 + s.roll(3)
	s.bashSeen = s.era == pi1x || s.era == pi080 && s.chance(50)
	s.early = s.era == pi1x && k.has(Optional) && s.chance(10)
	s.model = faux{"faux:" + strconv.Itoa(s.even(1000)), "faux", pick(d, []string{"faux-1", "faux-small", "claude"})}
	s.all = [2]bool{s.chance(30), s.chance(30)}
	s.open(s.newSession())
	return s
}

// chooseInput draws profile and class where the knobs leave them open.
func (s *sim) chooseInput() {
	profile, class := s.k.Profile, s.k.Class
	if profile == "" {
		profile = Profiles()[(2+s.roll(3))%3] // the newest is the simplest case
	}
	if class == "" {
		class = pick(s.draw, Classes())
	}
	s.era, s.class = era(slices.Index(Profiles(), profile)), class
}

func (s *sim) result() Stream {
	s.stopEarly()
	slices.SortStableFunc(s.expected, func(a, b Finding) int { return a.Index - b.Index })
	return Stream{s.out, Profiles()[s.era], s.class, s.expected}
}

// record writes a whole recording.
func (s *sim) record() {
	switch s.class {
	case Agent:
		s.recordAgent()
	case JSON:
		s.recordJSON()
	case Extension:
		s.recordLife()
	case Host:
		s.recordHost()
	default:
		s.logged = s.class == Transcript && s.chance(15)
		if s.logged {
			s.begin("startup")
		}
		s.serve()
	}
}

// session-level records are there; in the class of agents they are not.
func (s *sim) session() bool { return s.class != Agent }

// served says whether the agent is driven by commands.
func (s *sim) served() bool { return s.class == RPC || s.duplex() }

// duplex says whether both directions are recorded.
func (s *sim) duplex() bool { return s.class == Transcript || s.class == Host }

// room says whether something new may begin.
func (s *sim) room() bool { return len(s.out) < s.until }

// --- writing ---

func (s *sim) write(v value) int {
	s.out = append(s.out, spell(s.noise(), s.k.has(Odd)).bytes(v))
	s.marks = append(s.marks, mark{s.unanswered, s.running || s.unsettled, s.midLine, v.get("record").has("title"), s.shown})
	return s.last()
}

// last is the index of the record that was written last.
func (s *sim) last() int { return len(s.out) - 1 }

// emit writes a record of standard output and gives its index. Something else may happen behind it.
func (s *sim) emit(v value) int {
	if f := s.mangle; f != nil {
		s.mangle = nil
		v = f(v)
	}
	at := s.writeOut(v)
	s.point()
	return at
}

func (s *sim) writeOut(v value) int {
	s.follow(v)
	if !s.duplex() {
		return s.write(v)
	}
	at := s.write(s.enveloped("stdout", m("record", v)))
	if s.host != nil {
		s.host.live(s, v)
	}
	return at
}

func (s *sim) enveloped(dir string, what member) value {
	v := empty
	if s.class == Transcript && s.k.has(Optional) {
		s.tick += int64(s.noise().below(30))
		v = object(m("seq", number(len(s.out)+1)), m("t", number(s.tick-1796003700000)))
	}
	v = v.with("dir", str(dir))
	v.members = append(v.members, what)
	return v
}

// expect notes a finding that the recording gets on purpose.
func (s *sim) expect(code, severity string, index int) {
	s.expected = append(s.expected, Finding{code, severity, index})
}

// typed begins a record.
func typed(typ string, ms ...member) value {
	return value{kind: '{', members: append([]member{m("type", str(typ))}, ms...)}
}

// --- small facts ---

func (s *sim) now() value {
	s.tick += int64(1 + s.noise().below(90))
	return number(s.tick)
}

// id gives the next id of a kind: "call_1", "call_2", ….
func (s *sim) id(kind string) string {
	s.count[kind]++
	return kind + strconv.Itoa(s.count[kind])
}

// hex gives a new id of eight digits.
func (s *sim) hex() string {
	s.count["hex"]++
	h := strconv.FormatUint(uint64(s.count["hex"])*2654435761&0xffffffff, 16)
	return ("00000000" + h)[len(h):]
}

// uuid gives a new one.
func (s *sim) uuid() string { return "01a22a2b-" + s.hex()[:4] + "-7286-a17f-4c3a" + s.hex() }

// optional decides about a member that may be absent.
func (s *sim) optional(n *noise, percent int) bool { return s.k.has(Optional) && n.chance(percent) }
