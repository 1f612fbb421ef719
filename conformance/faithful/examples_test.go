package faithful

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// An example of the contract: a script and one legal stream for it.
type example struct {
	name   string
	script script.Script
	events [][]byte
}

const request = `{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"resume":[{"interruptId":"i1","status":"resolved","payload":{"ok":true}}]}`

// examples reads those of the contract, and adds the boundary events that they leave out.
func examples(t testing.TB) (all []example) {
	data, err := os.ReadFile("../../docs/scripted-agent.md")
	assert.NilError(t, err)
	for _, block := range strings.Split(string(data), "```example ")[1:] {
		block, _, closed := strings.Cut(block, "\n```")
		assert.Assert(t, closed)
		lines := strings.Split(block, "\n")
		s, err := script.Parse([]byte(lines[1]))
		assert.NilError(t, err, lines[0])
		e := example{name: lines[0], script: s}
		for _, line := range lines[2:] {
			e.events = append(e.events, []byte(line))
		}
		all = append(all, e.whole())
	}
	assert.Assert(t, len(all) >= 12)
	return all
}

func (e example) whole() example {
	has := func(event []byte, typ string) bool { return bytes.Contains(event, []byte(`"type":"`+typ+`"`)) }
	if !has(e.events[0], "RUN_STARTED") {
		start := []byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}`)
		e.events = append([][]byte{start}, e.events...)
	}
	if last := e.events[len(e.events)-1]; !has(last, "RUN_FINISHED") && !has(last, "RUN_ERROR") {
		e.events = append(e.events, []byte(`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`))
	}
	return e
}

func means(t testing.TB, s script.Script, request string) script.Meaning {
	t.Helper()
	in, err := script.ReadInput([]byte(request))
	assert.NilError(t, err)
	m, err := s.Means(in)
	assert.NilError(t, err)
	return m
}

func TestTheStreamsOfTheContractAreFaithfulToTheirScripts(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			got := materialise.Read([]byte(request), e.events).Meaning()
			names := NewNames()
			if d := Compare(means(t, e.script, request), got, names); d != nil {
				t.Fatal(d)
			}
			for label, id := range names.IDs() {
				assert.Equal(t, label, id, "the examples' ids are as wished")
			}
		})
	}
}

func TestTheStreamsOfTheContractAreNotFaithfulToEachOthersScripts(t *testing.T) {
	all := examples(t)
	for i, e := range all {
		other := all[(i+1)%len(all)]
		d := Compare(means(t, e.script, request), materialise.Read([]byte(request), other.events).Meaning(), NewNames())
		assert.Assert(t, d != nil && !d.GaveUp, "the stream of %s is taken for the script of %s", other.name, e.name)
		assert.Assert(t, d.Summary() != "" && !strings.Contains(d.Summary(), "\n"))
		t.Log("\n" + d.String())
	}
}
