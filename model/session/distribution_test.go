package session_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/model/session"
)

// distributionStreams are how many recordings of each class are measured in each profile: enough for the rarest member.
var distributionStreams = map[session.Class]int{session.Agent: 300, session.JSON: 300, session.RPC: 300, session.Transcript: 1600, session.Extension: 100, session.Host: 500}

// census counts what recordings of a profile are made of.
type census struct {
	profile         string
	kinds           map[string]int
	present, absent map[string]int
}

// TestEverythingOccurs measures what legal recordings are made of, and fails where something that a release has
// never occurs. Run it with -v for the figures.
func TestEverythingOccurs(t *testing.T) {
	for _, profile := range session.Profiles() {
		t.Run(profile, func(t *testing.T) {
			c := &census{profile, map[string]int{}, map[string]int{}, map[string]int{}}
			for _, class := range session.Classes() {
				g := session.Legal(session.Knobs{Profile: profile, Class: class})
				for seed := range distributionStreams[class] {
					c.stream(t, g.Example(seed))
				}
			}
			c.report(t)
		})
	}
}

func (c *census) stream(t *testing.T, s session.Stream) {
	commands := map[string]string{}
	for _, raw := range s.Records {
		d := decode(t, raw)
		c.kinds["class "+string(s.Class)]++
		switch d.str("dir") {
		case "stdin":
			c.command(d.sub("record"), commands)
		case "host":
			c.event(pi.Host(), "host ", d.sub("record"))
		case "ext":
			c.event(pi.Lifecycle(), "ext ", d.sub("record"))
		case "stdout":
			c.record(d.sub("record"))
		case "":
			if d["ext"] != nil {
				d["type"] = d["ext"]
				c.event(pi.Lifecycle(), "ext ", d)
			} else {
				c.record(d)
			}
		}
	}
	for _, f := range s.Expected {
		c.kinds["finding "+f.Code]++
	}
}

func (c *census) record(d doc) {
	typ := d.str("type")
	c.kinds[typ]++
	for _, list := range [][]pi.Event{pi.Agent(), pi.Session()} {
		c.event(list, "", d)
	}
	switch typ {
	case "message_update":
		c.event(pi.Provider(), "update ", d.sub("assistantMessageEvent"))
	case "extension_ui_request":
		c.shape("UIRequest", d)
	case "response":
		c.response(d)
	}
}

func (c *census) response(d doc) {
	c.kinds[fmt.Sprintf("response %s %v", d.str("command"), d["success"])]++
	for _, x := range pi.Commands() {
		if data := d.sub("data"); x.Type == d.str("command") && data != nil && x.Data.Of != "" {
			c.shape(x.Data.Of, data)
		}
	}
}

func (c *census) command(d doc, sent map[string]string) {
	c.kinds["> "+d.str("type")]++
	for _, x := range pi.Commands() {
		if x.Type == d.str("type") {
			c.members("> "+x.Type, x.Members, d)
		}
	}
}

func (c *census) event(list []pi.Event, prefix string, d doc) {
	for _, e := range list {
		if e.Type == d.str("type") {
			c.kinds[prefix+e.Type]++
			c.members(prefix+e.Type, e.Members, d)
		}
	}
}

// members counts a record's optional members, there and not there, and looks into those that have a shape.
func (c *census) members(name string, list []pi.Member, d doc) {
	for _, m := range list {
		if !pi.In(c.profile, m.Since, m.Until) {
			continue
		}
		v, ok := d[m.Name]
		if ok {
			c.present[name+"."+m.Name]++
			c.value(m.Of, v)
		} else if !m.Required {
			c.absent[name+"."+m.Name]++
		}
		if s, isString := v.(string); isString && len(m.Values) > 0 {
			c.kinds[name+"."+m.Name+"="+s]++
		}
	}
}

func (c *census) value(of string, v any) {
	switch v := v.(type) {
	case map[string]any:
		c.shape(of, v)
	case []any:
		for _, e := range v {
			c.value(of, e)
		}
	}
}

func (c *census) shape(of string, d doc) {
	for _, choice := range pi.Choices() {
		if choice.Name != of {
			continue
		}
		for _, variant := range choice.Variants {
			if variant.Value == d.str(choice.By) {
				c.kinds[of+" "+variant.Value]++
				c.shape(variant.Of, d)
			}
		}
	}
	if list, ok := shapes[of]; ok {
		c.kinds[of]++
		c.members(of, list, d)
	}
}

// shapes are the members of the objects that records carry, by name.
var shapes = func() map[string][]pi.Member {
	out := map[string][]pi.Member{}
	for _, s := range slices.Concat(pi.Shapes(), pi.SessionShapes()) {
		out[s.Name] = s.Members
	}
	return out
}()

// never are things of the baseline that no legal recording of a session has, and things that it need not have.
var never = []string{
	"update start", "update done", "update error", // not inside message_update
	"update thinking_end.redacted", "update text_end.contentSignature", "update thinking_end.contentSignature", // of other serialisations
	".deferred", ".thoughtSignature", ".namespace", // what they mean to a session is not known
	"DraftMessage bashExecution", "Message bashExecution", "BashExecutionMessage", // shown by get_messages only
	"=deferred", "=pending",
}

// neverIn are those of one profile.
var neverIn = map[string][]string{
	"pi-0.73": {"host apply", "host buffer", "host replay", "host skip", "update toolcall_start."}, // without get_entries there is no snapshot
	"pi-0.80": {"update toolcall_start."},
	"pi-1.x":  {"PartialMessage.stopReason=stop", "PartialMessage.stopReason=length", "PartialMessage.stopReason=toolUse"}, // it is pending
}

func (c *census) skipped(name string) bool {
	never := slices.Concat(never, neverIn[c.profile])
	return slices.ContainsFunc(never, func(n string) bool { return strings.Contains(name, n) })
}

// wanted lists what a profile has by the baseline: kinds, and optional members.
func (c *census) wanted() (kinds, optional []string) {
	add := func(prefix string, list []pi.Event) {
		for _, e := range list {
			if !pi.In(c.profile, e.Since, e.Until) {
				continue
			}
			kinds = append(kinds, prefix+e.Type)
			k, o := c.wantedMembers(prefix+e.Type, e.Members)
			kinds, optional = append(kinds, k...), append(optional, o...)
		}
	}
	add("", pi.Agent())
	add("", pi.Session())
	add("update ", pi.Provider())
	add("host ", pi.Host())
	add("ext ", pi.Lifecycle())
	for _, x := range pi.Commands() {
		if pi.In(c.profile, x.Since, "") {
			kinds = append(kinds, "> "+x.Type, "response "+x.Type+" true")
			k, o := c.wantedMembers("> "+x.Type, x.Members)
			kinds, optional = append(kinds, k...), append(optional, o...)
		}
	}
	for _, choice := range pi.Choices() {
		for _, v := range choice.Variants {
			if pi.In(c.profile, v.Since, "") {
				kinds = append(kinds, choice.Name+" "+v.Value)
			}
		}
	}
	for _, s := range pi.SessionShapes() {
		if c.kinds[s.Name] > 0 { // a shape that only another release's records have does not occur
			k, o := c.wantedMembers(s.Name, s.Members)
			kinds, optional = append(kinds, k...), append(optional, o...)
		}
	}
	return kinds, optional
}

func (c *census) wantedMembers(name string, list []pi.Member) (kinds, optional []string) {
	for _, m := range list {
		if !pi.In(c.profile, m.Since, m.Until) || m.Forms == pi.SSE || m.Forms == pi.Proxy || m.Forms == pi.SSE|pi.Proxy {
			continue
		}
		for _, v := range m.Values {
			kinds = append(kinds, name+"."+m.Name+"="+v)
		}
		if !m.Required {
			optional = append(optional, name+"."+m.Name)
		}
	}
	return kinds, optional
}

func (c *census) report(t *testing.T) {
	kinds, optional := c.wanted()
	for _, k := range slices.Sorted(slices.Values(kinds)) {
		if c.kinds[k] == 0 && !c.skipped(k) {
			t.Errorf("never: %s", k)
		}
	}
	for _, o := range slices.Sorted(slices.Values(optional)) {
		if c.skipped(o) {
			continue
		}
		if c.present[o] == 0 {
			t.Errorf("never present: %s", o)
		}
		if c.absent[o] == 0 {
			t.Errorf("never absent: %s", o)
		}
	}
	names := make([]string, 0, len(c.kinds))
	for k := range c.kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		t.Logf("%-60s %7d", k, c.kinds[k])
	}
}
