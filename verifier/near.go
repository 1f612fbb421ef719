package verifier

import "strings"

// Nearest returns the candidate that a misspelt name may stand for, empty where none is close. Case
// and separators do not count: runFinished and run-finished are RUN_FINISHED.
func Nearest(name string, candidates []string) string {
	if len(name) > 64 {
		return ""
	}
	folded, best, least := fold(name), "", 0
	for _, c := range candidates {
		d := distance(folded, fold(c))
		if d <= len(c)/4 && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// separators are read only, and safe for concurrent use.
var separators = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

func fold(s string) string { return strings.ToLower(separators.Replace(s)) }

// distance is Levenshtein's, over bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
