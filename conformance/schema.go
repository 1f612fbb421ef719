package conformance

import "github.com/agentstream/conformance/model/script"

// ScriptSchema is the JSON Schema (2020-12) of scripts, those of docs/scripted-agent.md.
func ScriptSchema() []byte { return script.Schema() }
