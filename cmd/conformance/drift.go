package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/drift"
	"github.com/agentstream/conformance/conformance/drift/reader"
)

// drifting holds the flags of the command drift.
type drifting struct {
	kind, revision, format, deliberate string
}

func newDrift() *cobra.Command {
	var k drifting
	c := &cobra.Command{
		Use:   "drift [flags] SDK_DIR",
		Short: "Compare an SDK's event types and fields with the protocol's",
		Long: `drift reads the sources of an SDK as text, without compiling or running them, and
compares its event types, their fields and which of them may be absent with the
protocol's baseline.

SDK_DIR is the folder that declares the event types, or one that holds it, or a
single file.

A difference that is meant is listed in a file, one a line: KIND TYPE REASON, or
KIND TYPE.FIELD REASON; TYPE and FIELD may have * for any text. An entry without a
difference is an error.

Exit codes: 0 no difference, 1 differences, 2 the tool or its arguments failed or
too little of the SDK could be read.`,
		Example: `  conformance drift src/
  conformance drift --revision 0.x --deliberate drift.txt sdk/`,
		RunE: func(_ *cobra.Command, args []string) error { return k.run(args) },
	}
	f := c.Flags()
	f.StringVar(&k.kind, "sdk-kind", "", "language of the SDK, by default the one that mentions most event types: "+strings.Join(reader.Names(), ", "))
	f.StringVar(&k.revision, "revision", "", "of the protocol, or a release of its history; by default the current one")
	f.StringVar(&k.format, "format", "text", "of the report: "+strings.Join(drift.Formats(), ", "))
	f.StringVar(&k.deliberate, "deliberate", "", "`file` that lists differences that are meant")
	complete(c, "sdk-kind", reader.Names())
	complete(c, "format", drift.Formats())
	return c
}

func (k *drifting) run(args []string) error {
	write, ok := drift.In(k.format)
	if !ok {
		return conformance.Unknown("format", k.format, drift.Formats())
	}
	if len(args) != 1 {
		return errors.New("drift takes one folder, that of the SDK")
	}
	r, err := k.compare(args[0])
	if err != nil {
		return err
	}
	if err := write(os.Stdout, r); err != nil {
		return err
	}
	if r.Drifted() {
		return exit(conformance.ExitFindings)
	}
	return nil
}

func (k *drifting) compare(dir string) (*drift.Result, error) {
	against, err := drift.Revision(k.revision)
	if err != nil {
		return nil, err
	}
	entries, err := k.entries()
	if err != nil {
		return nil, err
	}
	source, err := drift.Open(dir, k.kind)
	if err != nil {
		return nil, err
	}
	r, err := drift.Check(against, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	r.SDK.Source = dir
	r.Excuse(entries)
	return r, nil
}

func (k *drifting) entries() ([]drift.Entry, error) {
	if k.deliberate == "" {
		return nil, nil
	}
	text, err := os.ReadFile(k.deliberate)
	if err != nil {
		return nil, err
	}
	entries, err := drift.ParseDeliberate(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.deliberate, err)
	}
	return entries, nil
}
