package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/verifier/agui"
)

// What goes through the protocol is judged as the library judges it, for all clauses and profiles.
func TestTheProtocolAnswersWhatTheLibraryFinds(t *testing.T) {
	input, err := os.ReadFile("../golden/agui/clauses.jsonl")
	assert.NilError(t, err)
	for _, profile := range Profiles("agui") {
		var out bytes.Buffer
		assert.NilError(t, Verdicts(bytes.NewReader(input), &out, VerdictOptions{Options: Options{Profile: profile}}))
		answers := out.Bytes()
		for l := range bytes.Lines(input) {
			var vector struct {
				ID     json.RawMessage
				Events []json.RawMessage
			}
			assert.NilError(t, json.Unmarshal(l, &vector))
			v, err := agui.New(agui.Options{Profile: profile})
			assert.NilError(t, err)
			for _, e := range vector.Events {
				v.Observe(e)
			}
			v.Finish()
			var got []byte
			got, answers, _ = bytes.Cut(answers, []byte("\n"))
			assert.Equal(t, string(got)+"\n", string(answerOf(v.Report()).line(vector.ID)), profile)
		}
		assert.Equal(t, len(answers), 0)
	}
}

// A driver that waits for each answer before its next line gets one.
func TestAnswersDoNotWaitForMoreLines(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- Verdicts(in, out, VerdictOptions{}) }()
	r := bufio.NewReader(answers)
	for i := range 20 {
		_, err := fmt.Fprintf(lines, `{"id":%d,"events":[{"type":"RUN_ERROR","message":"x"}]}`+"\n", i)
		assert.NilError(t, err)
		got, err := r.ReadString('\n')
		assert.NilError(t, err)
		assert.Equal(t, got, fmt.Sprintf(`{"id":%d,"verdict":"accept"}`+"\n", i))
	}
	assert.NilError(t, lines.Close())
	assert.NilError(t, <-done)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestOnlyReadingAndWritingFail(t *testing.T) {
	lines := strings.Repeat(`{"id":1,"events":[]}`+"\n", 10000)
	assert.ErrorIs(t, Verdicts(strings.NewReader(lines), brokenWriter{}, VerdictOptions{}), io.ErrClosedPipe)
	failing := io.MultiReader(strings.NewReader(lines), iotestErr{})
	assert.ErrorIs(t, Verdicts(failing, io.Discard, VerdictOptions{}), io.ErrUnexpectedEOF)
	assert.NilError(t, Verdicts(strings.NewReader("garbage\n"), io.Discard, VerdictOptions{}))
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Every answer is one line of JSON, whatever the line; on lines that are JSON the cutter finds the
// members that a decoder finds.
func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"events":[{"a":"]"},2]}`, `{"id":"\"","events":[]}`, `{"id":[{}],"events":["\\"],"x":{}}`,
		`{"events":[NaN]}`, `{"id":1,"events":[1,]}`, `{"id":tru,"events":[]}`, `[]`, `{"\u0069d":{},"events":[[[]]]}`, "{\"id\":\"\xff\",\"events\":[\"\xff\"]}",
		`{"id":1,"events":["\`, `{"id":1,"events":[{`, `{"a":1 2}`, `{"":"\u12"}`,
	} {
		f.Add([]byte(seed))
	}
	o := VerdictOptions{LineBytes: DefaultLineBytes}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.ContainsRune(text, '\n') {
			return
		}
		answer := o.answer(line{text: text})
		assert.Assert(t, oneline.IsJSON(answer), "%q", answer)
		assert.Equal(t, bytes.Count(answer, []byte("\n")), 1)
		if !oneline.IsJSON(text) {
			return
		}
		var want struct{ Events []jsontext.Value }
		if plain := bytes.ToValidUTF8(text, []byte("?")); json.Unmarshal(plain, &want) != nil || want.Events == nil || bytes.Count(text, []byte("vents")) != 1 {
			return
		}
		q, err := parseQuery(text)
		if err != nil || q.list == nil {
			return
		}
		n := 0
		for e := range q.events() {
			assert.Equal(t, string(bytes.ToValidUTF8(e, []byte("?"))), string(want.Events[n]))
			n++
		}
		assert.Equal(t, n, len(want.Events))
	})
}
