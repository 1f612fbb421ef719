package reference

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// What is said by one event.

func (a *agent) activity(b branch, m members) error {
	e := b.event(baseline.ActivitySnapshot).with("messageId", a.ids.opens(messageIDs, m.text("id"))).with("activityType", m["type"])
	return a.send(b, m.copy(e, "content", "replace", "metadata"))
}

func (a *agent) activityDelta(b branch, m members) error {
	e := b.event(baseline.ActivityDelta).with("messageId", a.ids.of(messageIDs, m.text("id"))).with("activityType", m["type"])
	return a.send(b, m.copy(e, "patch"))
}

// emit sends an event as it is. The guard looks at it all the same.
func (a *agent) emit(b branch, m members) error {
	return a.sendOne(b, parse(get[jsontext.Value](m, "event")), true)
}

// echo shows what the input has at a place.
func (a *agent) echo(b branch, m members) error {
	said := event{}.with("present", false)
	if v := at(a.request.input, m.text("pointer")); v != nil {
		said = event{}.with("present", true).with("value", v)
	}
	return a.send(b, b.event(baseline.Custom).with("name", "conformance.echo").with("value", said))
}

// gate waits until the kit opens it. Gates have the name of the request's run, also in a replayed one.
func (a *agent) gate(b branch, m members) (err error) {
	a.mixer.pause(func() { err = a.gates.wait(b.ctx, a.request.run+"/"+m.text("name")) })
	return err
}
