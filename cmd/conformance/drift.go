package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/drift"
	"github.com/agentstream/conformance/conformance/drift/fetch"
	"github.com/agentstream/conformance/conformance/drift/reader"
)

// drifting holds the flags of the command drift.
type drifting struct {
	kind, revision, format, deliberate, from, between string
	upstream, refresh, types, shapes                  bool
	packages                                          map[string]*string // by registry
	limit                                             time.Duration
}

func newDrift() *cobra.Command {
	k := drifting{packages: map[string]*string{}}
	c := &cobra.Command{
		Use:   "drift [flags] [SDK_DIR]",
		Short: "Compare an SDK's event types and fields with the protocol's",
		Long: `drift reads the sources of an SDK as text, without compiling or running them,
and compares its event types, their fields and which of them may be absent with
the protocol's baseline.

SDK_DIR is the folder that declares the event types, or one that holds it, or a
single file. A published package can be named instead; its own registry's client
brings it, and nothing of it is run.

A difference that is meant is listed in a file, one a line: KIND TYPE REASON, or
KIND TYPE.FIELD REASON; TYPE and FIELD may have * for any text. An entry without
a difference is an error.

Exit codes: 0 no difference, 1 differences, 2 the tool or its arguments failed
or too little of the SDK could be read.`,
		Example: `  conformance drift src/
  conformance drift --npm @ag-ui/core@0.0.57
  conformance drift --revision 0.x --deliberate drift.txt sdk/
  conformance drift --upstream
  conformance drift --between 0.0.57 1.0.0`,
		RunE: func(_ *cobra.Command, args []string) error { return k.run(args) },
	}
	f := c.Flags()
	f.StringVar(&k.kind, "sdk-kind", "", "language of the SDK, by default the one that mentions most event types: "+strings.Join(reader.Names(), ", "))
	f.StringVar(&k.revision, "revision", "", "of the protocol, or a release of its history; by default the current one")
	f.StringVar(&k.format, "format", "text", "of the report: "+strings.Join(drift.Formats(), ", "))
	f.StringVar(&k.deliberate, "deliberate", "", "`file` that lists differences that are meant")
	f.BoolVar(&k.types, "types", false, "compare the lists of event types alone")
	f.BoolVar(&k.shapes, "shapes", false, "compare the objects that events hold too, such as TokenUsage, where the SDK declares one of that name")
	for _, r := range fetch.Registries() {
		k.packages[r.Name] = f.String(r.Name, "", "read the published package `"+r.Spec+"`")
	}
	f.BoolVar(&k.upstream, "upstream", false, "also ask whether the baseline is current; needs the network")
	f.StringVar(&k.from, "from", "", "`file` or address to ask instead of the newest package, with --upstream")
	f.BoolVar(&k.refresh, "refresh", false, "make the baseline anew, at the release that is named if any, instead of looking at an SDK; needs Node and the repository")
	f.StringVar(&k.between, "between", "", "list what changed from the `revision` to the one that is the argument")
	f.DurationVar(&k.limit, "limit-fetch", 5*time.Minute, "until what is fetched is there")
	complete(c, "sdk-kind", reader.Names())
	complete(c, "format", drift.Formats())
	return c
}

func (k *drifting) run(args []string) error {
	if err := oneOf("format", k.format, drift.Formats()); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, k.limit)
	defer cancel()
	switch {
	case k.refresh:
		return k.refreshed(ctx, args)
	case k.between != "":
		return k.changes(args)
	}
	return k.check(ctx, args)
}

// check compares the SDK, where one is named, and asks upstream.
func (k *drifting) check(ctx context.Context, args []string) error {
	if k.from != "" && !k.upstream {
		return errors.New("--from says what --upstream asks; give both")
	}
	r, err := k.result(ctx, args)
	if err != nil {
		return err
	}
	if k.upstream {
		r.Upstream = drift.AskUpstream(ctx, k.from)
	}
	write, _ := drift.In(k.format)
	if err := write(os.Stdout, r); err != nil {
		return err
	}
	if r.Drifted() {
		return exit(conformance.ExitFindings)
	}
	return nil
}

// result compares the SDK. Without one, there is only upstream to ask.
func (k *drifting) result(ctx context.Context, args []string) (*drift.Result, error) {
	against, err := drift.Revision(k.revision)
	if err != nil {
		return nil, err
	}
	entries, err := k.entries()
	if err != nil {
		return nil, err
	}
	sdk, done, err := k.sdk(ctx, args)
	if err != nil {
		return nil, err
	}
	defer done()
	if sdk.Dir == "" {
		return &drift.Result{Against: against}, nil
	}
	source, err := drift.Open(sdk.Dir, k.kind)
	if err != nil {
		return nil, err
	}
	r, err := drift.Check(against, source, drift.Options{TypesOnly: k.types, Shapes: k.shapes})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sdk.Title, err)
	}
	if r.SDK.Source = filepath.ToSlash(sdk.Title); sdk.Title == sdk.Dir {
		r.SDK.Folder = folderOf(sdk.Dir)
	}
	r.Excuse(entries)
	return r, nil
}

// sdk returns the one SDK that the arguments and flags name. What was fetched for
// it is there until done is called.
func (k *drifting) sdk(ctx context.Context, args []string) (sdk fetch.Fetched, done func(), err error) {
	done = func() {}
	var named []fetch.Registry
	for _, r := range fetch.Registries() {
		if *k.packages[r.Name] != "" {
			named = append(named, r)
		}
	}
	switch {
	case len(args)+len(named) > 1:
		return sdk, done, errors.New("drift compares one SDK at a time: a folder or a package")
	case len(args) == 1:
		return fetch.Fetched{Title: args[0], Dir: args[0]}, done, nil
	case len(named) == 0 && k.upstream:
		return sdk, done, nil
	case len(named) == 0:
		return sdk, done, errors.New("nothing to compare; give the folder of an SDK, or a package")
	}
	dir, err := os.MkdirTemp("", "conformance-drift-")
	if err != nil {
		return sdk, done, err
	}
	done = func() { os.RemoveAll(dir) }
	if sdk, err = named[0].Get(ctx, *k.packages[named[0].Name], dir); err != nil {
		done()
	}
	return sdk, done, err
}

// folderOf returns a folder, or that of a file.
func folderOf(p string) string {
	if info, err := os.Stat(p); err == nil && !info.IsDir() {
		return filepath.Dir(p)
	}
	return p
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

// changes lists what changed between two revisions.
func (k *drifting) changes(args []string) error {
	if len(args) != 1 {
		return errors.New("--between takes two revisions, as in --between 0.0.57 1.0.0")
	}
	from, err := drift.Revision(k.between)
	if err != nil {
		return err
	}
	to, err := drift.Revision(args[0])
	if err != nil {
		return err
	}
	write, ok := drift.BetweenIn(k.format)
	if !ok {
		return fmt.Errorf("--between has no format %s", k.format)
	}
	return write(os.Stdout, from.Revision, to.Revision, drift.Between(from.Revision, to.Revision))
}

// refreshed makes the baseline anew. It never looks at an SDK.
func (k *drifting) refreshed(ctx context.Context, args []string) error {
	switch {
	case k.upstream || k.from != "":
		return errors.New("--refresh changes the baseline and --upstream asks whether it has to: one at a time")
	case len(args) > 1:
		return errors.New("--refresh takes one release at most")
	}
	for name, spec := range k.packages {
		if *spec != "" {
			return fmt.Errorf("--refresh looks at no SDK, but there is --%s", name)
		}
	}
	release := ""
	if len(args) == 1 {
		release = args[0]
	}
	return drift.Refresh(ctx, ".", release, os.Stdout)
}
