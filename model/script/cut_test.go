package script

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestUntilEndsAScriptAtAGateAndLeavesOpenWhatIsAroundIt(t *testing.T) {
	s := parsed(t, `[
		{"text":{"id":"m1","stream":["a"]}},
		{"step":{"name":"s","do":[
			{"subagent":{"id":"x","name":"X","do":[
				{"reasoning":{"messages":[{"id":"r1","stream":["b",{"gate":{"name":"first"}},"c"]},{"id":"r2","stream":["d"]}]}},
				{"toolCall":{"id":"c1","name":"f","stream":["{",{"gate":{"name":"second"}},"}"]}},
				{"text":{"id":"m2","stream":["e"]}}]}}]}},
		{"finish":{}}]`)
	assert.DeepEqual(t, s.Gates(), []string{"first", "second"})
	before := string(s.JSON())
	assert.Equal(t, string(s.Until("first").JSON()), string(parsed(t, `[
		{"text":{"id":"m1","stream":["a"]}},
		{"step":{"name":"s","do":[
			{"subagent":{"id":"x","name":"X","do":[
				{"reasoning":{"messages":[{"id":"r1","stream":["b",{"fail":{"message":"cut at a gate"}}]}]}}]}}]}}]`).JSON()))
	assert.Equal(t, string(s.Until("second").JSON()), string(parsed(t, `[
		{"text":{"id":"m1","stream":["a"]}},
		{"step":{"name":"s","do":[
			{"subagent":{"id":"x","name":"X","do":[
				{"reasoning":{"messages":[{"id":"r1","stream":["b",{"gate":{"name":"first"}},"c"]},{"id":"r2","stream":["d"]}]}},
				{"toolCall":{"id":"c1","name":"f","stream":["{",{"fail":{"message":"cut at a gate"}}]}}]}}]}}]`).JSON()))
	assert.Equal(t, string(s.JSON()), before)
}

func TestUntilLeavesOutTheBranchesBesideTheGate(t *testing.T) {
	s := parsed(t, `[
		{"custom":{"name":"a.b","value":1}},
		{"parallel":{"branches":[[{"text":{"id":"m1","stream":["a"]}}],[{"text":{"id":"m2","stream":["b"]}},{"gate":{"name":"g"}},{"text":{"id":"m3","stream":["c"]}}]]}},
		{"text":{"id":"m4","stream":["d"]}}]`)
	assert.Equal(t, string(s.Until("g").JSON()), string(parsed(t, `[
		{"custom":{"name":"a.b","value":1}},
		{"text":{"id":"m2","stream":["b"]}},
		{"fail":{"message":"cut at a gate"}}]`).JSON()))
	inside := parsed(t, `[{"text":{"id":"m1","stream":["a",{"parallel":{"branches":[[],[{"custom":{"name":"a.b","value":1}},{"gate":{"name":"g"}}]]}},"b"]}}]`)
	assert.Equal(t, string(inside.Until("g").JSON()), string(parsed(t, `[
		{"text":{"id":"m1","stream":["a",{"custom":{"name":"a.b","value":1}},{"fail":{"message":"cut at a gate"}}]}}]`).JSON()))
}
