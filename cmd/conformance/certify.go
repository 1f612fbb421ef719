package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/certify"
	"github.com/agentstream/conformance/conformance/report"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// asking holds the flags of commands that ask a subject.
type asking struct {
	subject, bearerEnv string
	headers            []string
	limits             subject.Limits
	bytes              size
}

func (a *asking) addFlags(c *cobra.Command) {
	a.limits = subject.DefaultLimits()
	a.bytes = size(a.limits.Bytes)
	f := c.Flags()
	f.StringVar(&a.subject, "subject", "", "what is asked: an http or https `address`, reference, a folder of recordings, or else a command that prints its address")
	f.StringArrayVar(&a.headers, "header", nil, "`NAME: VALUE` that goes with each request; never shown or recorded")
	f.StringVar(&a.bearerEnv, "bearer-env", "", "name of the environment `variable` that holds a bearer token")
	f.DurationVar(&a.limits.Start, "limit-start", a.limits.Start, "until a command has said its address")
	f.DurationVar(&a.limits.Connect, "limit-connect", a.limits.Connect, "until a connection stands")
	f.DurationVar(&a.limits.Request, "limit-request", a.limits.Request, "until a response has ended")
	f.Var(&a.bytes, "limit-bytes", "of one response's body")
	f.IntVar(&a.limits.Events, "limit-events", a.limits.Events, "of one response")
}

// open returns the subject. Its errors are about the flags.
func (a *asking) open() (subject.Subject, error) {
	if a.subject == "" {
		return nil, errors.New("nothing to ask; give --subject")
	}
	header, err := a.header()
	if err != nil {
		return nil, err
	}
	a.limits.Bytes = int64(a.bytes)
	return certify.Open(a.subject, header, a.limits, os.Stderr)
}

func (a *asking) header() (http.Header, error) {
	h := http.Header{}
	for _, line := range a.headers {
		name, value, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(name) == "" {
			return nil, errors.New("a --header is NAME: VALUE")
		}
		h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if a.bearerEnv != "" {
		token := os.Getenv(a.bearerEnv)
		if token == "" {
			return nil, fmt.Errorf("the environment variable %s, which is to hold the bearer token, is empty", a.bearerEnv)
		}
		h.Set("Authorization", "Bearer "+token)
	}
	return h, nil
}

// certifying holds the flags of the command certify.
type certifying struct {
	asking
	features              []string
	scenario, knownFile   string
	script                string
	format, colour        string
	jobs, fuzz, mutations int
	seed                  uint64
	wire, list, dryRun, q bool
}

var certifyFormats = []string{"text", "json"}

func newCertify() *cobra.Command {
	var k certifying
	c := &cobra.Command{
		Use:   "certify --subject SUBJECT [flags]",
		Short: "Run the scenarios against a server",
		Long: `certify asks a server to play the scenarios, and says of each whether the stream
is legal and says what the agent said. The server is an SDK with an adapter that
plays scripts (docs/scripted-agent.md); one without can be asked with --wire.

SUBJECT is an http or https address; reference, this kit's own agent; a folder
that conformance record made; or else a command, which prints its address as the
first line of its standard output and stops when its standard input closes.

Exit codes: 0 all passed or known to fail, 1 some failed, 2 the tool or its
arguments failed or something could not run. 2 beats 1.`,
		Example: `  conformance certify --subject http://127.0.0.1:8000/
  conformance certify --subject './start' --known-failing known-failing.txt
  conformance certify --subject reference --scenario 'text/*'`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return k.run() },
	}
	k.addFlags(c)
	f := c.Flags()
	f.StringSliceVar(&k.features, "features", nil, "`names` of what the server can say, in place of its own list")
	f.StringVar(&k.scenario, "scenario", "", "only the scenarios of this `pattern`, such as text/*")
	f.StringVar(&k.script, "script", "", "play this `JSON` array of actions and nothing else")
	f.IntVar(&k.jobs, "jobs", 4, "scenarios at once")
	f.IntVar(&k.fuzz, "fuzz", 0, "generated scripts to play behind the scenarios")
	f.IntVar(&k.mutations, "mutations", 0, "changed scripts that each answer is held to, and must not be faithful to: a test of this kit")
	f.Uint64Var(&k.seed, "seed", 1, "of the first generated script")
	f.BoolVar(&k.wire, "wire", false, "judge only whether streams are legal, on plain inputs")
	f.StringVar(&k.knownFile, "known-failing", "", "`file` of scenarios that are known to fail: PATTERN # REASON")
	f.StringVar(&k.format, "format", "text", "of the report: "+strings.Join(certifyFormats, ", "))
	f.BoolVar(&k.list, "list", false, "name the scenarios and run none")
	f.BoolVar(&k.dryRun, "dry-run", false, "say which scenarios would run, and ask the server only what it is")
	f.BoolVarP(&k.q, "quiet", "q", false, "leave out what passed or does not apply")
	addColour(c, &k.colour)
	complete(c, "format", certifyFormats)
	return c
}

func (k *certifying) run() error {
	for _, f := range []struct {
		what, value string
		known       []string
	}{{"format", k.format, certifyFormats}, {"colour mode", k.colour, colourModes}} {
		if err := oneOf(f.what, f.value, f.known); err != nil {
			return err
		}
	}
	o := certify.Options{Jobs: k.jobs, Fuzz: k.fuzz, Mutations: k.mutations, Seed: k.seed, Wire: k.wire, Features: k.features, Replay: k.replay, ReplayScript: k.replayScript}
	var err error
	if o.Scenarios, err = k.selected(); err != nil {
		return err
	}
	if k.list {
		return k.names(o)
	}
	if o.Known, err = k.known(); err != nil {
		return err
	}
	if o.Subject, err = k.open(); err != nil {
		return err
	}
	defer o.Subject.Close()
	ctx, stop := interruptible()
	defer stop()
	return k.certify(ctx, o)
}

// interruptible returns a context that ends at the first interrupt; a second one ends the process. A pipe whose reader has
// gone is an error of writing from now on, so that what was started is stopped.
func interruptible() (context.Context, context.CancelFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// selected returns what is run: a script that was given, or scenarios.
func (k *certifying) selected() ([]*scenarios.Scenario, error) {
	if k.script == "" {
		return certify.Select(k.scenario, k.wire)
	}
	s := certify.Scripted("script/given", []byte(k.script))
	if _, _, err := scenario.Needs(s); err != nil {
		return nil, err
	}
	return []*scenarios.Scenario{s}, nil
}

func (k *certifying) names(o certify.Options) error {
	var b strings.Builder
	for _, s := range o.Scenarios {
		b.WriteString(s.Name + "\n")
	}
	_, err := io.WriteString(os.Stdout, b.String())
	return err
}

func (k *certifying) known() (*certify.Known, error) {
	if k.knownFile == "" {
		return nil, nil
	}
	f, err := os.Open(k.knownFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known, err := certify.ReadKnown(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.knownFile, err)
	}
	return known, nil
}

// replay is the command that runs one scenario again; generated ones carry their script.
func (k *certifying) replay(name string) string {
	return k.again() + " --scenario " + quoted(name)
}

func (k *certifying) replayScript(script string) string {
	return k.again() + " --script " + quoted(script)
}

// again is the command with all that counts for the subject. A secret is not in it.
func (k *certifying) again() string {
	line := "conformance certify --subject " + quoted(k.subject)
	if k.bearerEnv != "" {
		line += " --bearer-env " + k.bearerEnv
	}
	if k.features != nil {
		line += " --features " + strings.Join(k.features, ",")
	}
	if k.wire {
		line += " --wire"
	}
	return line
}

// quoted makes a word of a shell.
func quoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=+,@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (k *certifying) certify(ctx context.Context, o certify.Options) error {
	c, err := certify.Start(ctx, o)
	if err != nil {
		return err
	}
	if k.dryRun {
		return k.plan(c, o)
	}
	bar := newSteps(len(o.Scenarios) + o.Fuzz)
	defer bar.close()
	w := k.writer(bar.before(os.Stdout), c)
	results, err := c.Run(ctx)
	if err != nil {
		return err
	}
	var all []*scenario.Result
	for r := range results {
		all = append(all, r)
		bar.add(1)
		if err := w.Result(r); err != nil {
			return err
		}
	}
	bar.close()
	s := c.Summarise(all)
	if err := w.End(s); err != nil {
		return err
	}
	if code := s.Exit(); code != conformance.ExitClean {
		return exit(code)
	}
	return nil
}

func (k *certifying) writer(out io.Writer, c *certify.Certification) report.CertifyWriter {
	if k.format == "json" {
		return report.NewCertifyJSON(out, c)
	}
	return report.NewCertifyText(out, report.TextOptions{Colour: coloured(k.colour, os.Stdout), Quiet: k.q})
}

// plan says what would be run.
func (k *certifying) plan(c *certify.Certification, o certify.Options) error {
	var b strings.Builder
	for _, s := range o.Scenarios {
		missing, err := c.Missing(s)
		switch {
		case err != nil:
			fmt.Fprintf(&b, "%-12s %s: %v\n", scenario.CouldNotRun, s.Name, err)
		case len(missing) > 0:
			fmt.Fprintf(&b, "%-12s %s: needs %s\n", scenario.Unsupported, s.Name, strings.Join(missing, ", "))
		default:
			fmt.Fprintf(&b, "%-12s %s\n", "run", s.Name)
		}
	}
	_, err := io.WriteString(os.Stdout, b.String())
	return err
}

// newSteps returns a bar over a number of things; none where nobody watches.
func newSteps(n int) *bar {
	if !isatty.IsTerminal(os.Stderr.Fd()) || cmp.Or(os.Getenv("TERM"), "dumb") == "dumb" {
		return nil
	}
	return &bar{progressbar.NewOptions(n,
		progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionSetDescription("certifying"), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish(),
	)}
}
