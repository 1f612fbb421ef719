package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	smaller "github.com/agentstream/conformance/conformance/shrink"
)

// shrink holds the flags of the command of that name.
type shrink struct {
	judging
	keep, input, format string
	judgements          positive
}

const oneFile = "give one file, or - for standard input"

var shrinkFormats = []string{"text", "jsonl"}

func newShrink() *cobra.Command {
	k := shrink{judgements: smaller.DefaultJudgements}
	c := &cobra.Command{
		Use:   "shrink [flags] FILE",
		Short: "Make a recorded stream as small as its fault allows",
		Long: `shrink prints the smallest stream it finds that still gives the first verdict of
FILE: the same code for the same fault, by clause, type of event and member.
With --keep CODE or --keep CODE/CLAUSE it keeps any finding of that, also a
warning or advice, whatever the verdict.

It leaves out events, then members, then elements of lists; then it gives ids
short names, and shortens strings and numbers. What is no JSON is shortened byte
by byte. FILE is any recording that check reads, - standard input.

The stream is printed one event a line, to be read by check again; in --format
jsonl it is one line for verdicts, with the verdict that it must get. A line on
standard error says what became of what. Ctrl-C ends the search and prints the
smallest stream so far.

Exit codes: 0 shrunk, 2 there is nothing to keep, the tool or its arguments
failed, or Ctrl-C came.`,
		Example: `  conformance shrink run.sse > small.jsonl
  conformance shrink --keep tool-args-not-json run.sse | conformance check -`,
		RunE: func(_ *cobra.Command, paths []string) error { return k.run(paths) },
	}
	k.addFlags(c)
	f := c.Flags()
	f.StringVar(&k.keep, "keep", "", "`CODE` or CODE/CLAUSE of the finding to keep (default: the first verdict)")
	f.StringVar(&k.input, "input", "auto", "format of the recording: "+strings.Join(conformance.Inputs(), ", "))
	f.StringVar(&k.format, "format", shrinkFormats[0], "of the stream: "+strings.Join(shrinkFormats, ", "))
	f.Var(&k.judgements, "max-judgements", "how many streams are judged at most on the way")
	complete(c, "keep", conformance.Codes(""))
	complete(c, "input", conformance.Inputs())
	complete(c, "format", shrinkFormats)
	return c
}

func (k *shrink) run(paths []string) error {
	source, err := k.parse(paths)
	if err != nil {
		return err
	}
	events, err := conformance.ReadEvents(source, k.Limits)
	if err != nil {
		return err
	}
	goal, err := conformance.NewGoal(events, k.keep, k.Options)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	small := k.search(events, goal)
	if err := k.print(source, small.Events, goal); err != nil {
		return err
	}
	return k.tell(events, small, goal)
}

// parse reads the flags that are words, and the one path.
func (k *shrink) parse(paths []string) (source conformance.Source, err error) {
	if len(paths) == 0 {
		return source, errors.New("nothing to shrink; " + oneFile)
	}
	if err := k.load(); err != nil {
		return source, err
	}
	if err := oneOf("format", k.format, shrinkFormats); err != nil {
		return source, err
	}
	if k.keep != "" {
		if err := conformance.ValidateCode(k.keep); err != nil {
			return source, err
		}
	}
	sources, problems := conformance.Find(paths, os.Stdin, k.input)
	if len(problems) > 0 {
		return source, problems[0]
	}
	if len(sources) != 1 {
		return source, fmt.Errorf("%s makes %d streams; %s", strings.Join(paths, " "), len(sources), oneFile)
	}
	return sources[0], nil
}

// search shrinks until done or interrupted. A second interrupt ends the process.
func (k *shrink) search(events [][]byte, goal *conformance.Goal) smaller.Result {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	s := newSpinner("shrinking")
	defer s.close()
	o := smaller.Options{Judgements: int(k.judgements), IDs: conformance.IDs(goal.Protocol()), Words: conformance.Words(), Progress: func(x smaller.Result) {
		s.say(func() string { return fmt.Sprintf("%s, %s", streamSize(x.Events), count(x.Judgements, "judgement")) })
	}}
	return smaller.Shrink(ctx, events, goal.Met, o)
}

// print writes the stream to standard output, all at once.
func (k *shrink) print(source conformance.Source, events [][]byte, goal *conformance.Goal) error {
	out := conformance.Lines(events)
	if k.format == "jsonl" {
		var err error
		if out, err = goal.Vector(source.Name, events).Line(); err != nil {
			return fmt.Errorf("%w; --format text writes it", err)
		}
	}
	_, err := os.Stdout.Write(out)
	return err
}

// tell says on standard error what became of what.
func (k *shrink) tell(before [][]byte, small smaller.Result, goal *conformance.Goal) error {
	line := fmt.Sprintf("from %s to %s; %s; %s", streamSize(before), streamSize(small.Events), goal.Judge(small.Events), count(small.Judgements, "judgement"))
	if !goal.Recognised() && k.format == "text" {
		line += "; check needs --input ndjson to read it"
	}
	switch {
	case !small.Stopped:
		fmt.Fprintln(os.Stderr, line)
		return nil
	case small.Judgements >= int(k.judgements):
		fmt.Fprintln(os.Stderr, line+", the limit; --max-judgements raises it")
		return nil
	}
	fmt.Fprintln(os.Stderr, line)
	return errors.New("interrupted; the stream is the smallest so far")
}

// streamSize says how big a stream is, one event a line.
func streamSize(events [][]byte) string {
	return fmt.Sprintf("%s (%s)", count(len(events), "event"), byteCount(conformance.Bytes(events)))
}
