package golden

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/report"
)

func TestTheRulesPagesAreWhatTheTablesSay(t *testing.T) {
	write, err := report.RulesIn("markdown")
	assert.NilError(t, err)
	for protocol, file := range map[string]string{"agui": "rules.md", "assistant": "rules-assistant.md", "session": "rules-session.md"} {
		var page bytes.Buffer
		assert.NilError(t, write(&page, conformance.Rules(protocol)))
		checkGolden(t, "../docs/"+file, page.Bytes())
	}
}

// transcript is the README's first block: commands behind $ and what they print.
var (
	transcript = regexp.MustCompile("(?s)```console\n(.*?)```")
	quoted     = regexp.MustCompile(`'(\{.*?\})'`)
)

func TestTheTranscriptOfTheReadmeIsWhatTheCommandPrints(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	assert.NilError(t, err)
	block := transcript.FindSubmatchIndex(readme)
	assert.Assert(t, block != nil)
	old := string(readme[block[2]:block[3]])
	command := commandOf(t, old)
	var stream strings.Builder
	for _, m := range quoted.FindAllStringSubmatch(command, -1) {
		stream.WriteString(m[1] + "\n")
	}
	sources, problems := conformance.Find([]string{conformance.Stdin}, strings.NewReader(stream.String()), "auto")
	assert.Equal(t, len(problems), 0)
	out := append(printed(t, judged(t, sources, conformance.CheckOptions{Evidence: true})), "exit status 1\n"...) // what go run says of it
	checkGolden(t, "../README.md", []byte(string(readme[:block[2]])+command+string(out)+string(readme[block[3]:])))
}

// commandOf returns the lines of the first command: up to the first that is not continued.
func commandOf(t *testing.T, block string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(block) {
		b.WriteString(line)
		if !strings.HasSuffix(line, "\\\n") {
			break
		}
	}
	assert.Assert(t, strings.HasPrefix(b.String(), "$ ") && strings.HasSuffix(b.String(), "| go run ./cmd/conformance check -\n"), b.String())
	return b.String()
}
