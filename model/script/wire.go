package script

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/agentstream/conformance/baseline"
	"github.com/go-json-experiment/json/jsontext"
)

// Values of the wire in a script: they have the shapes of AG-UI 1.0, and numbers that everybody can hold.

// biggest is the greatest integer that a double holds with all before it.
const biggest = 1<<53 - 1

// wire is the revision whose shapes count.
var wire = sync.OnceValue(func() *baseline.Revision {
	r, ok := baseline.AGUI().Revision("1.0")
	if !ok {
		panic("script: no revision 1.0") // the baseline is compiled in
	}
	return r
})

// conforms says where a decoded value is not of a shape: a path, then what is wrong.
func conforms(v any, s *baseline.Schema) error {
	switch s.Kind {
	case baseline.KindString:
		return conformsString(v, s)
	case baseline.KindBoolean:
		return isKind[bool](v, "true or false")
	case baseline.KindNumber, baseline.KindInteger:
		return conformsNumber(v, s)
	case baseline.KindArray:
		return conformsArray(v, s)
	case baseline.KindObject:
		return isKind[map[string]any](v, "an object")
	case baseline.KindRef:
		o, _ := wire().Object(s.Ref)
		return conformsObject(v, o.Open, o.Members)
	case baseline.KindUnion:
		return conformsUnion(v, s)
	case baseline.KindOneOf:
		return conformsOne(v, s)
	}
	return nil // any
}

func isKind[T any](v any, name string) error {
	if _, ok := v.(T); !ok {
		return fmt.Errorf(": not %s", name)
	}
	return nil
}

func conformsString(v any, s *baseline.Schema) error {
	text, ok := v.(string)
	switch {
	case !ok:
		return fmt.Errorf(": not a string")
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, text):
		return fmt.Errorf(": %q is none of %s", text, strings.Join(s.Enum, ", "))
	case s.Pattern != "" && !pattern(s.Pattern).MatchString(text):
		return fmt.Errorf(": %q does not match %s", text, s.Pattern)
	}
	return nil
}

var patterns sync.Map // of *regexp.Regexp by their text: the baseline has few

func pattern(text string) *regexp.Regexp {
	p, ok := patterns.Load(text)
	if !ok {
		p, _ = patterns.LoadOrStore(text, regexp.MustCompile(text))
	}
	return p.(*regexp.Regexp)
}

func conformsNumber(v any, s *baseline.Schema) error {
	n, ok := v.(float64)
	switch {
	case !ok:
		return fmt.Errorf(": not a number")
	case s.Kind == baseline.KindInteger && n != math.Trunc(n):
		return fmt.Errorf(": not an integer")
	case s.Min != nil && n < float64(*s.Min) || s.Max != nil && n > float64(*s.Max):
		return fmt.Errorf(": out of range")
	}
	return nil
}

func conformsArray(v any, s *baseline.Schema) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf(": not an array")
	}
	if len(list) < s.MinItems {
		return fmt.Errorf(": %d elements, at least %d are needed", len(list), s.MinItems)
	}
	for i, e := range list {
		if err := conforms(e, s.Items); err != nil {
			return fmt.Errorf("/%d%w", i, err)
		}
	}
	return nil
}

func conformsObject(v any, open bool, members []baseline.Member) error {
	o, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf(": not an object")
	}
	for i := range members {
		if err := conformsMember(o, &members[i]); err != nil {
			return fmt.Errorf("/%s%w", members[i].Name, err)
		}
	}
	for name := range o {
		if !open && !slices.ContainsFunc(members, func(m baseline.Member) bool { return m.Name == name }) {
			return fmt.Errorf("/%s: unknown member", name)
		}
	}
	return nil
}

func conformsMember(o map[string]any, m *baseline.Member) error {
	v, given := o[m.Name]
	switch {
	case !given && m.Required:
		return fmt.Errorf(": missing")
	case !given || v == nil && m.Nullable:
		return nil
	case v == nil && !m.Required:
		return fmt.Errorf(": null")
	}
	return conforms(v, &m.Schema)
}

func conformsUnion(v any, s *baseline.Schema) error {
	o, _ := v.(map[string]any)
	kind, ok := o[s.Discriminator].(string)
	for _, arm := range s.Variants {
		if ok && arm.Value == kind {
			return conforms(v, &baseline.Schema{Kind: baseline.KindRef, Ref: arm.Ref})
		}
	}
	return fmt.Errorf("/%s: not one of a %s", s.Discriminator, s.Name)
}

// conformsOne: the arms are told apart by whether they are arrays.
func conformsOne(v any, s *baseline.Schema) error {
	_, isList := v.([]any)
	for i := range s.OneOf {
		if (s.OneOf[i].Kind == baseline.KindArray) == isList {
			return conforms(v, &s.OneOf[i])
		}
	}
	return fmt.Errorf(": of a wrong type")
}

// holds says whether a double holds every number of a value exactly, as integers only up to biggest, and without -0.
func holds(v jsontext.Value) error {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return nil // the end: Parse has seen to the rest
		}
		if t.Kind() == '0' && !isHeld(t.String()) {
			return fmt.Errorf("%.40s is a number that not everybody can hold", t.String())
		}
	}
}

func isHeld(literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	switch {
	case err != nil || f == 0 && literal[0] == '-':
		return false
	case f == math.Trunc(f) && math.Abs(f) > biggest:
		return false
	}
	digits, exponent, ok := decimal(literal)
	want, wantExponent, _ := decimal(strconv.FormatFloat(f, 'e', -1, 64))
	return ok && digits == want && exponent == wantExponent
}

// decimal reads a number as digits, without a zero at either end, and the power of ten of the first of them.
func decimal(literal string) (digits string, exponent int, ok bool) {
	mantissa, power, scaled := strings.Cut(strings.ToLower(strings.TrimPrefix(literal, "-")), "e")
	if scaled {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return "", 0, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "", 0, true
	}
	exponent += len(whole) - (len(whole+fraction) - len(digits)) - 1
	return strings.TrimRight(digits, "0"), exponent, true
}
