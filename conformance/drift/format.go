package drift

import (
	"io"
	"slices"
)

// Writer writes a comparison.
type Writer func(w io.Writer, r *Result) error

var formats = []struct {
	name  string
	write Writer
}{{"text", Text}, {"json", JSON}, {"markdown", Markdown}, {"sarif", SARIF}}

// Formats are the names of the formats of a report.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// In returns the writer of a format.
func In(format string) (Writer, bool) {
	i := slices.Index(Formats(), format)
	if i < 0 {
		return nil, false
	}
	return formats[i].write, true
}
