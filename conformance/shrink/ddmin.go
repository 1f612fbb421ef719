package shrink

// ddmin returns a short part of a list, in its order, that keep still accepts: delta debugging, for
// whatever is a list. It leaves out ever smaller pieces and in the end single ones, until none can be
// left out any more, or until it is over. keep accepts the whole list; it
// is not asked about that, and it may hold on to what it is given. The same answers give the same part.
func ddmin[T any](list []T, keep func([]T) bool, over func() bool) []T {
	if len(list) == 0 || keep(nil) {
		return nil
	}
	list = shortestPrefix(list, keep)
	for size := len(list) / 2; size > 1; size /= 2 {
		list, _ = sweep(list, size, keep, over)
	}
	return singles(list, keep, over)
}

// shortestPrefix halves its way to a prefix that is kept: mostly the shortest, since what a list
// shows stays when it goes on.
func shortestPrefix[T any](list []T, keep func([]T) bool) []T {
	kept, lost := len(list), 0
	for kept-lost > 1 {
		if middle := (kept + lost) / 2; keep(list[:middle:middle]) {
			kept = middle
		} else {
			lost = middle
		}
	}
	return list[:kept:kept]
}

// singles leaves out one at a time until every one is needed.
func singles[T any](list []T, keep func([]T) bool, over func() bool) []T {
	for shorter := true; shorter; {
		list, shorter = sweep(list, 1, keep, over)
	}
	return list
}

// sweep leaves out pieces of that size, the last first: what comes later rests on what came before.
func sweep[T any](list []T, size int, keep func([]T) bool, over func() bool) (rest []T, shorter bool) {
	for end := len(list); end > 0 && !over(); end -= size {
		if some := without(list, max(0, end-size), end); keep(some) {
			list, shorter = some, true
		}
	}
	return list, shorter
}

// pairs leaves out two at a time, such as a start and its end, where neither can go alone. It asks
// about every pair, and is for short lists.
func pairs[T any](list []T, keep func([]T) bool, over func() bool) []T {
	for i := 0; i < len(list) && !over(); i++ {
		for j := i + 1; j < len(list); j++ {
			if some := without(without(list, j, j+1), i, i+1); keep(some) {
				return pairs(singles(some, keep, over), keep, over)
			}
		}
	}
	return list
}

// without returns a copy without the elements from from to to.
func without[T any](list []T, from, to int) []T {
	return append(append(make([]T, 0, len(list)), list[:from]...), list[to:]...)
}
