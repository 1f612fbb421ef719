package reference

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Serve starts the agent on a loopback port of its own and returns its address. stop ends it, with all runs, and returns when
// nothing of it is left.
func Serve(o Options) (address string, stop func(), err error) {
	agent := New(o)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	x := &serving{}
	x.http = &http.Server{
		Handler:           agent,
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0),
		ConnState:         x.connection,
	}
	x.all.Go(func() { _ = x.http.Serve(l) })
	return "http://" + l.Addr().String(), x.close, nil
}

// serving is a server with all that runs for it: the one that accepts, and connections with their requests.
type serving struct {
	http   *http.Server
	all    sync.WaitGroup
	closed atomic.Bool
}

func (s *serving) connection(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.all.Add(1)
		if s.closed.Load() { // it came when the others had been closed already
			c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		s.all.Done()
	}
}

func (s *serving) close() {
	s.closed.Store(true)
	_ = s.http.Close()
	s.all.Wait()
}
