package scan

import "strconv"

// Integer returns the value of a JSON number that is an integer by value (1.0 and 1e2 are) and fits
// in an int64. Big is set where it is an integer that does not fit.
func Integer(number []byte) (value int64, integer, big bool) {
	if v, err := strconv.ParseInt(string(number), 10, 64); err == nil {
		return v, true, false
	}
	return decimal(number)
}

// decimal reads a number as digits times a power of ten, exactly.
func decimal(number []byte) (value int64, integer, big bool) {
	digits, negative, point := make([]byte, 0, len(number)), false, 0
	exponent, seenPoint := 0, false
	for i := 0; i < len(number); i++ {
		switch c := number[i]; {
		case c == '-':
			negative = true
		case c == '.':
			seenPoint = true
		case c|0x20 == 'e':
			exponent = boundedInt(number[i+1:])
			i = len(number)
		default:
			digits = append(digits, c)
			if seenPoint {
				point++
			}
		}
	}
	return scaled(digits, exponent-point, negative)
}

// scaled returns digits × 10^exponent.
func scaled(digits []byte, exponent int, negative bool) (value int64, integer, big bool) {
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits, exponent = digits[:len(digits)-1], exponent+1
	}
	switch {
	case len(digits) == 0:
		return 0, true, false
	case exponent < 0:
		return 0, false, false
	case len(digits)+exponent > 19:
		return 0, true, true
	}
	for range exponent {
		digits = append(digits, '0')
	}
	if negative {
		digits = append([]byte{'-'}, digits...)
	}
	v, err := strconv.ParseInt(string(digits), 10, 64)
	return v, true, err != nil
}

// boundedInt reads an exponent; one that is beyond any use comes back as ±1e9.
func boundedInt(b []byte) int {
	const bound = 1_000_000_000
	v, err := strconv.Atoi(string(b))
	switch {
	case err != nil && len(b) > 0 && b[0] == '-', v < -bound:
		return -bound
	case err != nil, v > bound:
		return bound
	}
	return v
}
