package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

// Rules writes the list of rules in a format.
type Rules func(w io.Writer, t *verifier.Table) error

// RuleFormats are the formats of the list of rules, by name.
var ruleFormats = []struct {
	name  string
	write Rules
}{{"text", rulesText}, {"json", rulesJSON}, {"markdown", rulesMarkdown}}

// RuleFormats are the names of the formats of the list of rules.
func RuleFormats() []string {
	var names []string
	for _, f := range ruleFormats {
		names = append(names, f.name)
	}
	return names
}

// RulesIn returns the writer of a format.
func RulesIn(format string) (Rules, error) {
	for _, f := range ruleFormats {
		if f.name == format {
			return f.write, nil
		}
	}
	return nil, conformance.Unknown("format", format, RuleFormats())
}

// letters stand for severities where a table has to be narrow.
var letters = [...]string{verifier.None: "-", verifier.Info: "I", verifier.Warning: "W", verifier.Error: "E"}

// words stand for severities in tables for reading.
var words = [...]string{verifier.None: "-", verifier.Info: "info", verifier.Warning: "warning", verifier.Error: "error"}

func rulesText(w io.Writer, t *verifier.Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Columns: %s.\nE error, W warning, I info, - not judged. A clause may differ from its rule:\nconformance explain CODE shows it.\n\n", strings.Join(t.Profiles, ", "))
	codes := 0
	for r := range own(t) {
		codes = max(codes, len(r.Code))
	}
	for r := range own(t) {
		text := wrap(r.Title, Columns-codes-len(t.Profiles)-4, Columns-codes-len(t.Profiles)-4)
		fmt.Fprintf(&b, "%-*s  %s  %s\n", codes, r.Code, strings.Join(levels(r, t), ""), text[0])
		for _, l := range text[1:] {
			fmt.Fprintf(&b, "%*s%s\n", codes+len(t.Profiles)+4, "", l)
		}
	}
	if others := adopted(t); others != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(wrap(capital(others)+".", Columns, Columns), "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// own ranges over the rules that are a protocol's own.
func own(t *verifier.Table) iter.Seq[*verifier.Rule] {
	return func(yield func(*verifier.Rule) bool) {
		for i := range t.Rules {
			if r := &t.Rules[i]; r.Protocol == "" && !yield(r) {
				return
			}
		}
	}
}

// adopted says whose rules a table has besides its own; empty where there are none.
func adopted(t *verifier.Table) string {
	for _, r := range t.Rules {
		if r.Protocol != "" {
			return "the events of " + r.Protocol + " that its records carry are judged by the rules of that protocol"
		}
	}
	return ""
}

// revised tells whether rules came with revisions of the protocol.
func revised(t *verifier.Table) bool {
	return slices.ContainsFunc(t.Rules, func(r verifier.Rule) bool { return r.Since != "" })
}

// levels returns a rule's letter in each profile.
func levels(r *verifier.Rule, t *verifier.Table) []string {
	var out []string
	for i := range t.Profiles {
		out = append(out, letters[r.Levels.In(i)])
	}
	return out
}

// rule is a rule as the JSON list has it.
type rule struct {
	Protocol string                       `json:"protocol"`
	Code     string                       `json:"code"`
	Title    string                       `json:"title"`
	Effect   string                       `json:"effect"`
	Since    string                       `json:"since"`
	Severity map[string]verifier.Severity `json:"severity"`
	Leaves   string                       `json:"leaves"`
	Advice   bool                         `json:"advice"`
	Limit    bool                         `json:"limit"`
	Page     string                       `json:"page"`
	Strength string                       `json:"strength"`
	Facts    string                       `json:"facts"`
	ShownBy  []string                     `json:"shownBy"`
	Note     string                       `json:"note"`
	Clauses  []ruleClause                 `json:"clauses"`
}

type ruleClause struct {
	Name     string                       `json:"name"`
	Severity map[string]verifier.Severity `json:"severity"`
	Leaves   string                       `json:"leaves"`
}

type ruleList struct {
	Version  int              `json:"version"`
	Tool     conformance.Tool `json:"tool"`
	Protocol string           `json:"protocol"`
	Profiles []string         `json:"profiles"`
	Rules    []rule           `json:"rules"`
}

func rulesJSON(w io.Writer, t *verifier.Table) error {
	list := ruleList{Version: 1, Tool: conformance.Version(), Protocol: t.Protocol, Profiles: t.Profiles}
	for i := range t.Rules {
		list.Rules = append(list.Rules, ruleOf(t, &t.Rules[i]))
	}
	b, err := conformance.MarshalIndent(list)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func ruleOf(t *verifier.Table, r *verifier.Rule) rule {
	out := rule{
		Protocol: t.Of(r), Code: r.Code, Title: r.Title, Effect: r.Effect, Since: r.Since, Severity: severities(t, r.Levels), Leaves: r.Leaves.String(),
		Advice: r.Advice, Limit: r.Limit, Page: t.PageURL(r), Strength: r.Strength, Facts: r.Facts, ShownBy: t.ClassNames(r), Note: r.Note,
	}
	if out.ShownBy == nil {
		out.ShownBy = []string{}
	}
	for _, c := range r.Clauses {
		leaves := r.Leaves
		if c.Leaves != nil {
			leaves = *c.Leaves
		}
		out.Clauses = append(out.Clauses, ruleClause{t.ClauseName(c.ID), severities(t, t.ClauseLevels(c.ID)), leaves.String()})
	}
	return out
}

func severities(t *verifier.Table, l verifier.Levels) map[string]verifier.Severity {
	out := map[string]verifier.Severity{}
	for i, p := range t.Profiles {
		out[p] = l.In(i)
	}
	return out
}

// since says from which revision on a rule is judged.
func since(r *verifier.Rule) string { return cmp.Or(r.Since, "every revision") }
