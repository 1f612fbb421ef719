module compilefail

go 1.26.0

require github.com/agentstream/conformance v0.0.0

replace github.com/agentstream/conformance => ../../..
