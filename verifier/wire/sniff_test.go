package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"gotest.tools/v3/assert"
)

func TestContentIsRecognised(t *testing.T) {
	pad := strings.Repeat(" ", sniffBytes)
	for name, e := range map[string]struct {
		in     string
		format Format
		stream bool
	}{
		"nothing":              {"", NDJSON, false},
		"only white space":     {" \n\r\n", NDJSON, false},
		"prose":                {"Dear reader,\nthis is no stream.\n", NDJSON, false},
		"HTML":                 {"<!doctype html><p>data: nothing</p>\n\n", NDJSON, false},
		"a number":             {"17", NDJSON, false},
		"a string":             {`"type"`, NDJSON, false},
		"too much white space": {pad + `[{"type":"A"}]`, NDJSON, false},

		"lines of events":          {"{\"type\":\"A\"}\n{\"type\":\"B\"}\n", NDJSON, true},
		"one event":                {`{"type":"A"}`, NDJSON, true},
		"one event after blanks":   {"\n\n  {\"type\":\"A\"}\n", NDJSON, true},
		"type is not first":        {`{"a":{"type":1,"b":[{}]},"c":"type","type":"A"}`, NDJSON, true},
		"a broken end":             {`{"type":"A","x":NaN`, NDJSON, true},
		"a transcript":             {`{"seq":1,"dir":"stdin","record":{}}`, NDJSON, true},
		"a log of an extension":    {`{"ext":"session_start"}`, NDJSON, true},
		"another dir":              {`{"dir":[{}],"type":"A"}`, NDJSON, true},
		"no type":                  {`{"a":"type","b":{"type":"A"}}`, NDJSON, false},
		"type is no string":        {`{"type":{"type":"A"}}`, NDJSON, false},
		"broken before type":       {`{"a":NaN,"type":"A"}`, NDJSON, false},
		"pretty-printed JSON":      {"{\n  \"type\": \"A\"\n}\n", NDJSON, false},
		"first line is no event":   {"{}\n{\"type\":\"A\"}\n", NDJSON, false},
		"events after prose":       {"Connected\n{\"type\":\"A\"}\ndata: {}\n", NDJSON, false},
		"lines that are arrays":    {"[{\"type\":\"A\"}]\n[{\"type\":\"B\"}]\n", NDJSON, false},
		"an array, then an object": {"[\"]\", 1]\n\n {\"type\":\"B\"}\n", NDJSON, false},

		"an array of events":          {`[{"type":"A"},{"type":"B"}]`, Array, true},
		"an array over lines":         {"\n[\n{\"type\":\"A\"},\n{\"type\":\"B\"}]\n", Array, true},
		"a cut array":                 {`[{"type":"A"},{"ty`, Array, true},
		"a long array":                {`[{"a":"` + pad + `","type":"A"},{}]`, Array, true},
		"an array and bytes after":    {"[{\"type\":\"A\"}] x\n{}", Array, true},
		"an array and a line after":   {"[{\"type\":\"A\"}]\nx\n", Array, true},
		"an array that ends late":     {"[{\"type\":\"A\"}\n]\n{}\n", Array, true},
		"an empty array":              {"[]", Array, false},
		"an array of other things":    {"[1,2]", Array, false},
		"only a bracket":              {"[", Array, false},
		"an array that ends in white": {"[{\"type\":\"A\"}]\n\n" + pad, Array, true},

		"data":                   {"data: {\"type\":\"A\"}\n\n", SSE, true},
		"data without space":     {"data:x", SSE, true},
		"an event name":          {"event: x\r\ndata: x\r\n\r\n", SSE, true},
		"an id":                  {"id:1\n\n", SSE, true},
		"retry":                  {"retry: 1000\n\n", SSE, true},
		"a comment":              {":\n\n", SSE, true},
		"blank lines first":      {"\r\n\rdata: x\r\r", SSE, true},
		"prose, then an event":   {"Connected\n\ndata: {\"type\":\"A\"}\n\n", SSE, true},
		"a mark at the start":    {"\xef\xbb\xbfdata: x\n\n", SSE, true},
		"a field's name alone":   {"data\n\n", NDJSON, false},
		"another field":          {"dates: x\n\n", NDJSON, false},
		"space before the field": {" data: x\n\n", NDJSON, false},
		"prose about data":       {"Of data\ndata: is plural\nid: is not\n", NDJSON, false},
	} {
		t.Run(name, func(t *testing.T) {
			for how, cut := range cuts {
				r := NewReader(cut(strings.NewReader(e.in)), Options{})
				drain(r)
				assert.Equal(t, r.Format().String(), e.format.String(), how)
				is, err := IsStream(cut(strings.NewReader(e.in)))
				assert.NilError(t, err)
				assert.Equal(t, is, e.stream, how)
			}
		})
	}
}

func TestAFormatThatIsGivenIsNotDoubted(t *testing.T) {
	for _, f := range []Format{NDJSON, Array, SSE} {
		for _, in := range []string{"", "{}\n", "[{}]", "data: {}\n\n", "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n{}"} {
			r := NewReader(strings.NewReader(in), Options{Format: f})
			drain(r)
			assert.Equal(t, r.Format(), f)
		}
	}
}

// What sniff says of some bytes, it says of all that begins with them, or the cuts of reads would matter.
func TestSniffingNeverChangesItsMind(t *testing.T) {
	for _, in := range []string{
		"[{}]\n{}", "[{}]\n\n\n[", "[{}] x", "[{\n}]", "[\"]\",[1]]\r\nx", "a\ndata: {\n", "a\rdata:{", "\n\ndata:", "a\n{", "data\n{", "idata: {}\n:", "\r\n {",
	} {
		said := Auto
		for n := range len(in) + 1 {
			got := sniff([]byte(in[:n]), false)
			assert.Assert(t, said == Auto || got == said, "%q: %s, before %s", in[:n], got, said)
			said = got
		}
	}
}

func TestWhatCannotBeReadIsNoAnswer(t *testing.T) {
	lost := errors.New("disk lost")
	for _, in := range []string{"", "{\"type\"", "[", "[{\"a\":1"} {
		_, err := IsStream(io.MultiReader(strings.NewReader(in), iotest.ErrReader(lost)))
		assert.ErrorIs(t, err, lost)
	}
}
