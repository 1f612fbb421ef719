package reference

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// A mixer lets branches say things one at a time. Who is next is drawn when all branches that run have something to say, so
// that the same draws give the same stream however the branches are scheduled; those at a gate are not waited for.
type mixer struct {
	mu      sync.Mutex
	random  *rand.Rand
	running int    // branches that neither wait for a turn nor at a gate nor for branches of their own
	waiting []turn // in the order of their keys
}

// A turn is that of a branch, to be closed when it comes. The key is the branch's place: those of the branches around it, then
// its own.
type turn struct {
	key  []int
	come chan struct{}
}

// newMixer returns a mixer with one branch that runs.
func newMixer(random *rand.Rand) *mixer { return &mixer{random: random, running: 1} }

// turn waits until it is the branch's turn.
func (m *mixer) turn(key []int) {
	m.mu.Lock()
	if m.running == 1 && len(m.waiting) == 0 {
		m.mu.Unlock()
		return
	}
	t := turn{key, make(chan struct{})}
	i, _ := slices.BinarySearchFunc(m.waiting, t, func(a, b turn) int { return slices.Compare(a.key, b.key) })
	m.waiting = slices.Insert(m.waiting, i, t)
	m.stop()
	m.mu.Unlock()
	<-t.come
}

// stop notes that a branch does not run any more, and draws whose turn it is when none does. The mixer is locked.
func (m *mixer) stop() {
	m.running--
	if m.running > 0 || len(m.waiting) == 0 {
		return
	}
	i := m.random.IntN(len(m.waiting))
	close(m.waiting[i].come)
	m.waiting = slices.Delete(m.waiting, i, i+1)
	m.running++
}

// pause runs f, during which the branch is not waited for.
func (m *mixer) pause(f func()) {
	m.mu.Lock()
	m.stop()
	m.mu.Unlock()
	f()
	m.mu.Lock()
	m.running++
	m.mu.Unlock()
}

// parallel runs n branches of a branch, and returns when all have ended.
func (m *mixer) parallel(n int, do func(i int)) {
	m.mu.Lock()
	m.running += n - 1 // they run, the branch around them does not
	m.mu.Unlock()
	var all sync.WaitGroup
	left := n
	for i := range n {
		all.Go(func() {
			do(i)
			m.mu.Lock()
			defer m.mu.Unlock()
			if left--; left > 0 { // in place of the last one, the branch around them runs
				m.stop()
			}
		})
	}
	all.Wait()
}
