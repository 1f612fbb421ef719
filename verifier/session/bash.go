package session

import (
	"bytes"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// Types of commands that are counted, or looked for by name.
const (
	bash       = "bash"
	clearQueue = "clear_queue"
	compact    = "compact"
)

// note counts the commands in flight whose number some rule asks for.
func (p *pipe) note(typ string, n int) {
	switch {
	case typ == clearQueue:
		p.clears += n
	case typ == compact:
		p.compacts += n
	case isReplacement(typ):
		p.replaces += n
	}
}

func (m *machine) bashUpdate(r *record.Record) {
	if m.class != transcriptClass {
		return
	}
	list := m.pipe.waiting[string(m.pipe.keyOf([]byte(bash), r.Value(record.ID)))]
	if len(list) == 0 {
		if m.On(rules.BashOutputNotOpen) {
			m.Blame(rules.BashOutputNotOpen, verifier.Fault{ID: string(r.Text(record.ID)), Entity: "bash", Detail: "output of no bash command that is open"})
		}
		return
	}
	c, delta := list[0], r.Value(record.Delta)
	if c.updates++; c.vague || delta == nil || delta[0] != '"' {
		return
	}
	before := len(c.output)
	c.output = value.AppendText(c.output, delta)
	m.holds(len(c.output) - before)
}

// holds accounts for joined text.
func (m *machine) holds(n int) {
	if m.textBytes += n; m.textBytes > m.limits.TextBytes {
		m.exceed(rules.LimitText, "the joined output of what is open takes more than %d bytes", m.limits.TextBytes)
	}
}

// judgeBash compares the output of a response with what its updates came to. Releases before 0.82 send none.
func (m *machine) judgeBash(c *command, r *record.Record) {
	m.textBytes -= len(c.output)
	data := r.Value(record.Data)
	if !r.True(record.Success) || c.vague || isTrue(scan.Member(data, "truncated")) || m.profile != rules.Pi1x && c.updates == 0 {
		return
	}
	output := text(scan.Member(data, "output"))
	if m.On(rules.BashOutputDiffers) && output != nil && !bytes.Equal(output, c.output) {
		m.Blame(rules.BashOutputDiffers, verifier.Fault{Entity: "bash", Pointer: r.Pointer(record.Data) + "/output", Cause: &c.at, Detail: "the output is not what its updates came to"})
	}
}
