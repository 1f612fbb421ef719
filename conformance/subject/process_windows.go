package subject

import "os/exec"

// shell returns the command for a line.
func shell(line string) *exec.Cmd { return exec.Command("cmd", "/C", line) }

// terminate does nothing: there is no gentle signal. The command has been asked by closing its standard input.
func terminate(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
