// Package judge has a verifier that hears of a stream's end.
package judge

import "github.com/agentstream/conformance/verifier"

type attentive struct{}

func (attentive) Observe([]byte) []verifier.Violation { return nil }

func (attentive) Finish() []verifier.Violation { return nil }

var _ verifier.Verifier = attentive{}
