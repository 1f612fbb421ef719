package certify

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/shrink"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/scenarios"
)

// fuzzFamily is that of generated scripts.
const fuzzFamily = "fuzz/"

// The work that a failure of a generated script may cost.
const (
	confirmations  = 3
	shrinkRequests = 200
	shrinkTime     = 20 * time.Second
)

// generated returns the scenario of script i of a seed: legal, and to be faithful.
func (c *Certification) generated(i int) *scenarios.Scenario {
	seed := c.options.Seed + uint64(i)
	s := script.Legal(c.knobs()).Example(int(seed))
	return Scripted(fmt.Sprintf("%s%d", fuzzFamily, seed), s.JSON())
}

// knobs let the generator say what the subject declares; everything where it declares nothing.
func (c *Certification) knobs() script.Knobs {
	return script.Knobs{Features: c.names, Input: scenario.PlainInput("fuzz")}
}

// Scripted returns the scenario that plays a script, a JSON array of actions.
func Scripted(name string, actions []byte) *scenarios.Scenario {
	return &scenarios.Scenario{
		Name: name, Comment: "A script is played as it is.", Script: "run one\naccept\nfaithful\n",
		Files: []txtar.File{{Name: "one.script", Data: actions}},
	}
}

// fuzz plays a generated script. A failure is confirmed, made small, and carries its script.
func (c *Certification) fuzz(ctx context.Context, runner *scenario.Runner, i int) *scenario.Result {
	s := c.generated(i)
	r := runner.Run(ctx, s)
	if r.Status != scenario.Fail {
		return r
	}
	for range confirmations - 1 {
		if again := runner.Run(ctx, s); again.Status != scenario.Fail || again.Cause != r.Cause {
			r.Detail = "flaky: " + r.Detail
			return c.replayed(r, s)
		}
	}
	small := c.shrunk(ctx, runner, s, r)
	if again := runner.Run(ctx, small); again.Status == scenario.Fail {
		return c.replayed(again, small)
	}
	return c.replayed(r, s)
}

// replayed gives a result the command that plays its script again.
func (c *Certification) replayed(r *scenario.Result, s *scenarios.Scenario) *scenario.Result {
	if c.options.ReplayScript != nil {
		r.Replay = c.options.ReplayScript(string(s.Files[0].Data))
	}
	return r
}

// shrunk returns the smallest script that it finds which fails in the same way.
func (c *Certification) shrunk(ctx context.Context, runner *scenario.Runner, s *scenarios.Scenario, r *scenario.Result) *scenarios.Scenario {
	ctx, stop := context.WithTimeout(ctx, shrinkTime)
	defer stop()
	actions, err := script.Parse(s.Files[0].Data)
	if err != nil {
		return s
	}
	var documents [][]byte
	for i := range actions {
		one := bytes.TrimSpace(actions[i : i+1].JSON())
		documents = append(documents, one[1:len(one)-1])
	}
	requests := 0
	small := shrink.Shrink(ctx, documents, func(some [][]byte) bool {
		text := joined(some)
		if requests == shrinkRequests || !legal(s.Name, text) {
			return false
		}
		requests++
		again := runner.Run(ctx, Scripted(s.Name, text))
		return again.Status == scenario.Fail && again.Cause == r.Cause && again.Code == r.Code
	}, shrink.Options{})
	return Scripted(s.Name, joined(small.Events))
}

func joined(documents [][]byte) []byte {
	return append(append([]byte("["), bytes.Join(documents, []byte(","))...), ']')
}

// legal tells whether a script keeps the rules.
func legal(name string, text []byte) bool {
	s, err := script.Parse(text)
	return err == nil && s.Check(scenario.PlainInput(name)) == nil
}
