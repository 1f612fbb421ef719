// Package fuzz sets the verifier against second opinions on streams that nobody wrote. It has tests only.
package fuzz
