// Package judge has a verifier that never hears of a stream's end, where an open run is at fault.
package judge

import "github.com/agentstream/conformance/verifier"

type deaf struct{}

func (deaf) Observe([]byte) []verifier.Violation { return nil }

var _ verifier.Verifier = deaf{} //~ ERROR "missing method Finish"
