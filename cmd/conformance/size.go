package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// units are what a size may end in, the longer ones first.
var units = []struct {
	name  string
	bytes float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"b", 1},
}

// A size is a flag for a number of bytes: 1048576, 1MiB, 1.5 MB.
type size int

func (s *size) Type() string { return "size" }

func (s *size) String() string {
	for _, u := range []string{"gib", "mib", "kib"} {
		for _, x := range units {
			if n := int(x.bytes); x.name == u && int(*s) >= n && int(*s)%n == 0 {
				return strconv.Itoa(int(*s)/n) + strings.ToUpper(u[:1]) + "iB"
			}
		}
	}
	return strconv.Itoa(int(*s))
}

func (s *size) Set(text string) error {
	number, factor := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, factor = strings.TrimSpace(n), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*factor >= 1) || n*factor > math.MaxInt32*1024 {
		return errors.New("it is no size of at least one byte, such as 4096, 64KiB or 16MiB")
	}
	*s = size(n * factor)
	return nil
}

// A positive is a flag for a number from 1.
type positive int

func (p *positive) Type() string   { return "number" }
func (p *positive) String() string { return strconv.Itoa(int(*p)) }

func (p *positive) Set(text string) error {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil || n < 1 {
		return errors.New("it is no whole number from 1")
	}
	*p = positive(n)
	return nil
}
