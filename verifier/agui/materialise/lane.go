package materialise

// lanes hold the items that chunks make up: one of any kind for the parent agent, and one for each tag.
type lanes struct {
	items map[owner]*item
	of    map[key]owner // the lane that holds an item
	kinds [kinds]map[owner]struct{}
}

func (l *lanes) clear() {
	*l = lanes{items: map[owner]*item{}, of: map[key]owner{}}
	for k := range l.kinds {
		l.kinds[k] = map[owner]struct{}{}
	}
}

// close ends the item that a lane holds, if it holds one.
func (l *lanes) close(o owner) {
	it := l.items[o]
	if it == nil {
		return
	}
	delete(l.items, o)
	delete(l.of, it.key)
	delete(l.kinds[it.key.kind], o)
}

// hold gives an item to a lane that holds none.
func (l *lanes) hold(o owner, it *item) {
	l.items[o], l.of[it.key] = it, o
	l.kinds[it.key.kind][o] = struct{}{}
}

// chunk opens an item or goes on with one.
func (s *Stream) chunk(e *event, k kind) {
	it := s.lanes.goesOn(e, k)
	if it == nil {
		if it = s.opened(e, k); it == nil {
			return
		}
		s.lanes.hold(e.owner(), it)
	}
	s.say(it, e)
	s.merge(it, e)
}

// goesOn finds the item that a chunk goes on with; nil where it has to open one.
func (l *lanes) goesOn(e *event, k kind) *item {
	if id, named := e.text(k.idName()); named {
		o, held := l.of[key{k, id}]
		if !held {
			return nil
		}
		return l.items[o]
	}
	o := e.owner()
	if !o.tagged {
		o = l.sole(k)
	}
	if it := l.items[o]; it != nil && it.key.kind == k {
		return it
	}
	return nil
}

// sole is the lane that a chunk without id and tag belongs to: the only one that holds its kind, else the
// parent agent's. Where several do, the parent's is one of them in a legal stream.
func (l *lanes) sole(k kind) (o owner) {
	if len(l.kinds[k]) == 1 {
		for o = range l.kinds[k] {
		}
	}
	return o
}
