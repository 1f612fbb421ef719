package token

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// written shows a tree on one line: strings in quotes, groups with their brackets.
func written(list []Node) string {
	var parts []string
	for _, n := range list {
		switch n.Kind {
		case String:
			parts = append(parts, "'"+n.Text+"'")
		case Group:
			text := n.Text + " " + written(n.Kids)
			if n.Broken {
				text += " broken"
			}
			parts = append(parts, text+" /")
		default:
			parts = append(parts, n.Text)
		}
	}
	return strings.Join(parts, " ")
}

func TestATreeHasNoCommentsAndFoldsBrackets(t *testing.T) {
	for name, c := range map[string]struct{ lexer, text, want string }{
		"typescript":         {"typescript", "/* { */ const a = { b: [1], // }\n  'c': `d` };", "const a = { b : [ 1 / , 'c' : 'd' / ;"},
		"regular expression": {"typescript", "const a = /[({]/g;", "const a = '/[({]/g' ;"},
		"template":           {"typescript", "f(`a ${b} {`)", "f ( 'a ${' b '' /"},
		"python":             {"python", "class A(B):  # {\n    \"\"\"doc {\"\"\"\n    x: int = 1", "class A ( B / : 'doc {' x : int = 1"},
		"rust":               {"rust", "/// doc {\n#[serde(rename = \"a\")]\nstruct A { r#type: &'a str, c: char }", "# [ serde ( rename = 'a' / / struct A { r # type : & ' a str , c : char /"},
		"rust raw string":    {"rust", "let a = r#\"x{\"#;", "let a = 'x{' ;"},
		"kotlin":             {"kotlin", "@A(\"x\") /* { */ class B(val c: D? = null)", "@ A ( 'x' / class B ( val c : D ? = null /"},
		"java":               {"java", "/** { */ record A(@B(\"c\") String d) { }", "record A ( @ B ( 'c' / String d / {  /"},
		"c#":                 {"c#", "#nullable enable\n[A(\"b\")] public string? C { get; set; }", "enable [ A ( 'b' / / public string ? C { get ; set ; /"},
		"dart":               {"dart", "/// {\nenum A { b('C'); }", "enum A { b ( 'C' / ; /"},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := Tree(c.lexer, c.text)
			assert.NilError(t, err)
			assert.Equal(t, written(tree), c.want)
		})
	}
}

func TestBracketsThatDoNotMatchAreSaid(t *testing.T) {
	for name, c := range map[string]struct{ text, want, err string }{
		"not closed": {"a { b ( c }", "a { b ( c broken / /", "line 1: unbalanced brackets: this ( is not closed"},
		"not opened": {"a } b", "a b", "line 1: unbalanced brackets: nothing opens this }"},
		"at the end": {"a\n{ b", "a { b broken /", "line 2: unbalanced brackets: this { is not closed"},
		"crossed":    {"( [ ) ]", "( [  broken / /", "line 1: unbalanced brackets: this [ is not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := Tree("typescript", c.text)
			assert.Error(t, err, c.err)
			assert.Equal(t, written(tree), c.want)
		})
	}
}

func TestNodesKnowWhereTheyAre(t *testing.T) {
	tree, err := Tree("python", "class A:\n    x = [\n      1,\n    ]\n    y")
	assert.NilError(t, err)
	last := tree[len(tree)-1]
	assert.Equal(t, last.Text, "y")
	assert.Equal(t, last.Line, 5)
	assert.Equal(t, last.Col, 4)
	group := tree[len(tree)-2]
	assert.Equal(t, group.Line, 2)
	assert.Equal(t, group.End, 4)
}

func TestSplitsLeaveTypesTogether(t *testing.T) {
	tree, err := Tree("typescript", "a: z.custom<Map<b, c>>(d), e: f")
	assert.NilError(t, err)
	assert.Equal(t, len(Split(tree, ",")), 2)
	tree, err = Tree("typescript", "Map<a, b>, (c: d) => e, f")
	assert.NilError(t, err)
	assert.Equal(t, len(SplitTypes(tree, ",")), 3)
}

func TestAnUnknownLexerIsAnError(t *testing.T) {
	_, err := Tree("none such", "a")
	assert.Assert(t, cmp.ErrorContains(err, "no lexer"))
}
