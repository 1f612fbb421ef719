package wire

import (
	"fmt"
	"path"
	"strings"
)

// Format is a way of writing a stream of events into one recording.
type Format uint8

// The formats. The zero value asks the reader to look at the content.
const (
	Auto   Format = iota // recognised by content
	NDJSON               // one event a line
	Array                // one JSON array whose elements are the events
	SSE                  // a text/event-stream capture
)

var formatNames = [...]string{Auto: "auto", NDJSON: "ndjson", Array: "array", SSE: "sse"}

// String returns the name that ParseFormat reads.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// ParseFormat returns the format of that name: auto, ndjson, array or sse.
func ParseFormat(name string) (Format, error) {
	for f, n := range formatNames {
		if n == name {
			return Format(f), nil
		}
	}
	return Auto, fmt.Errorf("format %q is unknown: want one of %s", name, strings.Join(formatNames[:], ", "))
}

// FormatOf returns the format that a file's name promises, whatever its content: SSE for .sse, NDJSON for .jsonl and
// .ndjson, and Auto for all others. Case does not count, nor does a .gz at the end.
func FormatOf(name string) Format {
	switch path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) {
	case ".sse":
		return SSE
	case ".jsonl", ".ndjson":
		return NDJSON
	}
	return Auto
}

// mediaFormat returns the format that a Content-Type value promises, or Auto. JSON may be an array or one event, so it
// promises nothing.
func mediaFormat(contentType string) Format {
	media, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "text/event-stream":
		return SSE
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return NDJSON
	}
	return Auto
}
