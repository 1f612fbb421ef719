package verifier_test

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
)

func TestNearestForgivesAQuarterOfTheLetters(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, x := range []struct {
		name       string
		candidates string
		want       string
	}{
		{"runFinished", "RUN_STARTED RUN_FINISHED", "RUN_FINISHED"}, // neither case nor separators count
		{"run-finished", "RUN_STARTED RUN_FINISHED", "RUN_FINISHED"},
		{"typ", "id type", "type"},
		{"typee", "id type", "type"},
		{"tipe", "id type", "type"},
		{"tip", "id type", ""},
		{"ty", "id type", ""},
		{"mesageIt", "messageId", "messageId"}, // one left out, one replaced, of nine
		{"mesagIt", "messageId", ""},
		{"abcdefgx", "abcdefgh abcdefgi", "abcdefgh"}, // the first of two that are equally near
		{"abcdefgi", "abcdefgh abcdefgi", "abcdefgi"},
		{"abcdefgh", "abcdefgh abcdefgi", "abcdefgh"},
		{"", "id type", ""},
		{"id", "", ""},
		{long, long, long},
		{long + "a", long + "a", ""}, // too long to be a slip of the pen
	} {
		assert.Equal(t, verifier.Nearest(x.name, strings.Fields(x.candidates)), x.want, x.name)
	}
}

func TestWhatIsShownOfALongStringEndsWithACharacter(t *testing.T) {
	const most = verifier.MaxShown
	a := strings.Repeat("a", most)
	for name, x := range map[string]struct{ text, want string }{
		"fits":                      {a, a},
		"one more":                  {a + "a", a + "…"},
		"a character at the border": {a[:most-1] + "é", a[:most-1] + "…"},
		"a character before it":     {a[:most-2] + "éa", a[:most-2] + "é…"},
		"no character at all":       {strings.Repeat("\x80", most+1), "…"},
	} {
		assert.Equal(t, verifier.Shown(x.text), x.want, name)
	}
}

func TestTwentyNamesAreListed(t *testing.T) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint(i))
	}
	all := strings.Join(names, ", ")
	assert.Equal(t, verifier.Listed(names[:2]), "0, 1")
	assert.Equal(t, verifier.Listed(names), all)
	assert.Equal(t, verifier.Listed(append(names, "20", "21")), all+" and 2 more")
}
