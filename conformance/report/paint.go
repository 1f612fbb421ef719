package report

import "github.com/agentstream/conformance/verifier"

// A colour is the parameter of an SGR sequence.
type colour string

const (
	plain  colour = ""
	bold   colour = "1"
	dim    colour = "2"
	red    colour = "1;31"
	green  colour = "32"
	yellow colour = "1;33"
	cyan   colour = "36"
)

var severityColours = [...]colour{verifier.None: plain, verifier.Info: cyan, verifier.Warning: yellow, verifier.Error: red}

var outcomeColours = [...]colour{verifier.Accept: green, verifier.Reject: red, verifier.Incomplete: yellow}

// A painter colours text, or does not.
type painter bool

// paint returns text in a colour. The text must be escaped already.
func (p painter) paint(c colour, text string) string {
	if !p || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}
