package baseline

import (
	_ "embed"
	"sync"
)

//go:embed history.json
var historyJSON []byte

var history = sync.OnceValue(func() *Protocol { return decode(historyJSON) })

// History returns AG-UI as single releases of its package had it, oldest first:
// each a revision named by its version, with Since and Until in versions. It is
// for who compares or migrates; the verifier knows AGUI only.
func History() *Protocol { return history() }
