package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/agentstream/conformance/conformance"
)

var colourModes = []string{"auto", "always", "never"}

// addColour adds the flag that says when to colour.
func addColour(c *cobra.Command, mode *string) {
	c.Flags().StringVar(mode, "color", "auto", "when to colour: "+strings.Join(colourModes, ", ")+"; auto: on a terminal, unless NO_COLOR or TERM=dumb is set")
	complete(c, "color", colourModes)
}

// oneOf refuses a word that is not among those known.
func oneOf(what, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return conformance.Unknown(what, value, known)
}

// coloured decides whether to colour what goes to f.
func coloured(mode string, f *os.File) bool {
	if mode == "always" {
		return true
	}
	return mode == "auto" && isatty.IsTerminal(f.Fd()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && understandsColour(f)
}

// longInput is from how many bytes on a bar shows that something goes on.
const longInput = 32 << 20

// A bar shows on standard error how much has been read. A nil bar shows nothing.
type bar struct{ *progressbar.ProgressBar }

// newBar returns the bar for reading sources: none for little, or where nobody watches.
func newBar(sources []conformance.Source) *bar {
	total := int64(0)
	for _, s := range sources {
		total += s.Size
	}
	if total < longInput || !isatty.IsTerminal(os.Stderr.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &bar{progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetWidth(30),
		progressbar.OptionSetDescription("reading"), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish(),
	)}
}

func (b *bar) add(bytes int) {
	if b != nil {
		_ = b.Add(bytes)
	}
}

func (b *bar) clear() {
	if b != nil {
		_ = b.Clear()
	}
}

func (b *bar) close() {
	if b != nil {
		_ = b.Finish()
	}
}

// before returns a writer to f that takes the bar away first, so that a report on the same terminal
// begins on a clean line.
func (b *bar) before(f io.Writer) io.Writer {
	if b == nil {
		return f
	}
	return clearing{b, f}
}

type clearing struct {
	bar *bar
	io.Writer
}

func (c clearing) Write(p []byte) (int, error) {
	c.bar.clear()
	return c.Writer.Write(p)
}

// A spinner shows on standard error what goes on, where nobody knows how long. A nil one shows nothing.
type spinner struct {
	*progressbar.ProgressBar
	next time.Time
}

func newSpinner(what string) *spinner {
	if !isatty.IsTerminal(os.Stderr.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &spinner{next: time.Now().Add(time.Second / 2), ProgressBar: progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish(),
	)}
}

// say shows what it has come to, now and then.
func (s *spinner) say(what func() string) {
	if s == nil || time.Now().Before(s.next) {
		return
	}
	s.next = time.Now().Add(time.Second / 10)
	s.Describe(what())
}

func (s *spinner) close() {
	if s != nil {
		_ = s.Finish()
	}
}
