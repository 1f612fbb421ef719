package spec

import (
	"math"
	"strings"
)

// Shapes: sections 1.1 and 1.2 of the facts as a table of our own. The four serialisations of pi are
// one: what one of them leaves out is optional, and a terminal event has its message or its usage.

// A shape looks at a present value and tells its faults, as codes.
type shape func(n *node) []string

func sorted(sorts string) shape {
	return func(n *node) []string {
		if strings.IndexByte(sorts, n.sort) < 0 {
			return []string{"wrong-type"}
		}
		return nil
	}
}

var (
	str     = sorted(`"`)
	boolean = sorted("b")
	number  = sorted("#")
	object  = sorted("{")
	anyJSON = sorted(`nb#"[{`)
)

// oneOf is a closed set of strings.
func oneOf(words ...string) shape {
	return func(n *node) []string {
		if f := str(n); f != nil {
			return f
		}
		for _, w := range words {
			if n.says(w) {
				return nil
			}
		}
		return []string{"bad-value"}
	}
}

func whole(n *node) []string {
	if f := number(n); f != nil {
		return f
	}
	if n.num != math.Trunc(n.num) || math.IsInf(n.num, 0) {
		return []string{"bad-value"}
	}
	return nil
}

func listOf(elem shape) shape {
	return func(n *node) []string {
		if n.sort != '[' {
			return []string{"wrong-type"}
		}
		var out []string
		for _, e := range n.list {
			out = append(out, elem(e)...)
		}
		return out
	}
}

// Members. Those that are not listed are not judged.
type field struct {
	name     string
	required bool
	shape    shape
}

func must(name string, s shape) field { return field{name, true, s} }
func may(name string, s shape) field  { return field{name, false, s} }

func record(fields ...field) shape {
	return func(n *node) []string {
		if n.sort != '{' {
			return []string{"wrong-type"}
		}
		var out []string
		for _, f := range fields {
			switch v := n.get(f.name); {
			case v.is('u') && f.required:
				out = append(out, "missing-field")
			case v.is('u'):
			case v.is('n') && !f.required:
				out = append(out, "null-optional")
			default:
				out = append(out, f.shape(v)...)
			}
		}
		return out
	}
}

// block picks a shape by the member type.
func block(kinds map[string]shape) shape {
	return func(n *node) []string {
		for kind, s := range kinds {
			if n.get("type").says(kind) {
				return s(n)
			}
		}
		return record(must("type", oneOf()))(n)
	}
}

var cost = record(must("input", number), must("output", number), must("cacheRead", number), must("cacheWrite", number), must("total", number),
	may("totalFromProvider", boolean))

var usage = record(must("input", number), must("output", number), must("cacheRead", number), must("cacheWrite", number), must("totalTokens", number),
	must("cost", cost), may("cacheWrite1h", number), may("reasoning", number))

var content = listOf(block(map[string]shape{
	"text":     record(must("text", str), may("textSignature", str)),
	"thinking": record(must("thinking", str), may("thinkingSignature", str), may("redacted", boolean)),
	"toolCall": record(must("id", str), must("name", str), must("arguments", object),
		may("thoughtSignature", str), may("namespace", str), may("argumentsError", str)),
}))

// message is an assistant message. What stopReason may say in a terminal event is for the rules of reasons.
func message(stopReason shape) shape {
	return record(must("role", oneOf("assistant")), must("content", content), must("api", str), must("provider", str), must("model", str),
		must("usage", usage), must("stopReason", stopReason), must("timestamp", whole),
		may("responseModel", str), may("responseId", str), may("providerThinkingLevel", str), may("thinkingLevel", str),
		may("diagnostics", anyJSON), may("deferred", anyJSON), may("errorMessage", str), may("rawStopReason", str), may("endTurn", anyJSON),
		may("durationMs", number))
}

// terminal is a done or error: with its message, or, in the serialisations that send none, with usage.
func terminal(name string, more ...field) shape {
	with, without := record(append(more, may(name, message(str)), may("usage", usage))...), record(append(more, may(name, object), must("usage", usage))...)
	return func(n *node) []string {
		if n.get(name).given() {
			return with(n)
		}
		return without(n)
	}
}

// piEvents are the events of the pi family.
var piEvents = func() map[string]shape {
	partial := may("partial", message(oneOf("stop", "length", "toolUse", "error", "aborted", "deferred", "pending")))
	at := func(more ...field) shape { return record(append(more, must("contentIndex", number), partial)...) }
	ends := []field{may("content", str), may("contentSignature", str)}
	reason, id := must("reason", str), may("responseId", str)
	// arguments has a code of its own, and so has a type that is another
	call := record(must("type", str), must("id", str), must("name", str), must("arguments", anyJSON),
		may("thoughtSignature", str), may("namespace", str), may("argumentsError", str))
	return map[string]shape{
		"start":          record(partial),
		"text_start":     at(),
		"text_delta":     at(must("delta", str)),
		"text_end":       at(ends...),
		"thinking_start": at(),
		"thinking_delta": at(must("delta", str)),
		"thinking_end":   at(append(ends[:2:2], may("redacted", boolean))...),
		"toolcall_start": at(may("id", str), may("toolName", str)),
		"toolcall_delta": at(must("delta", str)),
		"toolcall_end":   at(must("toolCall", call)),
		"done":           terminal("message", reason, id),
		"error":          terminal("error", reason, id, may("errorMessage", str)),
	}
}()

// dicodeEvents are those of di-code. A contentIndex has codes of its own there, and so has what a message's
// content is.
var dicodeEvents = func() map[string]shape {
	call := record(must("type", str), must("id", str), must("name", str), must("arguments", anyJSON))
	said := record(must("role", oneOf("assistant")), must("content", listOf(anyJSON)), must("provider", str), must("model", str), must("usage", usage),
		must("stopReason", str), must("timestamp", whole), may("errorMessage", str))
	ends := record(must("content", str))
	return map[string]shape{
		"start":           record(),
		"text_start":      record(),
		"text_delta":      record(must("delta", str)),
		"text_end":        ends,
		"thinking_start":  record(),
		"thinking_delta":  record(must("delta", str)),
		"thinking_end":    ends,
		"tool_call_start": record(must("id", str), must("name", str)),
		"tool_call_delta": record(must("argumentsDelta", str)),
		"tool_call_end":   record(must("toolCall", call)),
		"done":            record(must("reason", str), must("message", said)),
		"error":           record(must("reason", str), must("message", said)),
	}
}()
