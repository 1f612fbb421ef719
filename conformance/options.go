package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// Options say how a stream is judged. The zero value is AG-UI's profile producer under 1.0, for a stream
// that does not show another protocol.
type Options struct {
	// Protocol is one of Protocols; empty or ProtocolAuto: what the profile implies, or else what the
	// first event of the stream shows.
	Protocol string
	// Profile is one of the protocol's; empty means its first. It is never guessed.
	Profile string
	// Revision, Request and StrictVersion are AG-UI's: see agui.Options.
	Revision      string
	Request       []byte
	StrictVersion bool
	// Limits bound the cost; what is zero has its default.
	Limits Limits
	// Dump puts what was open into each violation.
	Dump bool
	// Off are clauses that are not judged.
	Off verifier.Mask
}

// The words of the verifier that a caller of this package needs.
type (
	// Limits bound what one stream may cost.
	Limits = verifier.Limits
	// Severity says how much a finding weighs.
	Severity = verifier.Severity
	// Violation is one finding.
	Violation = verifier.Violation
)

// DefaultLimits are generous for real streams and safe for hostile ones.
func DefaultLimits() Limits { return verifier.DefaultLimits() }

// Revisions are the names of AG-UI's revisions, the default one first.
func Revisions() []string { return agui.Revisions() }

// Severities are the names of what a finding may weigh, the heaviest first.
func Severities() []string {
	var names []string
	for s := verifier.Error; s >= verifier.Info; s-- {
		names = append(names, s.String())
	}
	return names
}

// ParseSeverity reads one of Severities.
func ParseSeverity(name string) (Severity, error) {
	if s, ok := verifier.ParseSeverity(name); ok {
		return s, nil
	}
	return verifier.None, Unknown("severity", name, Severities())
}

// Unknown says that there is no such thing of that name, which one may be meant and which there are.
func Unknown(what, name string, known []string) error {
	hint := ""
	if near := verifier.Nearest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %s? ", near)
	}
	return fmt.Errorf("there is no %s %q; %sgive one of %s", what, verifier.Shown(name), hint, strings.Join(known, ", "))
}

// Validate says what is wrong with options, in the words of a user.
func Validate(o Options) error {
	if o.Revision != "" && !slices.Contains(Revisions(), o.Revision) {
		return Unknown("revision", o.Revision, Revisions())
	}
	open, err := o.candidates()
	if err != nil {
		return err
	}
	for _, p := range open {
		if _, err := p.open(o); err != nil {
			return errors.New(strings.TrimRight(err.Error(), ". "))
		}
	}
	return nil
}

// The severities that a caller compares with.
const (
	Info    = verifier.Info
	Warning = verifier.Warning
	Error   = verifier.Error
)
