package conformance

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/wire"
)

func TestTheFaultIsFoundInTheEvent(t *testing.T) {
	long := strings.Repeat("é", 5000)
	for name, c := range map[string]struct{ event, pointer, want string }{
		"member":              {`{"a":1, "b" : "x" ,"c":2}`, "/b", `"b" : "x"`},
		"member deep down":    {`{"a":[{"b":1},{"b":{"c":null}}]}`, "/a/1/b/c", `"c":null`},
		"element":             {`{"a":[1, 2 ,3]}`, "/a/1", `2`},
		"escaped name":        {`{"a\/b":{"\u0063":1}}`, "/a~1b/c", `"\u0063":1`},
		"last member":         {`{"a":1,"b":{}}`, "/b", `"b":{}`},
		"behind much":         {`{"a":"` + long + `","b":true,"c":"` + long + `"}`, "/b", `"b":true`},
		"absent":              {`{"a":1}`, "/b", ``},
		"absent element":      {`{"a":[1]}`, "/a/7", ``},
		"through a number":    {`{"a":1}`, "/a/b", ``},
		"no pointer":          {`{"a":1}`, "", ``},
		"not JSON":            {`{"a":NaN}`, "", `N`},
		"trailing bytes":      {`{"a":1} {"b":2}`, "", `{"b":2}`},
		"cut":                 {`{"a":"x`, "", ``},
		"empty":               {``, "", ``},
		"broken on the way":   {`{"a":x,"b":1}`, "/b", `x`},
		"bad UTF-8":           {"{\"a\":\"\xff\"}", "/a", "\"a\":\"\xff\""},
		"twice, so the first": {`{"a":1,"a":2}`, "/a", `"a":1`},
	} {
		t.Run(name, func(t *testing.T) {
			x := excerpt(wire.Frame{Data: []byte(c.event)}, c.pointer)
			assert.Equal(t, string(x.Text[x.From:x.To]), c.want)
			assert.Assert(t, len(x.Text) <= 2*excerptBytes)
			assert.Equal(t, x.Before || x.After, len(x.Text) < len(c.event))
		})
	}
}
