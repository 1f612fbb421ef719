package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// manifestFile describes a folder of recordings.
const manifestFile = "manifest.json"

// A Manifest says whose recordings a folder holds. They are SCENARIO/RUN.http below it.
type Manifest struct {
	Version     int         `json:"version"` // of this format: 1
	Tool        string      `json:"tool"`    // which recorded them
	Description Description `json:"description"`
}

// ErrNotRecorded is the error of a request that a folder has no answer to.
var ErrNotRecorded = errors.New("not recorded")

// Recordings is a folder of captures that answers as the recorded subject did.
type Recordings struct {
	folder   string
	manifest Manifest
}

// OpenRecordings opens a folder that Record wrote.
func OpenRecordings(folder string) (*Recordings, error) {
	data, err := os.ReadFile(filepath.Join(folder, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no %s: it is no folder of recordings; conformance record makes one", folder, manifestFile)
	} else if err != nil {
		return nil, err
	}
	r := &Recordings{folder: folder}
	if err := json.Unmarshal(data, &r.manifest); err != nil {
		return nil, fmt.Errorf("%s in %s: %w", manifestFile, folder, err)
	}
	if r.manifest.Version != 1 {
		return nil, fmt.Errorf("%s in %s is of version %d; this is version 1", manifestFile, folder, r.manifest.Version)
	}
	return r, nil
}

// Name is the folder.
func (r *Recordings) Name() string { return r.folder }

// Describe returns what the subject said when it was recorded.
func (r *Recordings) Describe(context.Context) (Description, error) {
	return r.manifest.Description, nil
}

// Close does nothing.
func (*Recordings) Close() error { return nil }

// Send answers with the recording of the request's name.
func (r *Recordings) Send(_ context.Context, q *Request) (*Response, error) {
	f, err := os.Open(captureFile(r.folder, q))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %s: %w", q.Scenario, q.Run, ErrNotRecorded)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	out, err := ReadCapture(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	if !out.IsStream() {
		return out, nil
	}
	return out, out.readEvents(bytes.NewReader(out.Body()), func([]byte) error { return nil })
}

func captureFile(folder string, q *Request) string {
	return filepath.Join(folder, filepath.FromSlash(q.Scenario), q.Run+Suffix)
}

// A Recorder is a subject that keeps what another one answers in a folder.
type Recorder struct {
	Subject
	folder string
}

// Record returns s, with all its answers written to a folder, which must be new or empty.
func Record(ctx context.Context, s Subject, folder, tool string) (*Recorder, error) {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty", folder)
	}
	d, err := s.Describe(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	manifest, err := json.MarshalIndent(Manifest{Version: 1, Tool: tool, Description: d}, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, manifestFile), append(manifest, '\n'), 0o644); err != nil {
		return nil, err
	}
	return &Recorder{Subject: s, folder: folder}, nil
}

// Send sends the request on and writes the answer down. What gave no response leaves no file.
func (r *Recorder) Send(ctx context.Context, q *Request) (*Response, error) {
	out, err := r.Subject.Send(ctx, q)
	if err != nil || out.Status == 0 {
		return out, err
	}
	path := captureFile(r.folder, q)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := WriteCapture(&b, out); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return nil, err
	}
	return out, os.WriteFile(strings.TrimSuffix(path, Suffix)+".request.json", q.Body, 0o644)
}
