package conformance

import (
	"cmp"
	"runtime/debug"
)

// A Tool says which build of the kit speaks.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Commit is the revision it was built from, with a + where files differed from it; often empty.
	Commit string `json:"-"`
	Go     string `json:"-"`
}

// Version returns what the build says about itself.
func Version() Tool {
	t := Tool{Name: "conformance", Version: "(devel)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	t.Go, t.Version = info.GoVersion, cmp.Or(info.Main.Version, t.Version)
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			t.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+"
		}
	}
	if t.Commit != "" {
		t.Commit += dirty
	}
	return t
}

// String is one line for a person.
func (t Tool) String() string {
	s := t.Name + " " + t.Version
	if t.Commit != "" {
		s += " " + t.Commit
	}
	if t.Go != "" {
		s += " " + t.Go
	}
	return s
}
