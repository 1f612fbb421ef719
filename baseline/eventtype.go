package baseline

// EventType is an event type of AG-UI as a small number, for switches and
// tables. The zero value stands for no type, or one that no revision has.
//
// The constants and the conversions from and to the name on the wire are
// generated from agui.json: the current types in the specification's order,
// then the retired ones. Numbers are for use within one build; what is stored
// or printed is the name.
type EventType uint8
