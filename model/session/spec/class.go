package spec

// className names what the recording can show.
func (j *judge) className() string { return [...]string{"agent", "stdout", "transcript"}[j.class] }

// notEvaluated are the codes that the profile judges and that a recording of this class cannot show.
func (j *judge) notEvaluated() []string {
	var out []string
	for _, c := range clauses {
		if c.severity(j.profile) != "" && c.needs > j.class {
			out = append(out, c.code)
		}
	}
	return out
}
