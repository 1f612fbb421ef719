package subject

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// TestMain lets the test binary play the command that is started: what follows "server" says what it does wrong.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "server" {
		play(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

func play(how string) {
	switch how {
	case "silent":
		io.Copy(io.Discard, os.Stdin)
		return
	case "exits":
		os.Exit(3)
	case "lies":
		fmt.Println("listening")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/\n", l.Addr())
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("die") != "" || how == "dies" && r.Method == http.MethodPost {
			stream(w, `{"n":1}`)
			os.Exit(4)
		}
		stream(w, fmt.Sprint(os.Getpid()))
	}))
	if how == "stubborn" {
		select {}
	}
	io.Copy(io.Discard, os.Stdin)
}

func command(t *testing.T, how string, change ...func(*Limits)) *Command {
	t.Helper()
	l := DefaultLimits()
	for _, c := range change {
		c(&l)
	}
	var stderr bytes.Buffer
	c := NewCommand(fmt.Sprintf("'%s' server %s", os.Args[0], how), nil, l, &stderr)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestACommandIsStartedOnceAndStopped(t *testing.T) {
	c := command(t, "well")
	first, second := sent(t, c, &Request{}), sent(t, c, &Request{})
	assert.DeepEqual(t, first.Events, second.Events) // of one process
	assert.NilError(t, c.Close())
	third := sent(t, c, &Request{})
	assert.Assert(t, string(third.Events[0]) != string(first.Events[0]))
}

func TestACommandThatExitsIsStartedAgain(t *testing.T) {
	c := command(t, "dies")
	for range 2 {
		p := sent(t, c, &Request{})
		assert.Equal(t, p.Cause, Exited)
		assert.Equal(t, p.Detail, "exit status 4")
	}
}

func TestACommandThatNeverServesIsSaid(t *testing.T) {
	soon := func(l *Limits) { l.Start = 100 * time.Millisecond }
	for how, want := range map[string]Cause{"silent": LimitTime, "exits": Exited} {
		p := sent(t, command(t, how, soon), &Request{})
		assert.Equal(t, p.Cause, want, p.Detail)
	}
	_, err := command(t, "lies").Send(t.Context(), &Request{})
	assert.ErrorContains(t, err, "listening")
}

func TestACommandThatDoesNotListenToItsStandardInputIsStoppedAllTheSame(t *testing.T) {
	c := command(t, "stubborn")
	assert.Equal(t, len(sent(t, c, &Request{}).Events), 1)
	p := c.current
	assert.NilError(t, c.Close())
	assert.Assert(t, p.ended(0))
	assert.Assert(t, strings.Contains(p.how(), "signal"), p.how())
}
