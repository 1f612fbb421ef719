package reference

import (
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// The namespaces of labels.
const (
	messageIDs   = "m"
	callIDs      = "c"
	spanIDs      = "r"
	interruptIDs = "i"
	subagentIDs  = "s"
)

// ids are those that stand for labels. The zero value takes labels for ids.
type ids struct {
	mint  bool // new ids, as an SDK that takes none
	mu    sync.Mutex
	named map[string]string // by namespace and label
}

// opens returns the id of something that is opened.
func (i *ids) opens(namespace, label string) string {
	if !i.mint {
		return label
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if id, ok := i.named[namespace+label]; ok {
		return id
	}
	if i.named == nil {
		i.named = map[string]string{}
	}
	id := fmt.Sprintf("%s-%d", namespace, len(i.named)+1)
	i.named[namespace+label] = id
	return id
}

// of returns the id of something that is spoken of. What this request did not open has the label as its id.
func (i *ids) of(namespace, label string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if id, ok := i.named[namespace+label]; ok {
		return id
	}
	return label
}

func (i *ids) all(namespace string, labels []string) []string {
	out := make([]string, len(labels))
	for n, l := range labels {
		out[n] = i.of(namespace, l)
	}
	return out
}

// interrupts returns those of a run's end, with ids for labels.
func (i *ids) interrupts(v jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	for _, one := range elements(v) {
		e := parse(one)
		for name, namespace := range map[string]string{"id": interruptIDs, "toolCallId": callIDs, "subagentRunId": subagentIDs} {
			if label := e.get(name); label.Kind() == '"' {
				e = e.with(name, i.of(namespace, textOf(label)))
			}
		}
		out = append(out, e.json())
	}
	return out
}
