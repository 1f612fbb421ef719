//go:build cgo

// Command main is a libFuzzer program around one native fuzz target; build.sh puts the target's names in. It plays the
// part of `go test`: package testing runs the target twice, as the coordinator, which learns the seeds and the types, and as
// a worker, which hands out the function that judges one input.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"
	"unsafe"

	target "example/target"
)

// #include <stdint.h>
import "C"

// An entry is what package testing calls corpusEntry.
type entry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// deps are what package testing asks of the program that runs it.
type deps struct {
	types chan []reflect.Type
	seeds []entry
	judge chan func(entry) error
}

func (d *deps) CoordinateFuzzing(_ time.Duration, _ int64, _ time.Duration, _ int64, _ int, seeds []entry, types []reflect.Type, _, _ string) error {
	d.seeds = seeds
	d.types <- types
	select {}
}

func (d *deps) RunFuzzWorker(judge func(entry) error) error {
	d.judge <- judge
	select {}
}

func (*deps) MatchString(pattern, s string) (bool, error)        { return regexp.MatchString(pattern, s) }
func (*deps) ImportPath() string                                 { return "" }
func (*deps) ModulePath() string                                 { return "" }
func (*deps) SetPanicOnExit0(bool)                               {}
func (*deps) StartCPUProfile(io.Writer) error                    { return nil }
func (*deps) StopCPUProfile()                                    {}
func (*deps) StartTestLog(io.Writer)                             {}
func (*deps) StopTestLog() error                                 { return nil }
func (*deps) WriteProfileTo(string, io.Writer, int) error        { return nil }
func (*deps) ReadCorpus(string, []reflect.Type) ([]entry, error) { return nil, nil }
func (*deps) CheckCorpus([]any, []reflect.Type) error            { return nil }
func (*deps) ResetCoverage()                                     {}
func (*deps) SnapshotCoverage()                                  {}
func (*deps) InitRuntimeCoverage() (string, func(string, string) (string, error), func() float64) {
	return "", nil, nil
}

var (
	types []reflect.Type
	judge func(entry) error
)

//export LLVMFuzzerInitialize
func LLVMFuzzerInitialize(argc *C.int, argv unsafe.Pointer) C.int {
	d := &deps{types: make(chan []reflect.Type), judge: make(chan func(entry) error)}
	leave := enter()
	defer leave()
	os.Args = []string{os.Args[0], "-test.run=^$", "-test.fuzz=^FuzzTarget$", "-test.fuzzcachedir=-"}
	go run(d)
	types = <-d.types
	if folder := os.Getenv("SEEDS"); folder != "" {
		write(folder, d.seeds)
	}
	check(flag.Set("test.fuzzworker", "true"))
	go run(d)
	judge = <-d.judge
	return 0
}

// enter goes where the target finds its seeds.
func enter() (leave func()) {
	program, err := os.Executable()
	check(err)
	before, err := os.Getwd()
	check(err)
	check(os.Chdir(filepath.Join(filepath.Dir(program), "conformance", "FOLDER")))
	return func() { check(os.Chdir(before)) }
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func run(d *deps) {
	targets := []testing.InternalFuzzTarget{{Name: "FuzzTarget", Fn: target.FuzzTarget}}
	testing.MainStart(d, nil, nil, targets, nil).Run()
	panic("the target did not call Fuzz")
}

//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	input := C.GoBytes(unsafe.Pointer(data), C.int(size))
	if err := judge(entry{Values: values(input)}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		panic("FuzzTarget failed")
	}
	return 0
}

// values cuts an input into the target's arguments: numbers first, then the texts, each but the last behind two bytes
// that are its length.
func values(input []byte) (all []any) {
	take := func(n int) []byte {
		n = min(n, len(input))
		taken := input[:n]
		input = input[n:]
		return taken
	}
	number := func(size int) (n uint64) {
		for _, b := range take(size) {
			n = n<<8 | uint64(b)
		}
		return n
	}
	all = make([]any, len(types))
	for i, t := range types {
		if t.Kind() == reflect.Slice {
			continue
		}
		v := reflect.New(t).Elem()
		v.SetUint(number(int(t.Size())))
		all[i] = v.Interface()
	}
	for i, t := range types {
		switch {
		case t.Kind() != reflect.Slice:
		case i == lastText():
			all[i] = input
		default:
			all[i] = take(int(number(2)))
		}
	}
	return all
}

// lastText returns the argument that takes what is left of an input.
func lastText() int {
	last := -1
	for i, t := range types {
		if t.Kind() == reflect.Slice {
			last = i
		}
	}
	return last
}

// write puts the seeds into a folder, in the form that values reads.
func write(folder string, seeds []entry) {
	for i, seed := range seeds {
		var numbers, texts []byte
		for j, v := range seed.Values {
			if text, ok := v.([]byte); ok {
				if j != lastText() {
					texts = append(texts, byte(len(text)>>8), byte(len(text)))
				}
				texts = append(texts, text...)
				continue
			}
			n := reflect.ValueOf(v).Uint()
			for k := int(types[j].Size()) - 1; k >= 0; k-- {
				numbers = append(numbers, byte(n>>(8*k)))
			}
		}
		path := filepath.Join(folder, fmt.Sprintf("seed-%04d", i))
		check(os.WriteFile(path, append(numbers, texts...), 0o644))
	}
}

func main() {}
