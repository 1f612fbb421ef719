package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
)

// generate holds the flags of the command of that name.
type generate struct {
	conformance.GenerateOptions
	legal            bool
	count, maxEvents positive
}

func newGenerate() *cobra.Command {
	k := generate{count: 10, maxEvents: 40}
	c := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Make streams with the verdict that each must get",
		Long: `generate prints streams, legal ones or ones that break a rule, one JSON line
each, as verdicts reads them:

  {"id":"…","profile":"…","events":[…],"expect":{"verdict":"accept"}}
  {"id":"…","profile":"…","events":[…],"expect":{"verdict":"reject","code":"…",
   "index":N,"finding":{"clause":"…","severity":"error","index":N}}}

A line has a request or a revision too where the stream is judged with one. With
--break, the finding is among the stream's; where it is a warning or advice, the
verdict is accept. Where the rule is about bytes, events are what breaks it: no
JSON, bad UTF-8.

The streams come from a model that shares no code with the verifier. The same
flags give the same lines, in one version of the kit.`,
		Example: `  conformance generate -n 1000 | my-verifier
  conformance generate --break not-open --seed 7 | conformance verdicts`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return k.run() },
	}
	f := c.Flags()
	f.BoolVar(&k.legal, "legal", false, "streams that must be accepted (the default)")
	f.StringVar(&k.Break, "break", "", "streams that break a rule: its `CODE` or CODE/CLAUSE")
	addProtocol(c, &k.Protocol, &k.Profile)
	f.Uint64Var(&k.Seed, "seed", 1, "another one gives other streams")
	f.VarP(&k.count, "count", "n", "how many streams")
	f.Var(&k.maxEvents, "max-events", "about how many events a stream has at most")
	complete(c, "break", conformance.Codes(""))
	return c
}

func (k *generate) run() error {
	if k.legal && k.Break != "" {
		return errors.New("a stream that breaks a rule is not legal; give --legal or --break, not both")
	}
	k.Count, k.MaxEvents = int(k.count), int(k.maxEvents)
	return conformance.Generate(os.Stdout, k.GenerateOptions)
}
