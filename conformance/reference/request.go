package reference

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// maxBody is the most that a request may have.
const maxBody = 64 << 20

// A request is one run to play.
type request struct {
	input       jsontext.Value // a RunAgentInput, in compact form
	thread, run string
	version     string   // that the client declares; "" where it declares none
	parentRun   *string  // nil where it has none
	script      []action // empty without one: the run does nothing
}

// A refusal is an answer that is no run.
type refusal struct {
	status int
	body   any
}

func (r *refusal) Error() string { return fmt.Sprint(r.body) }

func refuse(status int, err error) error {
	return &refusal{status, map[string]any{"error": err.Error()}}
}

// readRequest reads a POST; the error is a refusal.
func readRequest(w http.ResponseWriter, q *http.Request) (*request, error) {
	if t, _, err := mime.ParseMediaType(q.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return nil, refuse(http.StatusUnsupportedMediaType, errors.New("the content type is not application/json"))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, refuse(http.StatusRequestEntityTooLarge, err)
	} else if err != nil {
		return nil, refuse(http.StatusBadRequest, err)
	}
	v, err := document(body)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, fmt.Errorf("the body is not JSON: %w", err))
	}
	if err := checkInput(v); err != nil {
		return nil, refuse(http.StatusBadRequest, fmt.Errorf("the body is no RunAgentInput: %w", err))
	}
	given := membersOf(v)
	out := &request{input: v, thread: textOf(given["threadId"]), run: textOf(given["runId"]), version: textOf(given["protocolVersion"])}
	if id, ok := given["parentRunId"]; ok {
		text := textOf(id)
		out.parentRun = &text
	}
	out.script, err = scriptOf(membersOf(given["forwardedProps"])["conformance"])
	return out, err
}

// scriptOf reads the script of forwardedProps.conformance; the error is a refusal. An input without one asks for nothing.
func scriptOf(v jsontext.Value) ([]action, error) {
	if v == nil {
		return nil, nil
	}
	r := &reader{}
	m, err := r.members("conformance", shape{"version": must(anything), "script": must(anything)}, v)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, err)
	}
	version := get[jsontext.Value](m, "version")
	if n, err := strconv.ParseFloat(string(version), 64); err != nil || n != contract {
		return nil, refuse(http.StatusBadRequest, fmt.Errorf("scripts of version %s are not read; this is version %d", version, contract))
	}
	script, unsupported, err := readScript(get[jsontext.Value](m, "script"))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, err)
	}
	if unsupported = append(r.unsupported, unsupported...); len(unsupported) > 0 {
		return nil, &refusal{http.StatusNotImplemented, map[string]any{"conformance": map[string]any{"unsupported": unsupported}}}
	}
	return script, nil
}
