package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/compilefail"
	"github.com/agentstream/conformance/conformance/report"
)

func newCompileFail() *cobra.Command {
	var format string
	formats := []string{"text", "json"}
	c := &cobra.Command{
		Use:   "compilefail DIR",
		Short: "Test what must not compile, and for which reason",
		Long: `compilefail compiles sources that must not compile. Below each Cargo.toml (its
examples), tsconfig.json or go.mod in DIR, a case is a file or folder NAME_bad with
its twin NAME_good. The lines at fault have a mark, by the code of the error, a
part of its text, or the name of an analyzer of go vet:

  let b = ctx.assistant_message(); //~ ERROR E0499
  var _ Verifier = deaf{} //~ ERROR "missing method Finish"

The errors must be exactly those that are marked, and the twin must compile: or
else a slip of the pen or a missing dependency would pass for success. cargo, tsc
(the project's own, or the installed one) and go have to be there, and what the
project depends on.

Exit codes: 0 nothing compiles that must not, 1 something does or has other
errors, 2 the tool or its arguments failed or a project could not be compiled.`,
		Example: "  conformance compilefail scenarios/compilefail",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("compilefail takes one folder: that of a project, or one above several")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			return compileFail(args[0], format)
		},
	}
	c.Flags().StringVar(&format, "format", formats[0], "of the report: "+strings.Join(formats, ", "))
	complete(c, "format", formats)
	return c
}

func compileFail(folder, format string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := newSpinner("compiling")
	cases, err := compilefail.Run(ctx, folder)
	s.close()
	if err != nil {
		return err
	}
	write := report.CompileFail
	if format == "json" {
		write = report.CompileFailJSON
	}
	if err := write(os.Stdout, cases); err != nil {
		return err
	}
	for _, c := range cases {
		if len(c.Problems) > 0 {
			return exit(conformance.ExitFindings)
		}
	}
	return nil
}
