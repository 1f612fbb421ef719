//go:build !windows

package main

import "os"

// understandsColour reports whether a terminal acts on escape sequences.
func understandsColour(*os.File) bool { return true }
