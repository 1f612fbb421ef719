package pi_test

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/baseline/pi"
)

func TestAReleaseHasWhatItsTimeHad(t *testing.T) {
	for _, c := range []struct {
		profile, since, until string
		want                  bool
	}{
		{pi.Pi073, "", "", true}, {pi.Pi1x, "", "", true}, {"other", pi.Pi1x, pi.Pi073, true},
		{pi.Pi073, pi.Pi080, "", false}, {pi.Pi080, pi.Pi080, "", true}, {pi.Pi1x, pi.Pi080, "", true},
		{pi.Pi073, "", pi.Pi080, true}, {pi.Pi080, "", pi.Pi080, true}, {pi.Pi1x, "", pi.Pi080, false},
	} {
		assert.Equal(t, pi.In(c.profile, c.since, c.until), c.want, "%+v", c)
	}
}

func TestDeferredIsAReasonSinceOne(t *testing.T) {
	assert.DeepEqual(t, pi.DoneReasons(pi.Pi1x), []string{"stop", "length", "toolUse", "deferred"})
	assert.DeepEqual(t, pi.DoneReasons(pi.Pi080), []string{"stop", "length", "toolUse"})
	assert.DeepEqual(t, pi.DoneReasons(pi.Pi073), []string{"stop", "length", "toolUse"})
}

// Both providers have events of the same kinds, in the same order.
func TestBothProvidersHaveTheSameEvents(t *testing.T) {
	assert.Equal(t, len(pi.Provider()), 12)
	assert.Equal(t, len(pi.DiCode()), 12)
	for i, e := range pi.Provider() {
		other := pi.DiCode()[i]
		if i < 7 || i > 9 {
			assert.Equal(t, e.Type, other.Type)
		}
		has := func(m pi.Member) bool { return m.Name == "contentIndex" }
		assert.Equal(t, slices.ContainsFunc(e.Members, has), slices.ContainsFunc(other.Members, has), e.Type)
	}
}
