package value

import (
	"math"
	"strconv"

	"github.com/agentstream/conformance/verifier/scan"
)

// IsFinite reports whether all numbers in a JSON value fit into a float64.
func IsFinite(json []byte) bool {
	for i := 0; i < len(json); {
		switch c := json[i]; {
		case c == '"':
			i = scan.Skip(json, i)
		case c == '-' || isDigit(c):
			end := scan.Skip(json, i)
			if math.IsInf(float(json[i:end]), 0) {
				return false
			}
			i = end
		default:
			i++
		}
	}
	return true
}

// exact is how many digits an integer may have that every float64 of its size holds.
const exact = 15

// float returns the value of a number, ±Inf where it is too big. Zero has no sign.
func float(number []byte) float64 {
	n := 0
	for i, c := range number {
		if !isDigit(c) || i == exact {
			f, _ := strconv.ParseFloat(string(number), 64)
			return f + 0 // -0 + 0 is 0
		}
		n = n*10 + int(c-'0')
	}
	return float64(n)
}

// Index returns the value of a number that can be an index; 0.0 and -0 are 0. Any other value is none.
func Index(number []byte) (n int, ok bool) {
	if len(number) == 0 || scan.KindOf(number[0]) != '0' {
		return 0, false
	}
	const most = 1 << 53
	f := float(number)
	return int(f), f >= 0 && f < most && f == math.Trunc(f)
}

// AppendNumber appends a number as JavaScript turns it into text.
func AppendNumber(dst, number []byte) []byte {
	f := float(number)
	switch size := math.Abs(f); {
	case math.IsInf(f, 0):
		return append(dst, infinities[f < 0]...)
	case size != 0 && size < 1e-6 || size >= 1e21:
		return shortExponent(strconv.AppendFloat(dst, f, 'e', -1, 64))
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

var infinities = map[bool]string{false: "Infinity", true: "-Infinity"}

// shortExponent takes the zero out of e-07.
func shortExponent(b []byte) []byte {
	if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		return b[:n-1]
	}
	return b
}
