package main

import "fmt"

// count says how many there are of what, which takes an s.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// byteCount says a number of bytes to a person: 310 bytes, 1.2 MB.
func byteCount(n int) string {
	const kilo = 1000
	if n < kilo {
		return count(n, "byte")
	}
	size, units := float64(n)/kilo, []string{"kB", "MB", "GB"}
	for size >= 999.95 && len(units) > 1 {
		size, units = size/kilo, units[1:]
	}
	return fmt.Sprintf("%.1f %s", size, units[0])
}
