// Package assistant judges the provider stream: the events with which a model's answer is assembled,
// block by block. A stream is given event by event, as the JSON that was sent; what is wrong comes back
// as violations that name the rule, the place and the cause.
//
// The profile says whose stream it is (see package rules for the table). Three are releases of the pi
// family, which sends the same events in four serialisations; they are judged as one, so a member that one
// of them leaves out is optional. The fourth, di-code, has names and rules of its own and is judged by
// package dicode.
//
// The events that a session carries inside its records are judged by a Machine of this package.
package assistant
