//go:build !windows

package subject

import (
	"os/exec"
	"syscall"
)

// shell returns the command for a line, in a group of its own so that its children can be stopped with it.
func shell(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
