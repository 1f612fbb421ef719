package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
)

func newVerdicts() *cobra.Command {
	var j judging
	var findings bool
	lineBytes := size(conformance.DefaultLineBytes)
	c := &cobra.Command{
		Use:   "verdicts [flags]",
		Short: "Answer one verdict per line: the protocol of verifiers",
		Long: `verdicts reads one JSON line per stream from standard input and answers each
with one line, in order and as soon as it can. A request is

  {"id":ANY,"events":[…]}

with optional profile, revision and request, which override the flags; other
members are ignored. The answer is one of

  {"id":ANY,"verdict":"accept"}
  {"id":ANY,"verdict":"reject","code":"…","index":N,"message":"…"}
  {"id":ANY,"verdict":"incomplete","code":"limit","index":N,"message":"…"}
  {"id":ANY,"error":"…"}

The id comes back byte for byte; it is null where there is none or the line
cannot be read. Blank lines have no answer. An error answer is an answer: the
exit code is 0 whatever the verdicts, and 2 only where the flags are wrong or
reading or writing fails.`,
		Example: `  echo '{"id":1,"events":[]}' | conformance verdicts`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := j.load(); err != nil {
				return err
			}
			o := conformance.VerdictOptions{Options: j.Options, Findings: findings, LineBytes: int(lineBytes)}
			return conformance.Verdicts(os.Stdin, os.Stdout, o)
		},
	}
	j.addFlags(c)
	c.Flags().BoolVar(&findings, "findings", false, "put all findings into each answer, as in the JSON report of check")
	c.Flags().Var(&lineBytes, "limit-line-bytes", "bytes of one line, plain or like 64MiB")
	return c
}
