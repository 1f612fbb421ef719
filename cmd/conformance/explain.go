package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/drift"
	"github.com/agentstream/conformance/conformance/report"
)

func newExplain() *cobra.Command {
	var colour string
	c := &cobra.Command{
		Use:   "explain CODE",
		Short: "Say what a rule means, with a bad and a good stream",
		Long: `explain says what a code of a report means: what is blamed, what it breaks, how much
it weighs for whom, the page that decides it, and a bad and a good stream.
CODE may name one clause, as in not-open/step, and have its protocol in front, as
in agui/not-open; without one, it is explained in each protocol that has it.`,
		Example: "  conformance explain not-open\n  conformance explain missing-field/ordering",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain takes one code; conformance rules lists them all")
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(conformance.Codes(""), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("colour mode", colour, colourModes); err != nil {
				return err
			}
			e, err := conformance.Explain(args[0])
			if err != nil {
				return err
			}
			return report.Explain(os.Stdout, e, coloured(colour, os.Stdout))
		},
	}
	addColour(c, &colour)
	return c
}

func newRules() *cobra.Command {
	var format, protocol string
	c := &cobra.Command{
		Use:   "rules",
		Short: "List all rules of a protocol",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			write, err := report.RulesIn(format)
			if err != nil {
				return err
			}
			if err := oneOf("protocol", protocol, conformance.Protocols()); err != nil {
				return err
			}
			return write(os.Stdout, conformance.Rules(protocol))
		},
	}
	c.Flags().StringVar(&protocol, "protocol", conformance.Protocols()[0], "which protocol: "+strings.Join(conformance.Protocols(), ", "))
	complete(c, "protocol", conformance.Protocols())
	c.Flags().StringVar(&format, "format", "text", "of the list: "+strings.Join(report.RuleFormats(), ", "))
	complete(c, "format", report.RuleFormats())
	return c
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Println(conformance.Version())
			return err
		},
	}
}

// schemas are the JSON Schemas by the name of what they describe.
var schemas = map[string]func() []byte{
	"check":   func() []byte { return report.Schema },
	"certify": func() []byte { return report.CertifySchema },
	"drift":   func() []byte { return drift.Schema },
	"script":  conformance.ScriptSchema,
}

func newSchema() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:   "schema [" + strings.Join(names, "|") + "]",
		Short: "Print a JSON Schema: of check, certify or drift --format json, or of a script",
		Args:  cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),

		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			name := "check"
			if len(args) > 0 {
				name = args[0]
			}
			_, err := os.Stdout.Write(schemas[name]())
			return err
		},
	}
}

// noArguments refuses arguments in one sentence.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument, got %q", c.Name(), args[0])
	}
	return nil
}
