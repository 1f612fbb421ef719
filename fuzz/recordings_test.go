package fuzz

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
)

// The ways to write a stream down. Which of them can hold it depends on its events.

func ndjson(events [][]byte) []byte {
	return append(bytes.Join(events, []byte("\n")), '\n')
}

func array(events [][]byte) []byte {
	return bracketed(bytes.Join(events, []byte(",\n")))
}

func bracketed(elements []byte) []byte {
	return append(append([]byte("["), elements...), ']')
}

// sse writes each event as a frame; one of several lines has several data fields.
func sse(events [][]byte) []byte {
	var b bytes.Buffer
	for _, e := range events {
		for line := range bytes.SplitSeq(e, []byte("\n")) {
			b.WriteString("data: ")
			b.Write(line)
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// isLines tells whether each event can be a line: there is something on it, with nothing around.
func isLines(events [][]byte) bool {
	return all(events, func(e []byte) bool {
		return len(e) > 0 && !bytes.ContainsAny(e, "\n") && len(bytes.Trim(e, " \t\r\n")) == len(e)
	}) && bare(events)
}

// isFrames tells whether each event can be the data of an SSE frame.
func isFrames(events [][]byte) bool {
	return all(events, func(e []byte) bool { return !bytes.Contains(e, []byte("\r")) }) && bare(events)
}

// isElements tells whether each event can be an element of an array.
func isElements(events [][]byte) bool {
	return all(events, json.Valid) && bare(events)
}

// bare tells whether no recording of the events begins as one that is packed, or has headers or a mark in front.
func bare(events [][]byte) bool {
	return len(events) == 0 || len(events[0]) > 0 && events[0][0] == '{'
}

func all(events [][]byte, ok func([]byte) bool) bool {
	for _, e := range events {
		if !ok(e) {
			return false
		}
	}
	return true
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // a buffer takes all
	_ = z.Close()
	return b.Bytes()
}
