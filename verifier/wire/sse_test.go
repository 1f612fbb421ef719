package wire

import (
	"strings"
	"testing"
)

func TestSSE(t *testing.T) {
	long := `{"x":"` + strings.Repeat("x", 200_000) + `"}`
	checkAll(t, SSE, map[string]example{
		"nothing":                         {"", nil},
		"LF":                              {"data: {}\n\ndata: []\n\n", frames(at(1, 6, "{}"), at(3, 16, "[]"))},
		"CR LF":                           {"data: {}\r\n\r\ndata: []\r\n\r\n", frames(at(1, 6, "{}"), at(3, 18, "[]"))},
		"CR":                              {"data: {}\r\rdata: []\r\r", frames(at(1, 6, "{}"), at(3, 16, "[]"))},
		"all line ends mixed":             {"data: 1\r\n\ndata: 2\n\r\ndata: 3\r\r\ndata: 4\n\rdata: 5\r\n\rdata: 6", frames(at(1, 6, "1"), at(3, 16, "2"), at(5, 26, "3"), at(7, 36, "4"), at(9, 45, "5"), at(11, 55, "6"))},
		"LF CR is two line ends":          {"data: 1\n\rdata: 2\n\r", frames(at(1, 6, "1"), at(3, 15, "2"))},
		"many blank lines":                {"\n\n\ndata: {}\n\n\n\n\ndata: {}\n\n", frames(at(4, 9, "{}"), at(9, 22, "{}"))},
		"no space after the colon":        {"data:{}\n\n", frames(at(1, 5, "{}"))},
		"one space only is the field's":   {"data:  {}\n\n", frames(at(1, 6, " {}"))},
		"white space behind is data":      {"data: {} \n\n", frames(at(1, 6, "{} "))},
		"many data lines are joined":      {"data: {\ndata:  \"a\":1\ndata:}\n\n", frames(at(1, 6, "{\n \"a\":1\n}"))},
		"joined over CR LF":               {"data: {\r\ndata: }\r\n\r\n", frames(at(1, 6, "{\n}"))},
		"other fields are ignored":        {"event: x\nid: 1\ndata: {}\nretry: 5\nfoo: bar\n\n", frames(at(3, 21, "{}"))},
		"comments are ignored":            {": hi\n\ndata: {\n: in between\ndata: }\n:\n\n", frames(at(3, 12, "{\n}"))},
		"a field's name is all of it":     {"dataset: 1\ndat: 2\n data: 3\nDATA: 4\ndata : 5\n\n", nil},
		"a frame without data is none":    {"event: ping\n\nid: 7\n\ndata: {}\n\n", frames(at(5, 26, "{}"))},
		"empty data is a frame":           {"data:\n\ndata: \n\ndata\n\n", frames(at(1, 5, ""), at(3, 13, ""), at(5, 19, ""))},
		"empty data lines are joined":     {"data\ndata:\n\ndata\ndata: x\n\n", frames(at(1, 4, "\n"), at(4, 16, "\nx"))},
		"the end ends a frame":            {"data: {}\n\ndata: {}\n", frames(at(1, 6, "{}"), at(3, 16, "{}"))},
		"the end ends a line":             {"data: {}\n\ndata: {", frames(at(1, 6, "{}"), at(3, 16, "{"))},
		"the end behind the name":         {"data", frames(at(1, 4, ""))},
		"the end behind the colon":        {"data:", frames(at(1, 5, ""))},
		"the end behind the space":        {"data: ", frames(at(1, 6, ""))},
		"the end in the name":             {"data: {}\ndat", frames(at(1, 6, "{}"))},
		"the end in a comment":            {"data: {}\n: x", frames(at(1, 6, "{}"))},
		"the end in a CR LF":              {"data: {}\r\n\r", frames(at(1, 6, "{}"))},
		"JSON without a field is ignored": {"{\"type\":\"x\"}\n{\"a\":1}\n\ndata: {}\n\n", frames(at(4, 28, "{}"))},
		"a mark at the start is skipped":  {"\xef\xbb\xbfdata: {}\n\n", frames(at(1, 9, "{}"))},
		"a mark later spoils the name":    {"data: {}\n\n\xef\xbb\xbfdata: {}\n\n", frames(at(1, 6, "{}"))},
		"any bytes pass":                  {"data: \x00\xff\n\n", frames(at(1, 6, "\x00\xff"))},
		"no line is too long":             {"data: " + long + "\n\ndata: {}\n\n", frames(at(1, 6, long), at(3, int64(len(long))+14, "{}"))},
	})
}

// These are the shapes of the transport cases that a reader can get wrong.
func TestSSETransportCases(t *testing.T) {
	const start, end = `{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}`, `{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}`
	blob := `{"type":"STATE_SNAPSHOT","snapshot":{"blob":"` + strings.Repeat("x", 70_000) + `"}}`
	separators := "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m-1\",\"delta\":\"a\u2028b\u2029c\u0085d\\u000b\"}"
	checkAll(t, SSE, map[string]example{
		"200 CR LF framing":           {"data: " + start + "\r\n\r\ndata: " + end + "\r\n\r\n", frames(at(1, 6, start), at(3, 69, end))},
		"201 CR-only framing":         {"data: " + start + "\r\rdata: " + end + "\r\r", frames(at(1, 6, start), at(3, 67, end))},
		"203 no space after colon":    {"data:" + start + "\n\ndata:" + end + "\n\n", frames(at(1, 5, start), at(3, 65, end))},
		"207 U+2028 inside JSON":      {"data: " + separators + "\n\ndata: " + end + "\n\n", frames(at(1, 6, separators), at(3, int64(len(separators))+14, end))},
		"210 JSON lines":              {start + "\n" + end + "\n", nil},
		"212 login page":              {"<!doctype html><title>Sign in</title><p>data: nothing</p>\n\n", nil},
		"216 no last blank line":      {"data: " + start + "\n\ndata: " + end + "\n", frames(at(1, 6, start), at(3, 67, end))},
		"219 frame over 64 KiB":       {"data: " + start + "\n\ndata: " + blob + "\n\ndata: " + end + "\n\n", frames(at(1, 6, start), at(3, 67, blob), at(5, 67+int64(len(blob))+8, end))},
		"221 bare text as data":       {"data: " + start + "\n\ndata: error: engine stopped\n\n", frames(at(1, 6, start), at(3, 67, "error: engine stopped"))},
		"222 done sentinel":           {"data: " + end + "\n\ndata: [DONE]\n\n", frames(at(1, 6, end), at(3, 68, "[DONE]"))},
		"223 event field ignored":     {"data: " + start + "\n\nevent: error\ndata: {}\n\n", frames(at(1, 6, start), at(4, 80, "{}"))},
		"226 leading byte order mark": {"\xef\xbb\xbfdata: " + start + "\n\ndata: " + end + "\n\n", frames(at(1, 9, start), at(3, 70, end))},
	})
}
