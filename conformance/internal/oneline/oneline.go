// Package oneline says of the bytes of one event whether they are JSON, and whether they can stand on a line.
package oneline

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// White is the white space of JSON, which readers take off around an event.
const White = " \t\r\n"

// IsJSON tells whether b is one JSON value. Names that come twice and bad UTF-8 are findings of the verifier, not of this.
func IsJSON(b []byte) bool {
	return jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Fits tells whether an event can stand on a line of its own as it is.
func Fits(event []byte) bool {
	return bytes.IndexByte(event, '\n') < 0 && len(event) > 0 && len(bytes.Trim(event, White)) == len(event)
}
