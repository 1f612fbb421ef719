package document

// equal compares as the test operation does: numbers by value, objects whatever the order of their members.
// It recurses at most as deep as the shallower value nests, and one of the two comes from a patch.
func equal(a, b value) bool {
	switch {
	case a.box == nil && b.box == nil:
		return a.text == b.text || a.isNumber() && b.isNumber() && equalNumbers(a.text, b.text)
	case a.box == b.box:
		return true
	case a.box == nil || b.box == nil || a.box.len() != b.box.len():
		return false
	case (a.box.members == nil) != (b.box.members == nil):
		return false
	case a.box.members != nil:
		return equalObjects(a.box, b.box)
	}
	for i, v := range a.box.live() {
		if !equal(v, b.box.live()[i]) {
			return false
		}
	}
	return true
}

// equalObjects compares objects of the same number of members.
func equalObjects(a, b *box) bool {
	for i, name := range a.members.names {
		at := find(b.members, name)
		if at < 0 || !equal(a.live()[i], b.live()[at]) {
			return false
		}
	}
	return true
}

func (v value) isNumber() bool {
	return v.text != "" && (v.text[0] == '-' || '0' <= v.text[0] && v.text[0] <= '9')
}
