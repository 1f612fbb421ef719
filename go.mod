module github.com/agentstream/conformance

go 1.26
