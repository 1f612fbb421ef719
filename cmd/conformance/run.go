package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/report"
)

// An exit is the error of a command that did its work and ends with a code of its own.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run is the command without the process around it.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	var code exit
	switch {
	case err == nil:
		return conformance.ExitClean
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, syscall.EPIPE):
		return conformance.ExitFailed // who reads has gone: nobody to tell
	}
	complain(err)
	return conformance.ExitFailed
}

// complain says what went wrong, one line on standard error.
func complain(err error) {
	fmt.Fprintln(os.Stderr, "conformance: "+report.Escape(strings.TrimSpace(err.Error())))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "conformance",
		Short: "Judge agent event streams",
		Long: `conformance judges recorded agent event streams: is this stream legal, and where not,
what is wrong, where, and what does it break?

Exit codes: 0 clean, 1 findings, 2 the tool or its arguments failed or a stream
could not be judged to its end. 2 beats 1.`,
		Example:       "  conformance check run.sse\n  conformance explain not-open",
		Version:       conformance.Version().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate(conformance.Version().String() + "\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.NewReplacer(
		".LocalFlags.FlagUsages", ".LocalFlags.FlagUsagesWrapped 80", ".InheritedFlags.FlagUsages", ".InheritedFlags.FlagUsagesWrapped 80",
	).Replace(root.UsageTemplate()))
	root.AddCommand(newCheck(), newVerdicts(), newShrink(), newGenerate(), newRules(), newExplain(), newCertify(), newRecord(), newDrift(), newCompileFail(), newSchema(), newVersion())
	return root
}

// subcommand refuses what is no command, with the nearest that is.
func subcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, x := range c.Commands() {
		if x.IsAvailableCommand() {
			names = append(names, x.Name())
		}
	}
	return conformance.Unknown("command", args[0], names)
}

func flagError(c *cobra.Command, err error) error {
	return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
}
