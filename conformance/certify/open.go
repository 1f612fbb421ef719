package certify

import (
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/agentstream/conformance/conformance/reference"
	"github.com/agentstream/conformance/conformance/subject"
)

// Reference is the name of this kit's own agent as a subject.
const Reference = "reference"

// Open returns the subject that a name stands for: an http or https address, Reference, a folder of recordings, or else a
// command. header goes with each request. What a command writes to standard error goes to stderr.
func Open(name string, header http.Header, l subject.Limits, stderr io.Writer) (subject.Subject, error) {
	switch info, err := os.Stat(name); {
	case strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://"):
		return subject.NewHTTP(name, header, l)
	case name == Reference:
		return openReference(l)
	case err == nil && info.IsDir():
		return subject.OpenRecordings(name)
	}
	return subject.NewCommand(name, header, l, stderr), nil
}

// own is the reference agent behind an address of its own.
type own struct {
	*subject.HTTP
	stop func()
}

func openReference(l subject.Limits) (subject.Subject, error) {
	address, stop, err := reference.Serve(reference.Options{})
	if err != nil {
		return nil, err
	}
	h, err := subject.NewHTTP(address, nil, l)
	if err != nil {
		return nil, err
	}
	return own{h, stop}, nil
}

// Name is Reference: the address is another one each time.
func (own) Name() string { return Reference }

// Close stops the server.
func (o own) Close() error {
	err := o.HTTP.Close()
	o.stop()
	return err
}
