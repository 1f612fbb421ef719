// Command conformance judges agent event streams. See conformance help.
package main

import "os"

func main() { os.Exit(run(os.Args[1:])) }
