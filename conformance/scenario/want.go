package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// want compares what a consumer holds after the response with a file.
func (x *session) want(args []string) error {
	if len(args) != 2 || !slices.Contains(materialise.Views(), args[0]) {
		return fmt.Errorf("want wants one of %s, and a file", strings.Join(materialise.Views(), ", "))
	}
	data, err := x.read(args[1])
	if err != nil {
		return err
	}
	want, err := value(data)
	if err != nil {
		return fmt.Errorf("%s: %w", args[1], err)
	}
	for _, a := range x.answers {
		held, _ := a.said.Holds(args[0])
		got := a.comparable(held, want)
		if diff := cmp.Diff(want, got); diff != "" {
			x.result.Diff = diff
			return x.failed(Expectation, a, "a consumer holds other %s than %s (-%s +held)", args[0], args[1], args[1])
		}
	}
	return x.needAnswer("want")
}
