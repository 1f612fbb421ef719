package fuzz

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier/session"
)

// stages are the streams of the session's scenarios, in each profile: they have what no recording has, above all
// the records of a host.
func stages(t *testing.T) []sitting {
	t.Helper()
	var all []sitting
	for _, name := range scenarios.Of(scenarios.Session) {
		scenario, err := scenarios.ReadOf(scenarios.Session, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range scenario.Files {
			for _, profile := range session.Rules().Profiles {
				all = append(all, sitting{name + " " + f.Name, profile, nonBlank(f.Data)})
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("no scenario of a session")
	}
	return all
}

func nonBlank(data []byte) [][]byte {
	return slices.DeleteFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
}

func TestVerifierAgreesWithTheSpecificationOnScenariosOfSessions(t *testing.T) {
	var n tried
	defer n.report(t)
	for _, s := range stages(t) {
		n.try(t, s)
	}
}

// Of the mutants of scenarios some are drawn, the same each run; a long run has more of them.
func TestVerifierAgreesWithTheSpecificationOnMutantsOfScenariosOfSessions(t *testing.T) {
	var n tried
	defer n.report(t)
	all := stages(t)
	chance := rand.New(rand.NewPCG(2, 2))
	for range checks(6000) {
		s := all[chance.IntN(len(all))]
		if len(s.records) > 0 {
			n.try(t, s.mutant(chance))
		}
	}
}

// mutant changes one thing at random: the order, the number or a member of the records.
func (s sitting) mutant(chance *rand.Rand) sitting {
	i := chance.IntN(len(s.records))
	switch chance.IntN(4) {
	case 0:
		return s.with("without", i, slices.Delete(slices.Clone(s.records), i, i+1))
	case 1:
		return s.with("twice", i, slices.Insert(slices.Clone(s.records), i, s.records[i]))
	case 2:
		moved := slices.Delete(slices.Clone(s.records), i, i+1)
		return s.with("moved", i, slices.Insert(moved, chance.IntN(len(moved)+1), s.records[i]))
	}
	return s.damaged(chance, i)
}

// damaged changes a member of one record.
func (s sitting) damaged(chance *rand.Rand, i int) sitting {
	members := membersOf(s.records[i])
	if len(members) == 0 {
		return s
	}
	m := members[chance.IntN(len(members))]
	others := changed(m)
	what := slices.Sorted(maps.Keys(others))[chance.IntN(len(others))]
	records := slices.Clone(s.records)
	records[i] = replaced(s.records[i], m.path, others[what])
	return s.with(what+" "+strings.Join(m.path, "."), i, records)
}
