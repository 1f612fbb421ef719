// Package certify runs the suite of scenarios, and scripts made at random, against one subject, and says which grade the
// subject has earned and what that rests on.
package certify

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// Options say what is run.
type Options struct {
	Subject subject.Subject
	// Features are what the subject is to be held to; nil for what it says itself.
	Features []string
	// Scenarios are those of the suite that are run, by name.
	Scenarios []*scenarios.Scenario
	// Jobs is how many scenarios run at once.
	Jobs int
	// Known are failures that are expected. May be nil.
	Known *Known
	// Fuzz is how many generated scripts are run behind the suite, from Seed on.
	Fuzz int
	Seed uint64
	// Mutations is to how many changed scripts each answer is held, which it must not be faithful to.
	Mutations int
	// Wire judges legality only, on plain inputs, for a server without an adapter.
	Wire bool
	// Replay makes the command that runs one scenario again, ReplayScript the one that plays a script.
	Replay, ReplayScript func(string) string
}

// Select returns the scenarios that a pattern of path.Match has, by name; all for the empty one. They are those of the suite,
// or of wire.
func Select(pattern string, wire bool) (all []*scenarios.Scenario, err error) {
	suite := driving
	if wire {
		suite = plain
	}
	list, err := suite()
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if ok, err := path.Match(cmp.Or(pattern, s.Name), s.Name); err != nil {
			return nil, fmt.Errorf("%q is no pattern: %w", pattern, err)
		} else if ok {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no scenario that asks a server is called %q; --list names them", pattern)
	}
	return all, nil
}

// driving returns the scenarios of the suite that ask a subject anything.
func driving() (all []*scenarios.Scenario, err error) {
	for _, name := range scenarios.Names() {
		s, err := scenarios.Read(name)
		if err != nil {
			return nil, err
		}
		if _, drives, err := scenario.Needs(s); err != nil || drives {
			all = append(all, s)
		}
	}
	return all, nil
}

// A Certification is under way, or done.
type Certification struct {
	options     Options
	description subject.Description
	declared    *scenario.Features // nil: nothing is declared
	names       []string           // of the declared features
}

// Start asks the subject what it is.
func Start(ctx context.Context, o Options) (*Certification, error) {
	c := &Certification{options: o}
	var err error
	if c.description, err = o.Subject.Describe(ctx); err != nil {
		return nil, fmt.Errorf("cannot ask %s what it is: %w", o.Subject.Name(), err)
	}
	c.names = o.Features
	if c.names == nil {
		c.names = c.description.Features
	}
	if c.names != nil {
		c.declared = scenario.Declared(c.names)
	}
	return c, nil
}

// Description is what the subject says of itself.
func (c *Certification) Description() subject.Description { return c.description }

// Missing returns the features that a scenario needs and the subject does not declare.
func (c *Certification) Missing(s *scenarios.Scenario) ([]string, error) {
	needed, _, err := scenario.Needs(s)
	return c.declared.Missing(needed), err
}

// Run runs the suite and yields the results in the suite's order. When the context ends, what has not run could not run.
func (c *Certification) Run(ctx context.Context) (iter.Seq[*scenario.Result], error) {
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	runner := &scenario.Runner{Subject: c.options.Subject, Features: c.declared, Mutations: c.options.Mutations, Work: work}
	return func(yield func(*scenario.Result) bool) {
		defer os.RemoveAll(work)
		ctx, stop := context.WithCancel(ctx)
		results := c.each(ctx, runner)
		defer func() {
			stop()
			for range results { // what is under way ends before the folder goes
			}
		}()
		for r := range results {
			if !yield(r) {
				return
			}
		}
	}, nil
}

// each runs the scenarios and the generated scripts, several at once, and sends the results in order.
func (c *Certification) each(ctx context.Context, runner *scenario.Runner) <-chan *scenario.Result {
	suite := len(c.options.Scenarios)
	out := make(chan *scenario.Result)
	slots := make(chan chan *scenario.Result, max(1, c.options.Jobs)-1)
	go func() {
		defer close(slots)
		for i := range suite + c.options.Fuzz {
			slot := make(chan *scenario.Result, 1)
			slots <- slot
			go func() {
				if i < suite {
					slot <- c.one(ctx, runner, c.options.Scenarios[i])
				} else {
					slot <- c.fuzz(ctx, runner, i-suite)
				}
			}()
		}
	}()
	go func() {
		defer close(out)
		for slot := range slots {
			out <- <-slot
		}
	}()
	return out
}

func (c *Certification) one(ctx context.Context, runner *scenario.Runner, s *scenarios.Scenario) *scenario.Result {
	r := runner.Run(ctx, s)
	c.options.Known.apply(r)
	if c.options.Replay != nil {
		r.Replay = c.options.Replay(s.Name)
	}
	return r
}

// A Summary is what a certification came to.
type Summary struct {
	Results map[scenario.Status]int `json:"results"`
	// Features is how many of the features the grade rests on.
	Features   int     `json:"features"`
	OfFeatures int     `json:"ofFeatures"`
	Driver     string  `json:"driver"`
	Grades     []Grade `json:"grades"`
	// Problems are faults of the list of known failures.
	Problems []string `json:"problems"`
}

// Exit returns the command's exit code.
func (s *Summary) Exit() int {
	switch {
	case s.Results[scenario.CouldNotRun] > 0:
		return 2
	case s.Results[scenario.Fail]+s.Results[scenario.UnexpectedPass]+len(s.Problems) > 0:
		return 1
	}
	return 0
}

// A Grade is what a subject has earned, or not.
type Grade struct {
	Name  string `json:"name"` // wire, scripted, fuzzed
	Held  bool   `json:"held"`
	Rests string `json:"rests"` // on what
}

// Summarise adds the results up.
func (c *Certification) Summarise(results []*scenario.Result) Summary {
	s := Summary{Results: map[scenario.Status]int{}, Driver: c.description.Driver, Problems: append([]string{}, c.options.Known.unmatched()...)}
	legal, judged, played, fuzzed := 0, 0, 0, 0
	for _, r := range results {
		s.Results[r.Status]++
		passed, isFuzz := r.Status == scenario.Pass || r.Status == scenario.UnexpectedPass, strings.HasPrefix(r.Scenario, fuzzFamily)
		if isFuzz {
			played++
		}
		if isFuzz && passed {
			fuzzed++
		}
		switch {
		case passed || r.Cause == scenario.Unfaithful || r.Cause == scenario.Expectation || r.Cause == scenario.SDKRefused:
			judged++
			legal++
		case r.Cause != "" && r.Cause != scenario.Status501 && r.Cause != scenario.HTTP:
			judged++
		}
	}
	s.Features, s.OfFeatures = c.countFeatures()
	passed := s.Results[scenario.Pass] - fuzzed
	suite, ran := len(results)-played, s.Results[scenario.CouldNotRun] == 0
	applicable := suite - s.Results[scenario.Unsupported] - s.Results[scenario.NotApplicable]
	s.Grades = append(s.Grades, Grade{"wire", ran && judged > 0 && legal == judged, fmt.Sprintf("%d of %d streams are legal", legal, judged)})
	if c.options.Wire {
		return s
	}
	s.Grades = append(s.Grades, Grade{"scripted", ran && passed > 0 && passed == applicable,
		fmt.Sprintf("%d/%d, %d of %d features, driver %s", passed, suite, s.Features, s.OfFeatures, driver(c.description))})
	if c.options.Fuzz > 0 {
		s.Grades = append(s.Grades, Grade{"fuzzed", ran && played > 0 && fuzzed == played, fmt.Sprintf("%d/%d scripts, seed %d", fuzzed, c.options.Fuzz, c.options.Seed)})
	}
	return s
}

// countFeatures counts those that a grade rests on; all for a subject that declares nothing.
func (c *Certification) countFeatures() (declared, of int) {
	all := scenario.AllFeatures()
	if c.declared == nil {
		return len(all), len(all)
	}
	for _, f := range all {
		if slices.Contains(c.names, f) {
			declared++
		}
	}
	return declared, len(all)
}

func driver(d subject.Description) string {
	if d.Driver == "" {
		return "unknown"
	}
	return d.Driver
}

// Subject is how the subject is written on the command line.
func (c *Certification) Subject() string { return c.options.Subject.Name() }

// Features are those that the subject is held to; nil where it declares nothing.
func (c *Certification) Features() []string { return c.names }
