package document

import "testing"

func TestTheTestOperationComparesByValue(t *testing.T) {
	for name, c := range map[string]struct {
		document, value string
		equal           bool
	}{
		"the same object":           {`{"x":1,"y":[2]}`, `{"y":[2],"x":1}`, true},
		"another value of a member": {`{"x":1}`, `{"x":2}`, false},
		"another name":              {`{"x":1}`, `{"y":1}`, false},
		"a member more":             {`{"x":1}`, `{"x":1,"y":1}`, false},
		"a member less":             {`{"x":1,"y":1}`, `{"x":1}`, false},
		"another value deep down":   {`{"x":{"y":{"z":[1,2]}}}`, `{"x":{"y":{"z":[1,3]}}}`, false},
		"an array in another order": {`[1,2]`, `[2,1]`, false},
		"an element more":           {`[1]`, `[1,1]`, false},
		"an array for an object":    {`{}`, `[]`, false},
		"a string for a container":  {`[]`, `"[]"`, false},
		"another spelling":          {`{"x":1.0}`, `{"x":10e-1}`, true},
		"null for false":            {`null`, `false`, false},
	} {
		d, err := Parse([]byte(`{"a":`+c.document+`}`), 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		err = d.Apply([]byte(`[{"op":"test","path":"/a","value":` + c.value + `}]`))
		if (err == nil) != c.equal {
			t.Errorf("%s: %s and %s: %v", name, c.document, c.value, err)
		}
	}
}
