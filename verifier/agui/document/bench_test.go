package document

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// records is a state of about n bytes with a counter beside a list of objects.
func records(n int) string {
	record := `{"id":"item-0000","title":"some text of usual length","done":false,"score":12.5,"tags":["a","b"]}`
	return `{"counter":0,"status":"idle","items":[` + strings.Repeat(record+",", n/(len(record)+1)) + record + `]}`
}

func BenchmarkApply(b *testing.B) {
	for name, patch := range map[string]string{
		"replace a digit":     `[{"op":"replace","path":"/counter","value":7}]`,
		"replace a number":    `[{"op":"replace","path":"/counter","value":1234567}]`,
		"replace a text":      `[{"op":"replace","path":"/status","value":"working"}]`,
		"replace deep down":   `[{"op":"replace","path":"/items/7/tags/1","value":"new"}]`,
		"append and remove":   `[{"op":"add","path":"/items/-","value":{"id":"x","tags":[]}},{"op":"remove","path":"/items/0"}]`,
		"copy and replace":    `[{"op":"copy","from":"/items/1","path":"/last"},{"op":"replace","path":"/last/done","value":true}]`,
		"a test that fails":   `[{"op":"replace","path":"/counter","value":7},{"op":"test","path":"/status","value":"no"}]`,
		"an operation unread": `[{"op":"custom","path":"/counter"}]`,
	} {
		b.Run(name, func(b *testing.B) {
			d, p := parse(b, records(10<<20), plenty), []byte(patch)
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Apply(p); err != nil && name != "a test that fails" {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSet(b *testing.B) {
	for _, size := range []int{1 << 10, 10 << 20} {
		b.Run(fmt.Sprint(size>>10, "KiB"), func(b *testing.B) {
			text := []byte(records(size))
			d := parse(b, "null", plenty)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Set(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMemory shows how many bytes a document takes for each byte of its text.
func BenchmarkMemory(b *testing.B) {
	for name, text := range map[string]string{
		"records":         records(4 << 20),
		"digits":          `[` + strings.Repeat("1,", 1<<20) + `1]`,
		"nested digits":   `[` + strings.Repeat("[1],", 1<<20) + `1]`,
		"nested objects":  `[` + strings.Repeat(`{"a":1},`, 1<<19) + `1]`,
		"numbers":         `[` + strings.Repeat("12,", 1<<20) + `1]`,
		"members of one":  wide(1 << 19),
		"one long string": `"` + strings.Repeat("x", 4<<20) + `"`,
	} {
		b.Run(name, func(b *testing.B) {
			input := []byte(text)
			for b.Loop() {
				before := heap()
				d := parse(b, string(input), plenty)
				b.ReportMetric(float64(heap()-before)/float64(len(input)), "B/byte")
				runtime.KeepAlive(d)
			}
		})
	}
}

func wide(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `,"%x":1`, i)
	}
	return `{` + text.String()[1:] + `}`
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkHostile has patches of about 64 KiB that look for a cost that grows with the document, of about 2 MiB.
func BenchmarkHostile(b *testing.B) {
	list := `{"big":[` + strings.Repeat("1,", 1<<20) + `1]}`
	for name, c := range map[string]struct{ document, operation string }{
		"remove in front":    {list, `{"op":"remove","path":"/big/0"}`},
		"remove near middle": {list, `{"op":"remove","path":"/big/500000"}`},
		"copy":               {list, `{"op":"copy","from":"/big","path":"/copy"}`},
		"copy and change":    {list, `{"op":"copy","from":"/big","path":"/c"},{"op":"add","path":"/c/-","value":1}`},
		"unequal test":       {list, `{"op":"test","path":"/big","value":[1]}`},
		"skip":               {list, `{"op":"x"}`},
		"deep":               {`{"big":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`, `{"op":"add","path":"/big` + strings.Repeat("/0", 8999) + `/-","value":1}`},
	} {
		b.Run(name, func(b *testing.B) {
			patch := []byte(`[` + strings.Repeat(c.operation+",", (1<<16)/len(c.operation)) + `{"op":"test","path":"","value":0}]`)
			d := parse(b, c.document, 16<<20)
			for b.Loop() {
				if err := d.Apply(patch); err == nil {
					b.Fatal("it applies")
				}
			}
		})
	}
}
