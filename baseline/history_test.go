package baseline

import (
	"slices"
	"testing"
)

func TestHistoryNamesTheReleasesOldestFirst(t *testing.T) {
	var names []string
	for _, r := range History().Revisions {
		names = append(names, r.Name)
		if r.Source.Version != r.Name || r.Source.Package == "" || r.Source.Date == "" {
			t.Errorf("%s: source %+v", r.Name, r.Source)
		}
	}
	if want := []string{"0.0.36", "0.0.57", "0.0.58", "0.0.59", "1.0.0"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestNumberOfEventTypesOfEachRelease(t *testing.T) {
	want := map[string]int{"0.0.36": 22, "0.0.57": 33, "0.0.58": 33, "0.0.59": 36, "1.0.0": 31}
	for _, r := range History().Revisions {
		if got := len(r.Events); got != want[r.Name] {
			t.Errorf("%s has %d event types, want %d", r.Name, got, want[r.Name])
		}
	}
}
