package scenario

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/textproto"

	"github.com/agentstream/conformance/conformance/subject"
)

// badRequest makes a request that is to be refused, or not: the bytes of R.bytes with the headers of R.headers, or R's input.
func (x *session) badRequest(name string) (*subject.Request, *answer, error) {
	s, err := x.script(name)
	if err != nil {
		return nil, nil, err
	}
	a, err := x.prepare(name, x.thread(""), s)
	if err != nil {
		return nil, nil, err
	}
	q := &subject.Request{Scenario: x.scenario.Name, Run: name, Body: a.request}
	if x.has(name + ".bytes") {
		if q.Body, err = x.read(name + ".bytes"); err != nil {
			return nil, nil, err
		}
	}
	if q.Header, err = x.headers(name); err != nil {
		return nil, nil, err
	}
	x.answers, x.stream = []*answer{a}, ""
	return q, a, nil
}

// headers reads R.headers: lines that are laid over the headers which all requests have.
func (x *session) headers(name string) (http.Header, error) {
	if !x.has(name + ".headers") {
		return nil, nil
	}
	data, err := x.read(name + ".headers")
	if err != nil {
		return nil, err
	}
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(data, "\r\n\r\n"...)))).ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("%s.headers: %w", name, err)
	}
	return http.Header(header), nil
}
