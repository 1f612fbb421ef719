package main

import (
	"context"
	"net/http"
	"sync"
)

// gates are where runs wait, each with the name of its gate. Runs of several threads can wait at gates of one name: opening
// lets one of them through.
type gates struct {
	mu      sync.Mutex
	waiting map[chan struct{}]string
}

func newGates() *gates { return &gates{waiting: map[chan struct{}]string{}} }

// wait returns when the gate is opened, or with an error when the run is over.
func (g *gates) wait(run context.Context, name string) error {
	opened := make(chan struct{})
	g.mu.Lock()
	g.waiting[opened] = name
	g.mu.Unlock()
	select {
	case <-opened:
		return nil
	case <-run.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.waiting, opened)
		return run.Err()
	}
}

// serve opens a gate: 404 while nobody waits at it.
func (g *gates) serve(w http.ResponseWriter, name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for opened, at := range g.waiting {
		if at == name {
			delete(g.waiting, opened)
			close(opened)
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	http.Error(w, "nobody waits at this gate", http.StatusNotFound)
}
