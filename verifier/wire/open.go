package wire

import (
	"compress/gzip"
	"io"
)

const (
	gzipMagic = "\x1f\x8b\x08"
	bom       = "\xef\xbb\xbf"

	// A compressed file of a response with a compressed body has two layers. Content that goes on for ever below that is
	// an attack on the reader.
	maxLayers = 2
)

// open skips what stands in front of the events, and settles the format.
func (r *Reader) open() error {
	if err := r.openBody(); err != nil {
		return err
	}
	for r.in.at("HTTP/") {
		if err := r.skipHeaders(); err != nil {
			return err
		}
		if err := r.openBody(); err != nil {
			return err
		}
	}
	r.settle()
	return nil
}

// openBody takes off compression and a byte order mark. The magic bytes decide, not a header: no event begins with
// them, and tools that decompress leave the Content-Encoding header as it was.
func (r *Reader) openBody() error {
	if r.layers < maxLayers && r.in.at(gzipMagic) {
		if err := r.unzip(); err != nil {
			return err
		}
	}
	if r.in.at(bom) {
		r.in.advance(len(bom))
	}
	return nil
}

func (r *Reader) unzip() error {
	packed := r.in
	r.in = newWindow(nil, "decompress gzip", len(packed.buf))
	r.in.base = packed.offset()
	r.layers++
	z, err := gzip.NewReader(&packed)
	if err != nil {
		return r.in.explain(noEOF(err))
	}
	r.in.src = z
	return nil
}

// noEOF is for where the end of the input is unexpected.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// settle decides what format the unread bytes have, if nobody has said so. A read error waits until they are consumed.
func (r *Reader) settle() {
	if r.format == Auto {
		r.format = r.hint
	}
	for last := false; r.format == Auto; {
		u := r.in.unread()
		last = last || len(u) >= sniffBytes || r.in.full()
		r.format = sniff(u[:min(len(u), sniffBytes)], last)
		if r.format == Auto {
			last = r.in.fill() != nil
		}
	}
}
