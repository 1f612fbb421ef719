package compilefail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
)

// rust checks all examples of a package. Stable says the code and the line, as JSON.
func rust(ctx context.Context, root string) ([]Diagnostic, error) {
	out, complaints, failed, err := output(ctx, root, "cargo", "check", "--quiet", "--examples", "--keep-going", "--message-format=json")
	if err != nil {
		return nil, err
	}
	found, err := rustErrors(bytes.NewReader(out))
	if err == nil && failed && len(found) == 0 {
		err = couldNot("cargo check", complaints)
	}
	return found, err
}

// rustErrors reads cargo's messages.
func rustErrors(r io.Reader) (found []Diagnostic, err error) {
	type span struct {
		File    string `json:"file_name"`
		Line    int    `json:"line_start"`
		Primary bool   `json:"is_primary"`
	}
	type message struct {
		Reason  string `json:"reason"`
		Message struct {
			Level   string `json:"level"`
			Message string `json:"message"`
			Code    struct {
				Code string `json:"code"`
			} `json:"code"`
			Spans []span `json:"spans"`
		} `json:"message"`
	}
	for d := json.NewDecoder(r); ; {
		var m message
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("cannot read what cargo says: %w", err)
		}
		if m.Reason != "compiler-message" || m.Message.Level != "error" {
			continue
		}
		for _, s := range m.Message.Spans {
			if s.Primary {
				found = append(found, Diagnostic{File: filepath.ToSlash(s.File), Line: s.Line, Code: m.Message.Code.Code, Message: m.Message.Message})
				break
			}
		}
	}
}
