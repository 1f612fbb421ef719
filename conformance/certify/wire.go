package certify

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/agentstream/conformance/scenarios"
)

// wireFS holds the plain inputs for a server without an adapter: it does with them what its agent does, and only whether the
// streams are legal is judged.
//
//go:embed wire/*.txtar
var wireFS embed.FS

func plain() (all []*scenarios.Scenario, err error) {
	paths, err := fs.Glob(wireFS, "wire/*.txtar")
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		data, err := wireFS.ReadFile(p)
		if err != nil {
			return nil, err
		}
		all = append(all, scenarios.Parse("wire/"+strings.TrimSuffix(path.Base(p), ".txtar"), data))
	}
	return all, nil
}
