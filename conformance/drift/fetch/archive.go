package fetch

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Limits on what is unpacked.
const (
	maxEntries = 20000
	maxBytes   = 256 << 20
)

// An unpacker writes the entries of an archive below a folder, and nowhere else.
type unpacker struct {
	root    string
	entries int
	bytes   int64
}

// file writes one regular file.
func (u *unpacker) file(name string, r io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("the archive has the path %q, which leads out of it", name)
	}
	if u.entries++; u.entries > maxEntries {
		return fmt.Errorf("the archive has more than %d files", maxEntries)
	}
	p := filepath.Join(u.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, maxBytes-u.bytes+1))
	if u.bytes += n; u.bytes > maxBytes {
		err = fmt.Errorf("the archive has more than %d MiB", maxBytes>>20)
	}
	return errors.Join(err, f.Close())
}

// untar unpacks the regular files of a gzipped tar archive. Links are left out.
func untar(archive, root string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	u := unpacker{root: root}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case h.Typeflag != tar.TypeReg:
			continue
		}
		if err := u.file(h.Name, t); err != nil {
			return err
		}
	}
}

// unzip unpacks the regular files of a zip archive. Links are left out.
func unzip(archive, root string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	u := unpacker{root: root}
	for _, entry := range z.File {
		if !entry.Mode().IsRegular() {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(u.file(entry.Name, r), r.Close()); err != nil {
			return err
		}
	}
	return nil
}
