package reference

import (
	"context"
	"slices"
	"sync"
)

// gates are those at which runs wait. They are all that is kept between requests. The zero value has none.
type gates struct {
	mu      sync.Mutex
	waiting map[string][]chan struct{} // by RUN/NAME, first come first
}

// wait waits until the gate is opened, or until the client is gone.
func (g *gates) wait(ctx context.Context, gate string) error {
	opened := make(chan struct{})
	g.mu.Lock()
	if g.waiting == nil {
		g.waiting = map[string][]chan struct{}{}
	}
	g.waiting[gate] = append(g.waiting[gate], opened)
	g.mu.Unlock()
	select {
	case <-opened:
		return nil
	case <-ctx.Done():
		g.leave(gate, opened)
		return context.Cause(ctx)
	}
}

func (g *gates) leave(gate string, left chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keep(gate, slices.DeleteFunc(g.waiting[gate], func(c chan struct{}) bool { return c == left }))
}

func (g *gates) keep(gate string, waiting []chan struct{}) {
	if len(waiting) == 0 {
		delete(g.waiting, gate)
		return
	}
	g.waiting[gate] = waiting
}

// open lets one run through the gate; false while nobody waits.
func (g *gates) open(gate string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	waiting := g.waiting[gate]
	if len(waiting) == 0 {
		return false
	}
	close(waiting[0])
	g.keep(gate, waiting[1:])
	return true
}
