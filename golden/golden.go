// Package golden holds recorded and made streams with the verdicts and reports that they must give.
// It has data and tests only.
package golden
