package verifier

// Severity says how much a finding weighs in one profile.
type Severity uint8

const (
	// None: the profile does not judge the rule.
	None Severity = iota
	// Info is advice; it never changes a verdict.
	Info
	// Warning is a departure that a reader carries on with.
	Warning
	// Error makes the verdict "reject".
	Error
)

var severityNames = [...]string{"none", "info", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads "info", "warning" or "error".
func ParseSeverity(name string) (Severity, bool) {
	for s := Info; s <= Error; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return None, false
}

// MarshalText writes the severity's name, so that it reads the same in every report.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Levels is a severity column per profile, one letter each in the order of the
// protocol's profiles: E error, W warning, I info, - not judged. A rule's literal
// then reads like its row in the specification of codes.
type Levels string

// In returns the severity in the profile with that number.
func (l Levels) In(profile int) Severity {
	switch l[profile] {
	case 'E':
		return Error
	case 'W':
		return Warning
	case 'I':
		return Info
	}
	return None
}
