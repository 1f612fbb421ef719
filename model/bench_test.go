package model_test

import (
	"testing"

	"github.com/agentstream/conformance/model"
)

func BenchmarkLegal(b *testing.B) {
	g := model.Legal(model.Knobs{})
	events := 0
	for i := range b.N {
		events += len(g.Example(i).Events)
	}
	b.ReportMetric(float64(events)/float64(b.N), "events/op")
}
