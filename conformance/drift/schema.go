package drift

import _ "embed"

// Schema is the JSON Schema of what JSON writes.
//
//go:embed drift.schema.json
var Schema []byte
