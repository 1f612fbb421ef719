package assistant

import "unicode/utf8"

// parse reads a document as the model means it: literals of numbers stay, and so do halves of pairs. Of a
// repeated name the last value counts. ok is false for what is no JSON.
func parse(raw []byte) (v value, ok bool) {
	p := &parser{in: raw}
	v, ok = p.value(0)
	p.space()
	return v, ok && p.i == len(raw)
}

type parser struct {
	in []byte
	i  int
}

const deepest = 1000

func (p *parser) space() {
	for p.i < len(p.in) && (p.in[p.i] == ' ' || p.in[p.i] == '\t' || p.in[p.i] == '\n' || p.in[p.i] == '\r') {
		p.i++
	}
}

func (p *parser) skip(c byte) bool {
	p.space()
	if p.i < len(p.in) && p.in[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) value(depth int) (value, bool) {
	p.space()
	if p.i == len(p.in) || depth > deepest {
		return value{}, false
	}
	switch p.in[p.i] {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	case '"':
		return p.text()
	}
	from := p.i
	for p.i < len(p.in) && !isEnd(p.in[p.i]) {
		p.i++
	}
	switch word := string(p.in[from:p.i]); word {
	case "null":
		return null, true
	case "true":
		return yes, true
	case "false":
		return no, true
	default:
		return literal(word), word != "" && (word[0] == '-' || '0' <= word[0] && word[0] <= '9')
	}
}

func isEnd(c byte) bool { return c <= ' ' || c == ',' || c == ']' || c == '}' || c == ':' }

func (p *parser) array(depth int) (value, bool) {
	out := array()
	p.i++
	if p.skip(']') {
		return out, true
	}
	for {
		v, ok := p.value(depth + 1)
		if !ok {
			return out, false
		}
		out.list = append(out.list, v)
		if p.skip(']') {
			return out, true
		}
		if !p.skip(',') {
			return out, false
		}
	}
}

func (p *parser) object(depth int) (value, bool) {
	out := object()
	p.i++
	if p.skip('}') {
		return out, true
	}
	for {
		p.space()
		if p.i == len(p.in) || p.in[p.i] != '"' {
			return out, false
		}
		name, ok := p.text()
		if !ok || !p.skip(':') {
			return out, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return out, false
		}
		out = out.with(nameOf(name.units), v)
		if p.skip('}') {
			return out, true
		}
		if !p.skip(',') {
			return out, false
		}
	}
}

// text reads a string.
func (p *parser) text() (value, bool) {
	v := value{kind: '"'}
	for p.i++; p.i < len(p.in); {
		c := p.in[p.i]
		switch {
		case c == '"':
			p.i++
			return v, true
		case c == '\\':
			u, ok := p.escape()
			if !ok {
				return v, false
			}
			v.units = append(v.units, u)
		default:
			r, size := utf8.DecodeRune(p.in[p.i:])
			v.units = append(v.units, unitsOf(string(r))...)
			p.i += size
		}
	}
	return v, false
}

func (p *parser) escape() (uint16, bool) {
	if p.i+1 >= len(p.in) {
		return 0, false
	}
	c := p.in[p.i+1]
	if c != 'u' {
		p.i += 2
		for i := 0; i < len(short); i += 2 {
			if short[i] == c {
				return uint16(short[i+1]), true
			}
		}
		return 0, false
	}
	if p.i+6 > len(p.in) {
		return 0, false
	}
	u := uint16(0)
	for _, h := range p.in[p.i+2 : p.i+6] {
		d, ok := hexDigit(uint16(h))
		if !ok {
			return 0, false
		}
		u = u<<4 | d
	}
	p.i += 6
	return u, true
}
