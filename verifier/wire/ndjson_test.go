package wire

import (
	"strings"
	"testing"
)

func TestNDJSON(t *testing.T) {
	long := `{"x":"` + strings.Repeat("x", 200_000) + `"}`
	checkAll(t, NDJSON, map[string]example{
		"nothing":                        {"", nil},
		"one event a line":               {"{}\n[]\n", frames(at(1, 0, "{}"), at(2, 3, "[]"))},
		"the last line needs no end":     {"{}\n{}", frames(at(1, 0, "{}"), at(2, 3, "{}"))},
		"a cut last line is a frame":     {"{}\n{\"a", frames(at(1, 0, "{}"), at(2, 3, "{\"a"))},
		"blank lines have no index":      {"\n\n{}\n \t\r\n\n{}\n\n", frames(at(3, 2, "{}"), at(6, 10, "{}"))},
		"CR LF ends a line":              {"{}\r\n{}\r\n", frames(at(1, 0, "{}"), at(2, 4, "{}"))},
		"a CR in a line ends nothing":    {"{}\r{}\n", frames(at(1, 0, "{}\r{}"))},
		"white space around is no data":  {"  {} \t\n\t{}  ", frames(at(1, 2, "{}"), at(2, 8, "{}"))},
		"any bytes pass":                 {"\x00\xff\n\xed\xa0\x80\n", frames(at(1, 0, "\x00\xff"), at(2, 3, "\xed\xa0\x80"))},
		"no line is too long":            {long + "\n{}\n", frames(at(1, 0, long), at(2, int64(len(long))+1, "{}"))},
		"a mark at the start is skipped": {"\xef\xbb\xbf{}\n\xef\xbb\xbf{}", frames(at(1, 3, "{}"), at(2, 6, "\xef\xbb\xbf{}"))},
		"only one mark is skipped":       {"\xef\xbb\xbf\xef\xbb\xbf{}", frames(at(1, 3, "\xef\xbb\xbf{}"))},
		"half a mark is data":            {"\xef\xbb", frames(at(1, 0, "\xef\xbb"))},
		"what looks like SSE is a line":  {"data: {}\n\n", frames(at(1, 0, "data: {}"))},
		"a line separator is text":       {"\"\u2028\"\n", frames(at(1, 0, "\"\u2028\""))},
	})
}
