package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// width returns how many columns escaped text takes.
func width(s string) int { return uniseg.StringWidth(s) }

// cut returns escaped text in at most columns, with an ellipsis where it went on.
func cut(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	return prefix(s, columns-1) + "…"
}

// prefix returns the longest beginning of s that fits into columns.
func prefix(s string, columns int) string {
	end, state, rest := 0, -1, s
	for rest != "" {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if columns -= w; columns < 0 {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// suffix returns the longest end of s that fits into columns.
func suffix(s string, columns int) string {
	over, state, rest := width(s)-columns, -1, s
	for rest != "" && over > 0 {
		var w int
		_, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		over -= w
	}
	return rest
}

// wrap breaks escaped text at spaces into lines of at most columns; the first line has room for
// first. A word that fits no line is broken.
func wrap(s string, first, columns int) []string {
	var lines []string
	line, room := "", first
	for _, word := range strings.Split(s, " ") {
		switch {
		case line == "" && len(lines) == 0 && width(word) <= room:
			line = word
			continue
		case line != "" && width(line)+1+width(word) <= room:
			line += " " + word
			continue
		}
		if line != "" || len(lines) == 0 {
			lines = append(lines, line)
			room = columns
		}
		for width(word) > columns {
			p := prefix(word, columns)
			if p == "" {
				break
			}
			lines, word = append(lines, p), word[len(p):]
		}
		line = word
	}
	return append(lines, line)
}
