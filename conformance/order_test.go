package conformance

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

func TestResultsComeInTheOrderOfTheItemsWhateverTheirTimes(t *testing.T) {
	release := make(chan bool)
	work := func(i int) int {
		if i == 0 {
			<-release // the first is done last of those in flight
		} else if i == 2 {
			close(release)
		}
		return i * i
	}
	got := slices.Collect(inOrder(each([]int{0, 1, 2, 3, 4, 5}), 3, work, func() {}))
	assert.DeepEqual(t, got, []int{0, 1, 4, 9, 16, 25})
}

// Each item waits for another one to be worked on: fewer workers would never end.
func TestAllWorkersWorkAtOnce(t *testing.T) {
	const workers = 4
	here, all := make(chan bool, workers), make(chan bool)
	go func() {
		for range workers {
			<-here
		}
		close(all)
	}()
	work := func(int) bool {
		here <- true
		select {
		case <-all:
			return true
		case <-time.After(time.Minute):
			return false
		}
	}
	got := slices.Collect(inOrder(each(make([]int, workers)), workers, work, func() {}))
	assert.DeepEqual(t, got, []bool{true, true, true, true})
}

func TestFewItemsAreInFlight(t *testing.T) {
	const workers, many = 2, 1000
	var taken atomic.Int64
	items := func(yield func(int) bool) {
		for i := range many {
			taken.Add(1)
			if !yield(i) {
				return
			}
		}
	}
	yielded := int64(0)
	for range inOrder(items, workers, func(i int) int { return i }, func() {}) {
		yielded++
		assert.Assert(t, taken.Load()-yielded <= 2*workers+2)
	}
	assert.Equal(t, yielded, int64(many))
}
