package report

import "github.com/agentstream/conformance/conformance/internal/printable"

// Escape returns text with everything that is not printable as an escape.
func Escape(s string) string { return printable.Escape(s) }
