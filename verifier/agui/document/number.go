package document

import (
	"math/big"
	"strconv"
	"strings"
)

// decimal is digits × 10^exponent, with digits that neither start nor end in zero. Zero has no digits and no sign.
type decimal struct {
	negative bool
	digits   string
	exponent string // as written, without leading zeros
	shift    int    // to add to exponent
}

// equalNumbers compares two JSON numbers by value, exactly.
func equalNumbers(a, b string) bool {
	if a == b {
		return true
	}
	x, y := parseDecimal(a), parseDecimal(b)
	if x.digits == "" || y.digits == "" {
		return x.digits == y.digits
	}
	return x.negative == y.negative && x.digits == y.digits && x.scale(y) == 0
}

func parseDecimal(text string) (d decimal) {
	text, d.negative = strings.CutPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text, d.exponent = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	d.shift = len(digits) - len(d.digits) - len(fraction)
	return d
}

// scale compares the exponents of two decimals: negative, 0 or positive.
func (d decimal) scale(o decimal) int {
	x, errX := d.small()
	y, errY := o.small()
	if errX == nil && errY == nil {
		return int(min(max(x-y, -1), 1))
	}
	return d.large().Cmp(o.large())
}

// small is the exponent if it and the shift are sure to fit.
func (d decimal) small() (int64, error) {
	if d.exponent == "" {
		return int64(d.shift), nil
	}
	// 60 bits leave room for the shift, which is at most the length of a text, and for the difference of two.
	e, err := strconv.ParseInt(d.exponent, 10, 60)
	return e + int64(d.shift), err
}

func (d decimal) large() *big.Int {
	e := new(big.Int)
	e.SetString(d.exponent, 10) // an empty exponent leaves zero
	return e.Add(e, big.NewInt(int64(d.shift)))
}
