package session

// before, replaceRuntime and rebound are filled in where lifecycles are recorded.
func (s *sim) before(reason string)                      {}
func (s *sim) replaceRuntime(reason string, open func()) { open() }
func (s *sim) rebound()                                  {}
func (s *sim) recordLife()                               {}
func (s *sim) recordHost()                               {}

type host struct{ asked []*dialog }

func (h *host) live(s *sim, v value)                   {}
func (h *host) closed(s *sim, d *dialog, cause string) {}
