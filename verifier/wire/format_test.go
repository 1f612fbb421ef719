package wire

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestANameIsReadAsItIsWritten(t *testing.T) {
	for f := range Format(len(formatNames)) {
		got, err := ParseFormat(f.String())
		assert.NilError(t, err)
		assert.Equal(t, got, f)
	}
	_, err := ParseFormat("xml")
	assert.Error(t, err, `format "xml" is unknown: want one of auto, ndjson, array, sse`)
	assert.Equal(t, Format(9).String(), "Format(9)")
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{
		"a.sse": SSE, "dir.jsonl/a.SSE": SSE, "a.sse.gz": SSE, "a.Sse.GZ": SSE,
		"a.jsonl": NDJSON, "a.ndjson": NDJSON, "a.jsonl.gz": NDJSON,
		"a.json": Auto, "a.json.gz": Auto, "a.txt": Auto, "a": Auto, "sse": Auto, "a.gz": Auto, "": Auto,
	} {
		assert.Equal(t, FormatOf(name), want, name)
	}
}
