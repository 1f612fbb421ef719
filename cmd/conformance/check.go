package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/report"
)

// check holds the flags of the command of that name.
type check struct {
	judging
	format, failOn, input, colour string
	quiet                         bool
}

var checkFormats = []string{"text", "json", "sarif"}

func newCheck() *cobra.Command {
	var k check
	c := &cobra.Command{
		Use:   "check [flags] PATH…",
		Short: "Judge recorded streams",
		Long: `check judges recorded event streams and says of each what is wrong, where, and
what it breaks.

PATH is a file, a folder, or - for standard input. Of a folder, at any depth,
all *.jsonl, *.ndjson and *.sse count, and *.http, *.json and *.txt that hold a
stream; each may be gzipped (.gz). A recording is one event a line, one JSON
array, or a text/event-stream capture, also with the response headers of curl -i
in front.

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 the tool or its
arguments failed or a stream could not be judged to its end. 2 beats 1.`,
		Example: `  conformance check run.sse
  conformance check --profile consumer --revision auto recordings/
  curl -sN … | conformance check -`,
		RunE: func(_ *cobra.Command, paths []string) error { return k.run(paths) },
	}
	k.addFlags(c)
	f := c.Flags()
	f.StringVar(&k.format, "format", "text", "of the report: "+strings.Join(checkFormats, ", "))
	f.StringVar(&k.failOn, "fail-on", "error", "least severity that makes the exit code 1: "+strings.Join(conformance.Severities(), ", "))
	f.StringVar(&k.input, "input", "auto", "format of the recordings: "+strings.Join(conformance.Inputs(), ", "))
	addColour(c, &k.colour)
	f.BoolVarP(&k.quiet, "quiet", "q", false, "leave out streams without a finding")
	complete(c, "format", checkFormats)
	complete(c, "fail-on", conformance.Severities())
	complete(c, "input", conformance.Inputs())
	return c
}

func (k *check) run(paths []string) error {
	if len(paths) == 0 {
		return errors.New("nothing to check; give a file, a folder, or - for standard input")
	}
	failOn, err := k.parse()
	if err != nil {
		return err
	}
	sources, problems := conformance.Find(paths, os.Stdin, k.input)
	for _, p := range problems {
		complain(p)
	}
	if len(sources) == 0 {
		return exit(conformance.ExitFailed)
	}
	tally, err := k.judge(sources, failOn)
	if err != nil {
		return err
	}
	return k.exit(tally.Exit(failOn), len(problems) > 0)
}

func (k *check) exit(code int, problems bool) error {
	if problems {
		code = conformance.ExitFailed
	}
	if code == conformance.ExitClean {
		return nil
	}
	return exit(code)
}

// parse reads the flags that are words, before anything is opened.
func (k *check) parse() (failOn conformance.Severity, err error) {
	if err := k.load(); err != nil {
		return failOn, err
	}
	for _, f := range []struct {
		what, value string
		known       []string
	}{
		{"format", k.format, checkFormats}, {"colour mode", k.colour, colourModes}, {"input format", k.input, conformance.Inputs()},
	} {
		if err := oneOf(f.what, f.value, f.known); err != nil {
			return failOn, err
		}
	}
	return conformance.ParseSeverity(k.failOn)
}

// judge writes the report and counts.
func (k *check) judge(sources []conformance.Source, failOn conformance.Severity) (*conformance.Tally, error) {
	bar := newBar(sources)
	defer bar.close()
	out := bar.before(os.Stdout)
	o := conformance.CheckOptions{
		Options: k.Options, Floor: min(failOn, conformance.Warning), Evidence: k.format == "text", Progress: bar.add,
	}
	streams, err := conformance.Check(sources, o)
	if err != nil {
		return nil, err
	}
	w, tally := k.writer(out), &conformance.Tally{}
	for s := range streams {
		tally.Add(s)
		if s.Err != nil {
			bar.clear()
			complain(conformance.Unreadable(s))
		}
		if err := w.Stream(s); err != nil {
			return nil, err
		}
	}
	bar.close()
	return tally, w.End(tally)
}

func (k *check) writer(out io.Writer) report.Writer {
	switch k.format {
	case "json":
		return report.NewJSON(out)
	case "sarif":
		return report.NewSARIF(out)
	}
	return report.NewText(out, report.TextOptions{Colour: coloured(k.colour, os.Stdout), Quiet: k.quiet})
}
