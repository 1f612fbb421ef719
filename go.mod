module github.com/agentstream/conformance

go 1.26

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/google/go-cmp v0.7.0
	gotest.tools/v3 v3.5.2
)
