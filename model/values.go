package model

import "strconv"

// Values: JSON for the members that take any.

// spellInt writes an integer in one of the ways that mean it.
func (s *sim) spellInt(n *noise, v int64) value {
	if !s.k.has(Odd) || !n.chance(25) {
		return number(v)
	}
	plain := strconv.FormatInt(v, 10)
	if v%1000 == 0 && v != 0 && n.chance(70) {
		return literal(strconv.FormatInt(v/1000, 10) + among(n, []string{"e3", "E3", "e+3", "E+03"}))
	}
	if v == 0 {
		return literal(among(n, []string{"0", "-0", "0.0", "0e9", "-0.0E-2"}))
	}
	return literal(plain + among(n, []string{".0", ".00", "e0", "E-0", ".0e+0"}))
}

// integer is a whole number of any size up to most, negative too if signed.
func (s *sim) integer(n *noise, most int64, signed bool) value {
	v := among(n, []int64{1700000000000, 0, 1, 7, 1000, 42000, most - 1, most, int64(n.below(1 << 40))})
	if signed && n.chance(20) {
		v = -v
	}
	return s.spellInt(n, v)
}

// numbers: the first few are the same for everybody, the rest are legal JSON that
// not everybody can hold.
var numbers = []string{"0", "1", "-1", "0.5", "42", "1e3", "1E-7", "-0", "3.141592653589793238", "123456789012345678901234567890", "1e400", "9007199254740993"}

// anything is any JSON value; null only where null may be.
func (s *sim) anything(n *noise, depth int, nulls bool) value {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	if nulls {
		kinds++
	}
	switch n.below(kinds) {
	case 0:
		return str(s.prose(n))
	case 1:
		if !s.k.has(Odd) {
			return literal(among(n, numbers[:5]))
		}
		return literal(among(n, numbers))
	case 2:
		return yes
	case 3:
		return no
	case 4:
		if depth > 0 {
			return s.list(n, depth-1)
		}
	case 5:
		if depth > 0 {
			return s.record(n, depth-1)
		}
	}
	return null
}

func (s *sim) list(n *noise, depth int) value {
	out := array()
	for range n.below(4) {
		out.list = append(out.list, s.anything(n, depth, true))
	}
	return out
}

var keys = []string{"a", "b", "c", "list", "", "a/b", "m~n", "~1", "0", "-", "x y", "type"}

// key is a member name of an open object; "ag-ui" is the protocol's own.
func (s *sim) key(n *noise) string {
	if s.k.has(Unicode) && n.chance(10) {
		return among(n, strangeWords)
	}
	return among(n, keys)
}

func (s *sim) record(n *noise, depth int) value {
	out := empty
	for range n.below(4) {
		out = out.with(s.key(n), s.anything(n, depth, true))
	}
	return out
}

func (s *sim) metadata(n *noise) value {
	out := empty
	for range n.below(3) {
		out = out.with(among(n, []string{"acme:trace", "acme.cost", "x/y", "", "é"}), s.anything(n, 2, true))
	}
	return out
}

// --- content parts ---

// content of a user or tool message: a string or parts.
func (s *sim) content(n *noise) value {
	if !s.k.has(Optional) || !n.chance(40) {
		return str(s.prose(n))
	}
	out := array()
	for range n.below(4) {
		out.list = append(out.list, s.part(n))
	}
	return out
}

func (s *sim) part(n *noise) value {
	kind := among(n, []string{"text", "image", "audio", "video", "document"})
	p := object(m("type", str(kind)))
	if kind == "text" {
		p = p.with("text", str(s.prose(n)))
	} else {
		p = p.with("source", s.source(n))
	}
	if n.chance(30) {
		p = p.with("id", str(s.name(n)))
	}
	if n.chance(30) {
		p = p.with("metadata", s.anything(n, 2, false))
	}
	return p
}

func (s *sim) source(n *noise) value {
	kind := among(n, []string{"data", "url", "file"})
	v := object(m("type", str(kind)), m("value", str(among(n, []string{"aGk=", "https://example.com/a.png", "file-1", ""}))))
	if kind == "data" || n.chance(50) {
		v = v.with("mimeType", str(among(n, []string{"image/png", "text/plain; charset=utf-8", ""})))
	}
	if kind == "file" && n.chance(50) {
		v = v.with("provider", str(s.name(n)))
	}
	return v
}
