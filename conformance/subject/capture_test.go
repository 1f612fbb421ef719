package subject

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

func captured(t *testing.T, r *Response) []byte {
	t.Helper()
	var b bytes.Buffer
	assert.NilError(t, WriteCapture(&b, r))
	return b.Bytes()
}

var kept = &Response{
	Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}, "Date": {"today"}, "Set-Cookie": {"secret"}},
	Chunks: []Chunk{{[]byte("data: {\"a\":1}\n"), 5 * time.Millisecond}, {[]byte("\ndata: \x00\r\n\n"), 1500 * time.Millisecond}},
}

func TestACaptureIsPlainHTTPWithTheTimesOfReads(t *testing.T) {
	assert.Equal(t, string(captured(t, kept)), "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"e;t=5\r\ndata: {\"a\":1}\n\r\nb;t=1500\r\n\ndata: \x00\r\n\n\r\n0\r\n\r\n")
}

func TestACaptureIsReadBackAsItWas(t *testing.T) {
	for _, cause := range []Cause{"", Lost, HungUp, LimitTime} {
		r := *kept
		r.Cause, r.Detail = cause, "why"
		if cause == "" {
			r.Detail = ""
		}
		got, err := ReadCapture(iotest.OneByteReader(bytes.NewReader(captured(t, &r))))
		assert.NilError(t, err)
		r.Header = http.Header{"Content-Type": {"text/event-stream"}}
		assert.Equal(t, cmp.Diff(&r, got), "")
	}
}

func TestACaptureThatIsCutOrSomethingElseIsAnError(t *testing.T) {
	whole := string(captured(t, kept))
	for i := range strings.TrimSuffix(whole, "0\r\n\r\n") {
		_, err := ReadCapture(strings.NewReader(whole[:i]))
		assert.Check(t, err != nil, "cut at %d", i)
	}
	for _, other := range []string{"", "data: {}\n\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno header\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\n\r\nffffffffffffffff\r\n"} {
		_, err := ReadCapture(strings.NewReader(other))
		assert.Check(t, err != nil, "%q", other)
	}
}

func TestUnchunkJoinsTheBodyAndLeavesTheRestAlone(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for in, want := range map[string]string{
		head + "3;t=1\r\nabc\r\n2\r\nde\r\n0\r\n\r\n": head + "abcde",
		head + "3\r\nabc\r\n5\r\nde":                  head + "abcde", // cut
		head:                                          head,
		"HTTP/1.1 200 OK\r\n\r\n3\r\nabc\r\n":         "HTTP/1.1 200 OK\r\n\r\n3\r\nabc\r\n",
		"data: {}\n\n":                                "data: {}\n\n",
		"":                                            "",
		"HTTP/1":                                      "HTTP/1",
		"HTTP/1.1 200 OK":                             "HTTP/1.1 200 OK",
	} {
		got, err := io.ReadAll(Unchunk(iotest.OneByteReader(strings.NewReader(in))))
		assert.NilError(t, err)
		assert.Equal(t, string(got), want, "%q", in)
	}
}

func TestRecordingsAnswerAsTheSubjectDid(t *testing.T) {
	folder := t.TempDir() + "/new"
	live := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"conformance":{"version":1,"subject":"x","features":["step"]}}`)
			return
		}
		stream(w, `{"n":1}`, `{"n":2}`)
	})
	recorder, err := Record(t.Context(), live, folder, "tool")
	assert.NilError(t, err)
	q := &Request{Scenario: "family/name", Run: "one", Body: []byte(`{"runId":"one"}`)}
	want := sent(t, recorder, q)

	again, err := OpenRecordings(folder)
	assert.NilError(t, err)
	got := sent(t, again, q)
	assert.DeepEqual(t, got.Events, want.Events)
	assert.DeepEqual(t, got.Body(), want.Body())
	d, err := again.Describe(t.Context())
	assert.NilError(t, err)
	assert.DeepEqual(t, d.Features, []string{"step"})

	_, err = again.Send(t.Context(), &Request{Scenario: "family/name", Run: "two"})
	assert.ErrorIs(t, err, ErrNotRecorded)
	_, err = Record(t.Context(), live, folder, "tool")
	assert.ErrorContains(t, err, "not empty")
	_, err = OpenRecordings(t.TempDir())
	assert.ErrorContains(t, err, "no folder of recordings")
}
