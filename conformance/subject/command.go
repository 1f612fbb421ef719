package subject

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// grace is how long a command may take to stop after its standard input was closed, and again after SIGTERM.
const grace = 2 * time.Second

// dying is how long a process may still be seen after its connections were lost: they go first.
const dying = 200 * time.Millisecond

// Command is a server that is started for the test. It prints its address as the first line of its standard output and stops
// when its standard input closes. One that goes away by itself is started again for the next request.
type Command struct {
	line   string // for a shell
	header http.Header
	limits Limits
	stderr io.Writer

	mu      sync.Mutex
	current *process
}

// NewCommand returns the subject that a command line starts. What it writes to standard error goes to stderr.
func NewCommand(line string, header http.Header, l Limits, stderr io.Writer) *Command {
	return &Command{line: line, header: header, limits: l, stderr: stderr}
}

// Name is the command line.
func (c *Command) Name() string { return c.line }

// Describe starts the command if need be, and asks it.
func (c *Command) Describe(ctx context.Context) (Description, error) {
	p, err := c.process(ctx)
	if err != nil {
		return Description{}, err
	}
	return p.server.Describe(ctx)
}

// Send starts the command if need be, and sends it the request.
func (c *Command) Send(ctx context.Context, r *Request) (*Response, error) {
	p, err := c.process(ctx)
	if err != nil {
		return broken(err)
	}
	out, err := p.server.Send(ctx, r)
	if err != nil {
		return nil, err
	}
	if out.Cause == Lost || out.Cause == Refused {
		if p.ended(dying) {
			out.Cause, out.Detail = Exited, p.how()
		}
	}
	return out, nil
}

// broken turns a start that failed for the command's reasons into a response.
func broken(err error) (*Response, error) {
	var l limit
	if errors.As(err, &l) {
		return &Response{Cause: l.cause, Detail: l.detail}, nil
	}
	return nil, err
}

// Close stops the command and all that it has started.
func (c *Command) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil {
		c.current.stop()
		c.current = nil
	}
	return nil
}

// process returns the running process, a new one where there is none.
func (c *Command) process(ctx context.Context) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil {
		if !c.current.ended(0) {
			return c.current, nil
		}
		c.current.stop()
		c.current = nil
	}
	p, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	c.current = p
	return p, nil
}

// A process is one start of the command.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	server *HTTP
	done   chan struct{} // closed when it has ended
}

func (c *Command) start(ctx context.Context) (*process, error) {
	cmd := shell(c.line)
	cmd.Stderr = c.stderr
	cmd.WaitDelay = grace
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: Wait closes StdoutPipe's, and must not before the address has been read.
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		out.Close()
		in.Close()
		return nil, err
	}
	in.Close()
	p := &process{cmd: cmd, stdin: stdin, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = cmd.Wait()
	}()
	address, err := p.address(ctx, out, c.limits.Start)
	if err == nil {
		p.server, err = NewHTTP(address, c.header, c.limits)
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// address reads the first line of standard output, and lets the rest go.
func (p *process) address(ctx context.Context, out *os.File, patience time.Duration) (string, error) {
	lines := make(chan string, 1)
	go func() {
		defer out.Close()
		in := bufio.NewReader(io.LimitReader(out, 4<<10))
		line, _ := in.ReadString('\n')
		lines <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case line := <-lines:
		if line == "" {
			if !p.ended(grace) {
				return "", limit{Refused, "the first line of its standard output is no address"}
			}
			return "", limit{Exited, "it said no address; " + p.how()}
		}
		return line, nil
	case <-time.After(patience):
		return "", limit{LimitTime, fmt.Sprintf("it said no address within %v", patience)}
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// ended tells whether the process has ended, or does within a while.
func (p *process) ended(within time.Duration) bool {
	late := time.After(within)
	select {
	case <-p.done:
		return true
	default:
	}
	select {
	case <-p.done:
		return true
	case <-late:
		return false
	}
}

// how says how a process ended.
func (p *process) how() string { return p.cmd.ProcessState.String() }

// stop asks by closing standard input, then by signals; children too.
func (p *process) stop() {
	if p.server != nil {
		p.server.Close()
	}
	p.stdin.Close()
	p.ended(grace)
	terminate(p.cmd)
	p.ended(grace)
	kill(p.cmd)
	<-p.done
}
