package session

import "pgregory.net/rapid"

// draw is where every decision comes from. Structure (which action, which id,
// which tag) is drawn step by step, so that a failure shrinks; decoration comes
// from noise, one draw for a whole event.
type draw struct{ t *rapid.T }

// rolls are the generators for 0..n-1 that are used again and again.
var rolls = func() (g [129]*rapid.Generator[int]) {
	for n := 1; n < len(g); n++ {
		g[n] = rapid.IntRange(0, n-1)
	}
	return g
}()

var seeds = rapid.IntRange(0, 1<<20-1)

// roll is one of 0..n-1; n that are 1 or less cost no draw.
func (d draw) roll(n int) int {
	switch {
	case n <= 1:
		return 0
	case n < len(rolls):
		return rolls[n].Draw(d.t, "roll")
	}
	return rapid.IntRange(0, n-1).Draw(d.t, "roll")
}

// even is one of 0..n-1, each as likely as the next (roll prefers small ones).
func (d draw) even(n int) int {
	if n <= 1 {
		return 0
	}
	return d.noise().below(n)
}

// chance is true in percent of all cases, and shrinks to false.
func (d draw) chance(percent int) bool { return d.roll(100) >= 100-percent }

// noise draws a seed. The seed 0 answers every question with the simplest answer.
func (d draw) noise() *noise {
	n := noise(seeds.Draw(d.t, "noise"))
	return &n
}

func pick[T any](d draw, list []T) T { return list[d.roll(len(list))] }

// noise is a stream of pseudo-random answers that one drawn number decides.
type noise uint64

func (n *noise) next() uint64 {
	if *n == 0 {
		return 0
	}
	*n += 0x9e3779b97f4a7c15 // splitmix64
	if *n == 0 {
		*n = 1
	}
	z := uint64(*n)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is one of 0..k-1.
func (n *noise) below(k int) int { return int(n.next() >> 1 % uint64(k)) }

// chance is true in percent of all cases.
func (n *noise) chance(percent int) bool { return n.below(100) >= 100-percent }

func among[T any](n *noise, list []T) T { return list[n.below(len(list))] }
