package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// The words of the verifier that a caller of this package needs.
type (
	// Options say how a stream is judged.
	Options = agui.Options
	// Limits bound what one stream may cost.
	Limits = verifier.Limits
	// Severity says how much a finding weighs.
	Severity = verifier.Severity
	// Violation is one finding.
	Violation = verifier.Violation
)

// DefaultLimits are generous for real streams and safe for hostile ones.
func DefaultLimits() Limits { return verifier.DefaultLimits() }

// Profiles are the names of the profiles, the default one first.
func Profiles() []string { return agui.Rules().Profiles }

// Revisions are the names of the revisions, the default one first.
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
	if o.Profile != "" && !slices.Contains(Profiles(), o.Profile) {
		return Unknown("profile", o.Profile, Profiles())
	}
	if o.Revision != "" && !slices.Contains(Revisions(), o.Revision) {
		return Unknown("revision", o.Revision, Revisions())
	}
	_, err := agui.New(o)
	if err != nil {
		return errors.New(strings.TrimRight(err.Error(), ". "))
	}
	return nil
}

// Named returns the profile and the revision that options stand for.
func Named(o Options) (profile, revision string) {
	return cmp.Or(o.Profile, Profiles()[0]), cmp.Or(o.Revision, Revisions()[0])
}

// Rules is the table that explains the codes.
func Rules() *verifier.Table { return agui.Rules() }

// The severities that a caller compares with.
const (
	Info    = verifier.Info
	Warning = verifier.Warning
	Error   = verifier.Error
)
