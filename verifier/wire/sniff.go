package wire

import (
	"bytes"
	"encoding/json"
	"io"
)

// sniffBytes is how far into the content the format is looked for.
const sniffBytes = 4 << 10

// IsStream tells whether the recording in r looks like an event stream: SSE fields, or JSON lines or a JSON array whose
// first event is an object with a string member "type", or of a transcript "dir" or "ext". It is meant for files whose name does not promise one, as .json
// and .txt, and reads no further than the first event. The error is one of reading, as of Reader.Next.
func IsStream(r io.Reader) (bool, error) {
	rd := NewReader(r, Options{})
	if err := rd.start(); err != nil || rd.format == SSE {
		return err == nil, err
	}
	f, err := rd.Next()
	if err != nil && err != io.EOF {
		return false, err
	}
	return isTold(f.Data), nil
}

// isTold tells whether data begins as an object that has a string member which says what it is. What comes after that
// may be broken.
func isTold(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, _ := d.Token(); t != json.Delim('{') {
		return false
	}
	for {
		name, err := d.Token()
		if err != nil || name == json.Delim('}') {
			return false
		}
		switch name {
		case "type":
			t, _ := d.Token()
			_, ok := t.(string)
			return ok
		case "dir", "ext":
			var value json.RawMessage
			if err := d.Decode(&value); err != nil || value[0] == '"' {
				return err == nil
			}
			continue
		}
		if skipValue(d) != nil {
			return false
		}
	}
}

// skipValue reads tokens and not the value as a whole, which would be copied.
func skipValue(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// sniff returns the format of content that begins with b, or Auto if more of it is needed to tell. If last is set, there
// is no more, and the answer is never Auto.
//
// Invariant: once it has an answer for b, it has the same for all that begins with b; so it does not matter how reads are
// cut.
func sniff(b []byte, last bool) Format {
	f := sniffStart(b)
	if f == Auto && last {
		return fallback(b)
	}
	return f
}

func sniffStart(b []byte) Format {
	text := trimLeft(b)
	switch {
	case len(text) == 0:
		return Auto
	case text[0] == '{':
		return NDJSON
	case text[0] == '[':
		return sniffList(text)
	}
	return sniffLines(b)
}

// fallback is for content that decides nothing: a list without an end is an array, all else lines.
func fallback(b []byte) Format {
	if text := trimLeft(b); len(text) > 0 && text[0] == '[' {
		return Array
	}
	return NDJSON
}

// sniffList tells an array of events from lines that are arrays: those end where their line ends, and the next line
// begins another value.
func sniffList(text []byte) Format {
	line, rest, ended := bytes.Cut(text, []byte("\n"))
	if end := listEnd(line); end < len(line) && len(trimLeft(line[end+1:])) > 0 {
		return Array
	} else if ended && end == len(line) {
		return Array
	}
	rest = trimLeft(rest)
	switch {
	case len(rest) == 0:
		return Auto
	case rest[0] == '{', rest[0] == '[':
		return NDJSON
	}
	return Array
}

// listEnd returns the index of the bracket that closes the list at the start of line, or len(line).
func listEnd(line []byte) int {
	elements := new(nest)
	elements.reset()
	for i := 1; i < len(line); i++ {
		i += elements.scan(line[i:]) // an element's end leaves nothing open
		if i < len(line) && line[i] == ']' {
			return i
		}
	}
	return len(line)
}

// sniffLines looks for fields: the first line that is not blank may be any, since a recording seldom begins in the
// middle of prose; later ones only data that is an object.
func sniffLines(b []byte) Format {
	for first := true; len(b) > 0; {
		n := lineEnd(b)
		if n < 0 {
			n = len(b)
		}
		line := b[:n]
		switch {
		case first && isField(line), isObjectField(line):
			return SSE
		case len(line) > 0 && line[0] == '{':
			return NDJSON
		}
		first = first && len(trimLeft(line)) == 0
		b = b[min(n+1, len(b)):]
	}
	return Auto
}

// isField tells whether line begins with a field name of SSE and its colon, or is a comment.
func isField(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "", "data", "event", "id", "retry":
		return ok
	}
	return false
}

func isObjectField(line []byte) bool {
	return bytes.HasPrefix(line, []byte("data:{")) || bytes.HasPrefix(line, []byte("data: {"))
}
