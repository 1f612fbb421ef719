package drift

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/drift/reader"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// The published SDKs are in the folder that CONFORMANCE_PACKAGES names;
// packages/all brings them there.
func published(t *testing.T) map[string]*Source {
	t.Helper()
	dir := os.Getenv("CONFORMANCE_PACKAGES")
	if dir == "" {
		t.Skip("CONFORMANCE_PACKAGES names no folder of packages; see packages/all")
	}
	list, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Assert(t, len(list) > 0)
	out := map[string]*Source{}
	for _, entry := range list {
		s, err := Open(filepath.Join(dir, entry.Name(), "sources"), "")
		assert.NilError(t, err)
		out[entry.Name()] = s
	}
	return out
}

// A site is where a source declares a field, with the events that have it from there.
type site struct {
	at     vocabulary.Place
	name   string
	events []string
}

// sites returns those of the events and fields that the revision has: others are
// compared with nothing.
func sites(a Against, sdk *vocabulary.SDK) []site {
	var out []site
	for _, p := range sdk.Payloads {
		e, ok := a.Event(p.Value)
		if !ok || p.Unparsed != nil {
			continue
		}
		for _, f := range p.Fields {
			if f.Name == "type" || !hasMember(e.Members, f.Name) {
				continue
			}
			i := slices.IndexFunc(out, func(s site) bool { return s.at == f.At && s.name == f.Name })
			if i < 0 {
				i = len(out)
				out = append(out, site{at: f.At, name: f.Name})
			}
			out[i].events = append(out[i].events, p.Value)
		}
	}
	return out
}

// relevant leaves out files that say nothing of events, which would only cost time.
func (s *Source) relevant(list []site) *Source {
	out := &Source{Reader: s.Reader}
	for _, f := range s.Files {
		isSite := slices.ContainsFunc(list, func(x site) bool { return x.at.File == f.Path })
		if isSite || mentioned(f.Text) > 20 {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// batches puts sites together that share no event, so that what is reported of one
// says nothing of another.
func batches(list []site) [][]site {
	var out [][]site
	for _, s := range list {
		i := slices.IndexFunc(out, func(b []site) bool {
			return !slices.ContainsFunc(b, func(x site) bool {
				return slices.ContainsFunc(x.events, func(e string) bool { return slices.Contains(s.events, e) })
			})
		})
		if i < 0 {
			i = len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// said is what a comparison reports of each event and its fields.
func said(r *Result) map[string][]string {
	out := map[string][]string{}
	for _, d := range r.Differences {
		out[d.Type] = append(out[d.Type], fmt.Sprintf("%s %s %s", d.Kind, d.Field, d.Detail))
	}
	return out
}

func TestEveryChangeOfAFieldOfAPublishedSDKIsFound(t *testing.T) {
	for name, s := range published(t) {
		if strings.HasPrefix(name, "history-") { // two of them are among the others, and all are read alike
			continue
		}
		t.Run(name, func(t *testing.T) {
			a, err := Revision("")
			assert.NilError(t, err)
			if carried := reader.Carried(s.Files); len(carried) > 0 {
				s = &Source{Reader: s.Reader, Files: carried}
			}
			before, err := Check(a, s, Options{})
			assert.NilError(t, err)
			all := sites(a, s.Reader.Read(s.Files, Known))
			s = s.relevant(all)
			list := batches(all)
			for what, edit := range edits {
				for _, batch := range list {
					files, changed := edited(s, batch, edit)
					sdk := s.Reader.Read(files, Known)
					after, err := Compare(a, sdk, Options{})
					assert.NilError(t, err, "%s %v", what, batch)
					was, is := said(before), said(after)
					for _, x := range changed {
						x.expectFound(t, what, was, is, sdk)
					}
				}
			}
		})
	}
}

// expectFound wants something else said of each event of a site than before.
func (x site) expectFound(t *testing.T, what string, was, is map[string][]string, sdk *vocabulary.SDK) {
	t.Helper()
	for _, e := range x.events {
		if slices.Equal(was[e], is[e]) && !(what == "deleted" && inherits(sdk, e, x.name)) {
			t.Errorf("%s: %s.%s at %s: not found", what, e, x.name, x.at)
		}
	}
}

// inherits says whether every declaration of an event still has a field, now from a
// base class that declares it too.
func inherits(sdk *vocabulary.SDK, event, name string) bool {
	for _, p := range sdk.Payloads {
		has := slices.ContainsFunc(p.Fields, func(f vocabulary.Field) bool { return f.Name == name })
		if p.Value == event && !has {
			return false
		}
	}
	return true
}

// edited changes the lines of sites, from the last on. Sites that an edit cannot
// change are left out of what it returns.
func edited(s *Source, batch []site, edit func(lines []string, i int, s site) ([]string, bool)) (files []reader.File, changed []site) {
	batch = slices.Clone(batch)
	slices.SortFunc(batch, func(a, b site) int { return cmp.Compare(b.at.Line, a.at.Line) })
	files = slices.Clone(s.Files)
	for _, x := range batch {
		for i := range files {
			if files[i].Path != x.at.File {
				continue
			}
			if lines, ok := edit(strings.Split(files[i].Text, "\n"), x.at.Line-1, x); ok {
				files[i].Text = strings.Join(lines, "\n")
				changed = append(changed, x)
			}
			break
		}
	}
	return files, changed
}

var edits = map[string]func(lines []string, i int, s site) ([]string, bool){
	"renamed": func(lines []string, i int, s site) ([]string, bool) {
		if name := `rename = "` + s.name + `"`; filepath.Ext(s.at.File) == ".rs" {
			for j := attributesFrom(lines, i); j < i; j++ {
				if strings.Contains(lines[j], name) {
					lines[j] = strings.Replace(lines[j], name, `rename = "`+s.name+`Old"`, 1)
					return lines, true
				}
			}
		}
		for _, name := range []string{`"` + s.name, s.name, snaked(s.name)} {
			if at := regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).FindStringIndex(lines[i]); at != nil {
				lines[i] = lines[i][:at[1]] + "Old" + lines[i][at[1]:]
				return lines, true
			}
		}
		return lines, false
	},
	"deleted": func(lines []string, i int, s site) ([]string, bool) {
		if component := regexp.MustCompile(`\w+(?:<[^<>]*>)? ` + s.name + `(, |,$|\))`); strings.Contains(lines[i], "(") || component.MatchString(lines[i]) { // of a Java record
			cut := component.ReplaceAllStringFunc(lines[i], func(m string) string { return strings.TrimLeft(m[strings.Index(m, s.name)+len(s.name):], ", ") })
			if cut == lines[i] {
				return lines, false
			}
			lines[i] = cut
			return lines, true
		}
		end := i + 1
		for end < len(lines) && (depth(lines[end]) > depth(lines[i]) || strings.HasPrefix(strings.TrimSpace(lines[end]), ")")) && strings.TrimSpace(lines[end]) != "" {
			end++
		}
		return slices.Delete(lines, i, end), true
	},
	"made optional or not": func(lines []string, i int, s site) ([]string, bool) {
		switch filepath.Ext(s.at.File) {
		case ".ts":
			return toggleTypeScript(lines, i, s)
		case ".py":
			return togglePython(lines, i)
		case ".go":
			if strings.Contains(lines[i], ",omitempty") {
				lines[i] = strings.Replace(lines[i], ",omitempty", "", 1)
			} else {
				lines[i] = strings.Replace(lines[i], `"`+s.name, `"`+s.name+",omitempty", 1)
			}
			return lines, true
		case ".rs":
			return toggleRust(lines, i)
		case ".java":
			return toggleJava(lines, s)
		}
		return lines, false
	},
}

func declarationEnd(lines []string, i int) int {
	end := i + 1
	for end < len(lines) && (depth(lines[end]) > depth(lines[i]) || depth(lines[end]) == depth(lines[i]) && strings.HasPrefix(strings.TrimSpace(lines[end]), ")")) {
		end++
	}
	return end
}

var makesOptional = regexp.MustCompile(`\s*\.(?:optional|nullish)\(\)|\s*\.default\([^)]*\)`)

func toggleTypeScript(lines []string, i int, s site) ([]string, bool) {
	if m := regexp.MustCompile(`^\s*` + s.name + `(\??): [^z(]*;$`).FindStringSubmatch(lines[i]); m != nil {
		lines[i] = strings.Replace(lines[i], s.name+m[1]+":", s.name+map[string]string{"": "?", "?": ""}[m[1]]+":", 1)
		return lines, true
	}
	end := declarationEnd(lines, i)
	text := strings.Join(lines[i:end], "\n")
	switch {
	case makesOptional.MatchString(text):
		text = makesOptional.ReplaceAllString(text, "")
	case strings.Contains(text, "z.any()") || strings.Contains(text, "StateSchema"): // optional with and without
		return lines, false
	case strings.HasSuffix(strings.TrimSpace(text), "(") || !strings.HasSuffix(text, ","): // goes on behind its closing bracket
		return lines, false
	default:
		text = strings.TrimSuffix(text, ",") + ".optional(),"
	}
	return slices.Concat(lines[:i], strings.Split(text, "\n"), lines[end:]), !strings.Contains(text, "z.any()") && !strings.Contains(text, "\n    .any()")
}

func togglePython(lines []string, i int) ([]string, bool) {
	end := declarationEnd(lines, i)
	declared, value, optional := strings.Cut(lines[i], " = ")
	if name, constant, ok := strings.Cut(declared, ": Literal["); ok && optional { // a constant that is always sent
		lines[i] = name + ": Optional[Literal[" + constant + "] = None"
		return lines, value != ""
	}
	if optional {
		return slices.Concat(lines[:i], []string{declared}, lines[end:]), true
	}
	lines[i], _, _ = strings.Cut(declared, "  #")
	lines[i] += " = None"
	return lines, true
}

func toggleRust(lines []string, i int) ([]string, bool) {
	from := attributesFrom(lines, i)
	lines[i], _, _ = strings.Cut(lines[i], " //")
	byDefault := strings.Contains(strings.Join(lines[from:i], "\n"), "default")
	if !strings.Contains(lines[i], "Option<") && !byDefault {
		lines[i] = regexp.MustCompile(`: (.*),$`).ReplaceAllString(lines[i], ": Option<$1>,")
		return lines, true
	}
	lines[i] = regexp.MustCompile(`Option<(.*)>,$`).ReplaceAllString(lines[i], "$1,")
	return slices.Delete(lines, from, i), true
}

// attributesFrom returns where what stands in front of a Rust field starts.
func attributesFrom(lines []string, i int) int {
	for i > 0 && !strings.HasSuffix(lines[i-1], "{") && !strings.HasPrefix(strings.TrimSpace(lines[i-1]), "pub ") {
		i--
	}
	return i
}

func toggleJava(lines []string, s site) ([]string, bool) {
	check := "requireNonNull(" + s.name + ","
	if kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Contains(l, check) }); len(kept) < len(lines) {
		return kept, true
	}
	compact := regexp.MustCompile(`^    public \w+ \{$`)
	if i := slices.IndexFunc(lines, compact.MatchString); i >= 0 {
		return slices.Insert(lines, i+1, "Objects."+check+" \"\");"), true
	}
	return lines, false
}

// depth is how far a line is indented.
func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// The text of each release of the history says what the generator, which runs the
// package, found. The union of 0.0.36 forgot two of its own types.
func TestTheTextOfAPublishedReleaseSaysWhatItsGeneratorSaw(t *testing.T) {
	all := published(t)
	for _, release := range baseline.History().Revisions {
		s, ok := all["history-"+release.Name]
		assert.Assert(t, ok, release.Name)
		a, err := Revision(release.Name)
		assert.NilError(t, err)
		r, err := Check(a, s, Options{})
		assert.NilError(t, err)
		var want []string
		if release.Name == "0.0.36" {
			want = []string{"unused-payload THINKING_START", "unused-payload THINKING_END"}
		}
		expect(t, release.Name, r, want)
	}
}

func TestWhatIsSaidOfAPublishedSDKIsWhatItWas(t *testing.T) {
	for name, s := range published(t) {
		want, err := os.ReadFile(filepath.Join("packages", name+".txt"))
		assert.NilError(t, err)
		release, _ := strings.CutPrefix(name, "history-")
		if release == name {
			release = ""
		}
		a, err := Revision(release)
		assert.NilError(t, err)
		r, err := Check(a, s, Options{})
		assert.NilError(t, err)
		r.SDK.Source = "x"
		var b strings.Builder
		assert.NilError(t, Text(&b, r))
		_, got, _ := strings.Cut(b.String(), "sdk       x")
		assert.Assert(t, strings.HasSuffix(string(want), got), fmt.Sprintf("%s: not as in packages/%s.txt", name, name))
	}
}
