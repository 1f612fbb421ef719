package drift

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/drift/fetch"
	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/internal/printable"
)

// Upstream is what the newest publication of the protocol says that the baseline
// does not, or why it could not be asked.
type Upstream struct {
	Source      string
	Differences []Difference
	Err         error
}

// Changed says whether the baseline is out of date.
func (u *Upstream) Changed() bool { return u != nil && len(u.Differences) > 0 }

// AskUpstream reads the newest published package, or the file or address that is
// named, with the same readers as an SDK, and compares it with the current
// revision. What fails on the way is in the answer: it says nothing of the SDK.
func AskUpstream(ctx context.Context, from string) *Upstream {
	u := &Upstream{Source: from}
	dir, err := os.MkdirTemp("", "conformance-upstream-")
	if err != nil {
		u.Err = err
		return u
	}
	defer os.RemoveAll(dir)
	root := from
	switch {
	case from == "":
		root, err = u.newest(ctx, dir)
	case strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://"):
		root, err = download(ctx, from, dir)
	}
	if err == nil {
		err = u.compare(root)
	}
	u.Err = err
	return u
}

func (u *Upstream) newest(ctx context.Context, dir string) (string, error) {
	u.Source = baseline.AGUI().Newest().Source.Package
	for _, r := range fetch.Registries() {
		if r.Name == "npm" {
			f, err := r.Get(ctx, u.Source, dir)
			if err == nil {
				u.Source = f.Title
			}
			return f.Dir, err
		}
	}
	return "", errors.New("no registry npm")
}

// download brings one file. Its name is kept, since it says what reads it.
func download(ctx context.Context, address, dir string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", address, response.Status)
	}
	name := path.Base(parsed.Path)
	if !filepath.IsLocal(name) || name == "." || name == "/" {
		name = "schema.json"
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, token.MaxSize+1))
	if err != nil {
		return "", err
	}
	p := filepath.Join(dir, name)
	return p, os.WriteFile(p, body, 0o666)
}

func (u *Upstream) compare(root string) error {
	against, err := Revision("")
	if err != nil {
		return err
	}
	source, err := Open(root, "")
	if err != nil {
		return err
	}
	r, err := Check(against, source, Options{Shapes: true})
	if err != nil {
		return err
	}
	u.Differences = r.Differences
	return nil
}

// upstreamWords say what a difference from the baseline is when it is upstream that has it.
var upstreamWords = map[Kind]string{
	MissingType: "gone", UnlistedType: "not in the list of event types", NoPayload: "has no fields any more", UnknownType: "new event type",
	RetiredType: "back", Discriminator: "another value", UnusedPayload: "not in the union", MissingField: "gone", UnknownField: "new field",
	RetiredField: "back", WireName: "another name", Optionality: "",
}

// text writes what upstream has for a person.
func (u *Upstream) text(b *strings.Builder) {
	if u == nil {
		return
	}
	fmt.Fprintf(b, "\nupstream  %s\n", printable.Escape(u.Source))
	switch {
	case u.Err != nil:
		b.WriteString(wrapped("could not be asked, which changes nothing: "+printable.Escape(u.Err.Error()), "  ", "  "))
	case len(u.Differences) == 0:
		b.WriteString("  the baseline is current\n")
	}
	for _, d := range u.Differences {
		what := upstreamWords[d.Kind]
		if d.Detail != "" {
			what = strings.TrimPrefix(what+": "+strings.ReplaceAll(d.Detail, " in the SDK", " upstream"), ": ")
		}
		fmt.Fprintf(b, "  %s: %s\n", printable.Escape(d.Subject()), printable.Escape(what))
	}
	if u.Changed() {
		b.WriteString(wrapped("hint: conformance drift --refresh takes the newest release into the baseline; read its diff, then adapt the SDK in the same change", "  ", "        "))
	}
}
