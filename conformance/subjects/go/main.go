// Command server puts the official Go SDK of AG-UI under test: its agent does what the request's script says, by the SDK's
// own types and writer. The contract is docs/scripted-agent.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
)

const sdk = "github.com/ag-ui-protocol/ag-ui/sdks/community/go"

// features are what the SDK's types can say; README.md has the reasons for what is not here.
var features = []string{
	"role", "chunks", "nested", "reopen", "ids", "parent", "tool-result", "reasoning", "span", "encrypted", "step", "parallel",
	"state", "state-delta", "messages-snapshot", "activity", "custom", "raw", "emit", "interrupt", "result", "replay",
	"echo", "gate", "code", "early-fail", "http",
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	server := &http.Server{Handler: handler()}
	go func() {
		<-stop.Done()
		server.Close() // not Shutdown: a run may wait at a gate
	}()
	fmt.Printf("http://%s/\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func handler() http.Handler {
	gates := newGates()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", describe)
	mux.HandleFunc("POST /{$}", func(w http.ResponseWriter, q *http.Request) {
		if query := q.URL.Query(); query.Has("gate") {
			gates.serve(w, query.Get("gate"))
		} else {
			serve(w, q, gates)
		}
	})
	return mux
}

// describe says what this subject is.
func describe(w http.ResponseWriter, _ *http.Request) {
	version := "unknown"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == sdk {
				version = module.Version
			}
		}
	}
	reply(w, http.StatusOK, map[string]any{
		"version": contractVersion, "subject": "go", "sdk": sdk, "sdkVersion": version, "driver": "adapter", "features": features,
	})
}

// serve answers a RunAgentInput with the run that its script describes.
func serve(w http.ResponseWriter, q *http.Request, gates *gates) {
	if media, _, _ := mime.ParseMediaType(q.Header.Get("Content-Type")); media != "application/json" {
		http.Error(w, "the input is application/json", http.StatusUnsupportedMediaType)
		return
	}
	var input types.RunAgentInput
	body, err := io.ReadAll(q.Body)
	if err == nil {
		err = json.Unmarshal(body, &input)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	script, unsupported, err := readScript(input.ForwardedProps)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case len(unsupported) > 0:
		reply(w, http.StatusNotImplemented, map[string]any{"unsupported": unsupported})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	newAgent(q, w, input, gates).run(script)
}

// reply answers with an object of the contract's, which no SDK knows.
func reply(w http.ResponseWriter, status int, about map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"conformance": about})
}
