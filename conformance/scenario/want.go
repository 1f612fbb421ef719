package scenario

import (
	"fmt"
	"reflect"
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
		if !reflect.DeepEqual(want, got) {
			x.result.Diff = difference(want, got)
			return x.failed(Expectation, a, "a consumer holds other %s than %s (-%s +held)", args[0], args[1], args[1])
		}
	}
	return x.needAnswer("want")
}

// maxDepth is how deep values may nest to be shown as a difference: the time that takes doubles with each level.
const maxDepth = 12

func difference(want, got any) string {
	if depth(got) > maxDepth {
		return ""
	}
	return cmp.Diff(want, got)
}

func depth(v any) (deepest int) {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			deepest = max(deepest, depth(x)+1)
		}
	case []any:
		for _, x := range v {
			deepest = max(deepest, depth(x)+1)
		}
	}
	return deepest
}
