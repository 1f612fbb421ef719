package wire

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestAHeaderIsToldFromAnEvent(t *testing.T) {
	for line, want := range map[string]bool{
		"Content-Type: text/event-stream": true,
		"x:":                              true,
		"!#$%&'*+-.^_`|~09azAZ: x":        true,
		" goes on":                        true,
		"\tgoes on":                       true,
		": a comment":                     false,
		"no colon":                        false,
		"data: x":                         false, // a field
		"two words: x":                    false,
		"a\x01b: x":                       false,
		"a\x7fb: x":                       false,
		"é: x":                            false,
		`{"type":"RAW"}`:                  false,
		"a(b): x":                         false,
		"a/b: x":                          false,
		"a=b: x":                          false,
	} {
		assert.Equal(t, isHeader([]byte(line)), want, line)
	}
}
