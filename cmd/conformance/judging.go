package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentstream/conformance/conformance"
)

// judging holds the flags that say how a stream is judged; check and verdicts share them.
type judging struct {
	conformance.Options
	requestFile string
}

func (j *judging) addFlags(c *cobra.Command) {
	f := c.Flags()
	addProtocol(c, &j.Protocol, &j.Profile, conformance.ProtocolAuto)
	f.StringVar(&j.Revision, "revision", "", "revision of AG-UI: "+strings.Join(conformance.Revisions(), ", ")+"; auto goes by what each run declares (default 1.0)")
	f.StringVar(&j.requestFile, "request", "", "the run's RunAgentInput, a JSON `file`: turns on the rules that need it")
	f.BoolVar(&j.StrictVersion, "strict-version", false, "under revision 1.0, a run that declares no protocolVersion is an error")
	j.addLimits(f)
	complete(c, "revision", conformance.Revisions())
}

// addProtocol adds the two flags that say what is judged. The protocol's other names, as auto, stand
// for more than one.
func addProtocol(c *cobra.Command, protocol, profile *string, others ...string) {
	names := append(conformance.Protocols(), others...)
	c.Flags().StringVar(protocol, "protocol", "", "which protocol: "+strings.Join(names, ", ")+" (default: what the profile implies, or else what the first event shows)")
	c.Flags().StringVar(profile, "profile", "", "who is judged: "+profilesOf()+" (default: the first of the protocol)")
	complete(c, "protocol", names)
	complete(c, "profile", conformance.Profiles(""))
}

// profilesOf lists the profiles of each protocol.
func profilesOf() string {
	var all []string
	for _, p := range conformance.Protocols() {
		all = append(all, p+": "+strings.Join(conformance.Profiles(p), ", "))
	}
	return strings.Join(all, "; ")
}

// addLimits gives every limit its flag.
func (j *judging) addLimits(f *pflag.FlagSet) {
	l, d := &j.Limits, conformance.DefaultLimits()
	*l = d
	f.Var((*size)(&l.EventBytes), "limit-event-bytes", "bytes of one event, plain or like 16MiB")
	f.Var((*positive)(&l.Depth), "limit-depth", "nesting of JSON")
	f.Var((*positive)(&l.Open), "limit-open", "items open at once")
	f.Var((*size)(&l.IDBytes), "limit-ids", "bytes of ids and names, all together")
	f.Var((*size)(&l.TextBytes), "limit-text", "bytes of joined text that is open, all together")
	f.Var((*size)(&l.DocumentBytes), "limit-documents", "bytes of state and activities, all together")
	f.Var((*positive)(&l.Findings), "max-findings", "findings kept of one stream; the others are counted")
}

// load reads what flags point to and says what is wrong with them.
func (j *judging) load() error {
	if j.StrictVersion && j.Revision == "" {
		j.Revision = conformance.Revisions()[0] // asked for by name, that is
	}
	if j.requestFile != "" {
		data, err := os.ReadFile(j.requestFile)
		if err != nil {
			return fmt.Errorf("cannot read the request %s: %w; give the run's RunAgentInput as a JSON file", j.requestFile, conformance.Plain(err))
		}
		j.Request = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		if j.Request == nil {
			j.Request = []byte{}
		}
	}
	err := conformance.Validate(j.Options)
	if err != nil && j.requestFile != "" {
		return fmt.Errorf("%s: %w", j.requestFile, err)
	}
	return err
}

func complete(c *cobra.Command, flag string, values []string) {
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}
