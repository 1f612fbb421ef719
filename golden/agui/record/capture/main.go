// Command capture starts a producer, sends it each request of a folder, and writes what it answered.
//
//	capture [-abort CASE=FRAMES] FOLDER COMMAND [ARGUMENT…]
//
// FOLDER holds <case>.request.json, a RunAgentInput each; next to it comes <case>.sse: status line and headers as sent,
// a blank line, and the body with the chunks joined. Of the headers two are left out: Date, which is the clock's, and
// Transfer-Encoding, since the body is joined. COMMAND prints its URL as the first line of its standard output, and stops when
// its standard input closes. Requests go out one after the other by name, but those named at-once-* all at once.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// patience is how long a producer may take to start, and to answer one request.
const patience = 2 * time.Minute

func main() {
	aborts := map[string]int{}
	flag.Func("abort", "CASE=FRAMES: hang up on CASE behind that many frames", func(s string) error {
		name, frames, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(frames)
		aborts[name] = n
		return err
	})
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "capture: give a folder and the command that starts the producer")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Args()[1:], aborts); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

func run(folder string, command []string, aborts map[string]int) error {
	requests, err := filepath.Glob(filepath.Join(folder, "*.request.json"))
	if err != nil {
		return err
	}
	if len(requests) == 0 {
		return fmt.Errorf("no *.request.json in %s", folder)
	}
	slices.Sort(requests)
	p, err := start(command)
	if err != nil {
		return err
	}
	for _, group := range together(requests) {
		var all errgroup.Group
		for _, request := range group {
			path := strings.TrimSuffix(request, ".request.json")
			all.Go(func() error {
				if err := record(p.url, request, path+".sse", aborts[filepath.Base(path)]); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				return nil
			})
		}
		if err := all.Wait(); err != nil {
			return errors.Join(err, p.stop())
		}
	}
	return p.stop()
}

// together groups the requests that go out at once.
func together(requests []string) (groups [][]string) {
	var atOnce []string
	for _, r := range requests {
		if strings.HasPrefix(filepath.Base(r), "at-once-") {
			atOnce = append(atOnce, r)
		} else {
			groups = append(groups, []string{r})
		}
	}
	return append(groups, atOnce)
}

// A producer is a running server.
type producer struct {
	command *exec.Cmd
	stdin   io.Closer
	url     *url.URL
}

func start(command []string) (*producer, error) {
	p := &producer{command: exec.Command(command[0], command[1:]...)}
	p.command.Stderr = os.Stderr
	stdin, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	late := time.AfterFunc(patience, func() { p.command.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s printed no address", command[0]), p.stop())
	}
	go io.Copy(io.Discard, lines)
	p.url, err = url.Parse(strings.TrimSpace(line))
	if err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// stop closes the producer's standard input and kills it if that is not enough.
func (p *producer) stop() error {
	p.stdin.Close()
	late := time.AfterFunc(10*time.Second, func() { p.command.Process.Kill() })
	defer late.Stop()
	return p.command.Wait()
}

func record(u *url.URL, request, file string, abort int) error {
	body, err := os.ReadFile(request)
	if err != nil {
		return err
	}
	head, content, err := exchange(u, body, abort)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(head, content...), 0o644)
}

// exchange sends a request on a connection of its own, so that the response's head is seen as it was sent.
func exchange(u *url.URL, body []byte, abort int) (head, content []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	q.Close = true
	q.Header.Set("Accept", "text/event-stream")
	q.Header.Set("Content-Type", "application/json")
	if err := q.Write(conn); err != nil {
		return nil, nil, err
	}
	in := bufio.NewReader(conn)
	head, header, err := readHead(in)
	if err != nil {
		return nil, nil, err
	}
	content, err = readBody(in, header, abort)
	return head, content, err
}

func readHead(in *bufio.Reader) (head []byte, header textproto.MIMEHeader, err error) {
	var all []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, nil, err
		}
		all = append(all, line...)
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch strings.ToLower(string(name)) {
		case "date", "transfer-encoding":
		default:
			head = append(head, line...)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	r := textproto.NewReader(bufio.NewReader(bytes.NewReader(all)))
	if _, err := r.ReadLine(); err != nil {
		return nil, nil, err
	}
	header, err = r.ReadMIMEHeader()
	return head, header, err
}

// readBody reads to the end, or to the frame behind which the client hangs up.
func readBody(in *bufio.Reader, header textproto.MIMEHeader, abort int) ([]byte, error) {
	var body io.Reader = in
	if n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64); err == nil {
		body = io.LimitReader(in, n)
	} else if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		body = httputil.NewChunkedReader(in)
	}
	if abort == 0 {
		return io.ReadAll(body)
	}
	return readFrames(bufio.NewReader(body), abort)
}

func readFrames(in *bufio.Reader, n int) (content []byte, err error) {
	for n > 0 {
		line, err := in.ReadBytes('\n')
		content = append(content, line...)
		if err != nil {
			return content, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			n--
		}
	}
	return content, nil
}
