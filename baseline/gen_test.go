package baseline

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"
)

func TestGeneratedEventTypesAreCurrent(t *testing.T) {
	const file = "agui_gen.go"
	want, err := format.Source(eventTypeSource(AGUI()))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CONFORMANCE_UPDATE") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s does not match agui.json; refresh it with: CONFORMANCE_UPDATE=1 go test ./...", file)
	}
}

func eventTypeSource(p *Protocol) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from agui.json by CONFORMANCE_UPDATE=1 go test ./...; DO NOT EDIT.\n\npackage baseline\n\n")
	writeConstants(&b, p.Events())
	writeString(&b, p.Events())
	writeEventTypeOf(&b, p.Events())
	return b.Bytes()
}

func writeConstants(b *bytes.Buffer, events []*Event) {
	fmt.Fprintf(b, "// The event types that the newest revision has.\nconst (\n")
	retired := false
	for i, e := range events {
		if e.Until != "" && !retired {
			retired = true
			fmt.Fprintf(b, ")\n\n// The event types that a revision retired.\nconst (\n%s EventType = iota + %d\n", goName(e.Type), i+1)
			continue
		}
		if i == 0 {
			fmt.Fprintf(b, "%s EventType = iota + 1\n", goName(e.Type))
			continue
		}
		fmt.Fprintln(b, goName(e.Type))
	}
	fmt.Fprintf(b, ")\n\n// EventTypeCount is the number of event types; they are 1 to EventTypeCount.\nconst EventTypeCount = %d\n\n", len(events))
}

func writeString(b *bytes.Buffer, events []*Event) {
	b.WriteString("// String returns the type's name on the wire, or \"\" for the zero value.\nfunc (t EventType) String() string {\nswitch t {\n")
	for _, e := range events {
		fmt.Fprintf(b, "case %s: return %q\n", goName(e.Type), e.Type)
	}
	b.WriteString("}\nreturn \"\"\n}\n\n")
}

func writeEventTypeOf(b *bytes.Buffer, events []*Event) {
	b.WriteString("// EventTypeOf returns the type with that name on the wire, or zero where no\n// revision has one. It does not allocate.\nfunc EventTypeOf(name []byte) EventType {\nswitch string(name) {\n")
	for _, e := range events {
		fmt.Fprintf(b, "case %q: return %s\n", e.Type, goName(e.Type))
	}
	b.WriteString("}\nreturn 0\n}\n")
}

// goName turns TEXT_MESSAGE_START into TextMessageStart.
func goName(wire string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(wire, "_") {
		b.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return b.String()
}
