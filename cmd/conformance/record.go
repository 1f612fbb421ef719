package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/certify"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
)

// recording holds the flags of the command record.
type recording struct {
	asking
	out, scenario string
	features      []string
	wire          bool
}

func newRecord() *cobra.Command {
	var k recording
	c := &cobra.Command{
		Use:   "record --subject SUBJECT --out FOLDER",
		Short: "Keep what a server answers to the scenarios",
		Long: `record asks a server to play the scenarios and keeps each answer as it came:
status, headers, and the body read by read with the time of each. The folder is
a subject that certify and check read; what it has is what a later run judges.

A header that goes with requests, such as a token, is never kept. The folder must
be new or empty.

Exit codes: 0 recorded, 2 the tool or its arguments failed or some scenario could
not be recorded to its end.`,
		Example: `  conformance record --subject http://127.0.0.1:8000/ --out recordings
  conformance certify --subject recordings`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return k.run() },
	}
	k.addFlags(c)
	f := c.Flags()
	f.StringVar(&k.out, "out", "", "`folder` that is made")
	f.StringVar(&k.scenario, "scenario", "", "only the scenarios of this `pattern`, such as text/*")
	f.StringSliceVar(&k.features, "features", nil, "`names` of what the server can say, in place of its own list")
	f.BoolVar(&k.wire, "wire", false, "plain inputs, for a server without an adapter")
	return c
}

func (k *recording) run() error {
	if k.out == "" {
		return errors.New("nowhere to record to; give --out FOLDER")
	}
	list, err := certify.Select(k.scenario, k.wire)
	if err != nil {
		return err
	}
	s, err := k.open()
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := interruptible()
	defer stop()
	recorder, err := subject.Record(ctx, s, k.out, conformance.Version().String())
	if err != nil {
		return err
	}
	c, err := certify.Start(ctx, certify.Options{Subject: recorder, Scenarios: list, Features: k.features, Jobs: 1})
	if err != nil {
		return err
	}
	return k.play(ctx, c, len(list))
}

func (k *recording) play(ctx context.Context, c *certify.Certification, n int) error {
	bar := newSteps(n)
	defer bar.close()
	results, err := c.Run(ctx)
	if err != nil {
		return err
	}
	recorded, broken := 0, 0
	for r := range results {
		bar.add(1)
		switch r.Status {
		case scenario.CouldNotRun:
			broken++
			bar.clear()
			complain(fmt.Errorf("%s: %s", r.Scenario, r.Detail))
		case scenario.Unsupported, scenario.NotApplicable:
		default:
			recorded++
		}
	}
	bar.close()
	fmt.Fprintf(os.Stderr, "recorded %d scenarios to %s\n", recorded, k.out)
	if broken > 0 {
		return exit(conformance.ExitFailed)
	}
	return nil
}
