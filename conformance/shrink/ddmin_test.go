package shrink

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"
)

// numbers returns 0 to n-1.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func never() bool { return false }

func TestDeltaDebuggingFindsWhatIsNeeded(t *testing.T) {
	for name, needed := range map[string][]int{
		"nothing":            {},
		"the first":          {0},
		"the last":           {999},
		"one in the middle":  {500},
		"two far apart":      {1, 998},
		"neighbours":         {511, 512, 513},
		"the first and last": {0, 999},
		"every hundredth":    {0, 100, 200, 300, 400, 500, 600, 700, 800, 900},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			got := ddmin(numbers(1000), func(some []int) bool {
				asked++
				return !slices.ContainsFunc(needed, func(n int) bool { return !slices.Contains(some, n) })
			}, never)
			assert.Check(t, slices.Equal(got, needed), "%d", got)
			assert.Check(t, asked < 300, "asked %d times", asked)
		})
	}
}

// An end without its start is a fault of another kind, so that neither can go alone.
func TestPairsGoTogether(t *testing.T) {
	keep := func(some []int) bool {
		return slices.Contains(some, 3) && slices.Contains(some, 0) == slices.Contains(some, 5) && slices.Contains(some, 1) == slices.Contains(some, 4)
	}
	assert.DeepEqual(t, ddmin(numbers(6), func(some []int) bool { return len(some) > 4 && keep(some) }, never), []int{0, 1, 3, 4, 5})
	assert.DeepEqual(t, pairs(numbers(6), keep, never), []int{3})
}

func TestShortListsAreDebuggedToo(t *testing.T) {
	for n := range 6 {
		for needed := range n {
			got := ddmin(numbers(n), func(some []int) bool { return slices.Contains(some, needed) }, never)
			assert.DeepEqual(t, got, []int{needed})
		}
	}
	assert.Equal(t, len(ddmin(nil, func([]int) bool { panic("asked about nothing") }, never)), 0)
}
