package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/verifier/wire"
)

// keepBytes is how much of a source that can be read only once is kept for showing its events.
const keepBytes = 32 << 20

// A Source is one recording that can be judged.
type Source struct {
	// Name is the path as it is reported, or - for standard input.
	Name string
	// Size is the number of bytes in the file; 0 where it is not known.
	Size int64

	path   string
	stdin  io.Reader
	once   bool // a pipe: it cannot be read again
	format wire.Format
}

// A recording is an open source, counted as it is read.
type recording struct {
	io.Reader
	file     *os.File
	kept     *keeper // for a source that can be read only once
	progress func(int)
}

// reader opens the source for its first reading.
func (s Source) reader(o *CheckOptions) (*recording, error) {
	r := &recording{Reader: s.stdin, progress: o.Progress}
	if s.stdin == nil {
		f, err := os.Open(s.path)
		if err != nil {
			return nil, err
		}
		r.Reader, r.file = f, f
	}
	r.Reader = subject.Unchunk(r.Reader)
	if s.once && o.Evidence {
		r.kept = &keeper{Reader: r.Reader}
		r.Reader = r.kept
	}
	return r, nil
}

// Read reads on and tells the progress.
func (r *recording) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if r.progress != nil && n > 0 {
		r.progress(n)
	}
	return n, err
}

// Close closes the file, where there is one.
func (r *recording) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// again opens the source a second time.
func (r *recording) again(s Source) (*recording, error) {
	if r.kept != nil {
		if r.kept.full {
			return nil, errOnce
		}
		return &recording{Reader: bytes.NewReader(r.kept.data)}, nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	return &recording{Reader: subject.Unchunk(f), file: f}, nil
}

// A keeper keeps what is read through it, up to keepBytes; of a longer input it keeps nothing.
type keeper struct {
	io.Reader
	data []byte
	full bool
}

// Read reads on and keeps what it read.
func (k *keeper) Read(b []byte) (int, error) {
	n, err := k.Reader.Read(b)
	if !k.full && len(k.data)+n > keepBytes {
		k.full, k.data = true, nil
	}
	if !k.full {
		k.data = append(k.data, b[:n]...)
	}
	return n, err
}

// Plain returns an error without the operation and the path that os puts in front: messages name
// the path themselves.
func Plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Unreadable says that a stream could not be read to its end.
func Unreadable(s *Stream) error {
	return fmt.Errorf("cannot read %s: %w; the verdict covers what came before", s.Source, s.Err)
}
