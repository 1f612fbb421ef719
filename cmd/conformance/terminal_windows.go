package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// understandsColour asks the console to act on escape sequences and reports whether it will.
func understandsColour(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
