package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/session"
)

// doc is a decoded record.
type doc map[string]any

func (d doc) str(name string) string { s, _ := d[name].(string); return s }

func (d doc) sub(name string) doc { s, _ := d[name].(map[string]any); return s }

func decode(t testing.TB, raw []byte) doc {
	t.Helper()
	var d doc
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(&d); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return d
}

// kindOf names what a record is, as finely as the order of records depends on it.
func kindOf(d doc) string {
	switch {
	case d["dir"] != nil && d["raw"] != nil:
		return d.str("dir") + " raw"
	case d.str("dir") == "stdin":
		return "> " + commandKind(d.sub("record").str("type"))
	case d.str("dir") == "exit":
		return "exit"
	case d.str("dir") == "stdout":
		return kindOf(d.sub("record"))
	case d["dir"] != nil:
		return d.str("dir") + " " + d.sub("record").str("type")
	case d["ext"] != nil:
		return "ext " + d.str("ext")
	}
	return kindOfRecord(d)
}

func kindOfRecord(d doc) string {
	typ := d.str("type")
	switch typ {
	case "message_start", "message_end":
		return typ + " " + d.sub("message").str("role")
	case "message_update":
		return "update " + d.sub("assistantMessageEvent").str("type")
	case "response":
		return fmt.Sprintf("response %s %v", commandKind(d.str("command")), d["success"])
	case "extension_ui_request":
		return "ui " + uiKind(d.str("method"))
	case "compaction_start":
		return typ + " " + d.str("reason")
	case "entry_appended":
		return typ + " " + d.sub("entry").str("type")
	}
	return typ
}

// commandKind takes those that may come and be answered at any time as one.
func commandKind(command string) string {
	for _, prefix := range []string{"get_", "set_", "cycle_", "export_", "abort_bash", "no_such", "parse"} {
		if strings.HasPrefix(command, prefix) {
			return "query"
		}
	}
	if command == "" {
		return "query"
	}
	return command
}

// uiKind takes requests that want no answer as one.
func uiKind(method string) string {
	if slices.Contains([]string{"select", "confirm", "input", "editor"}, method) {
		return method
	}
	return "notice"
}

func kindsOf(t testing.TB, records [][]byte) []string {
	t.Helper()
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = kindOf(decode(t, r))
	}
	return out
}

type pair [2]string

// reach is what the model writes in one class of one profile: each kind and each pair of neighbours, and how often.
type reach struct {
	kinds map[string]int
	pairs map[pair]int
}

func reachOf(t testing.TB, k session.Knobs, streams int) reach {
	t.Helper()
	r := reach{map[string]int{}, map[pair]int{}}
	g := session.Legal(k)
	for seed := range streams {
		before := ""
		for _, kind := range kindsOf(t, g.Example(seed).Records) {
			r.kinds[kind]++
			r.pairs[pair{before, kind}]++
			before = kind
		}
		r.pairs[pair{before, ""}]++
	}
	return r
}
