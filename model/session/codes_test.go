package session_test

import (
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/session"
)

// columns are the codes of a session and how severe they are in pi-0.73, pi-0.80 and pi-1.x: the worst where a code
// has several. Those behind the line are of the provider's stream, inside message_update.
const columns = `
bad-json EEE
not-an-object EEE
bad-utf8 EEE
duplicate-name WWW
missing-field EEE
wrong-type EEE
bad-value EEE
null-optional WWW
unknown-event-type WWW
nested-run EEE
not-open EEE
run-cut EEE
turn-order EEE
open-at-turn-end EEE
message-overlap EEE
message-changed EEE
update-for-role EEE
embedded-terminal EEE
full-update --E
late-input EEE
second-assistant EEE
assistant-missing EEE
tools-after-failure EEE
tool-not-run EEE
tool-unknown EEE
tool-order EEE
tool-call-changed EEE
start-after-update EEE
start-after-end EEE
result-before-end EEE
mixed-batch EEE
result-order EEE
result-changed EEE
length-tool-ran --E
nested-place --E
duplicate-tool-id EEE
turn-summary EEE
turn-after-failure EEE
stopped-early WWW
turn-after-terminate WWW
empty-turn WWW
end-messages EEE
queue-left EEE
follow-up-early EEE
settled-in-run -EE
settled-twice -EE
settled-in-recovery -EE
truncated WWW
retry-unannounced -EE
retry-missing -WW
retry-count EEE
retry-outcome EEE
retry-with-input EEE
context-edit-missing --W
compaction-overlap EEE
compaction-changed EEE
compaction-outcome EEE
compaction-place EEE
summary-retry-order -EE
queue-jump EEE
queue-lost EEE
restart-without-cause -EE
header-place EEE
system-place WWW
response-unknown EEE
response-missing WWW
response-shape EEE
run-before-response --E
disposition --E
abort-early EEE
compact-response EEE
bash-output -EE
session-identity EEE
stale-event EEE
ui-id-reused EEE
ui-answer WWW
entries EEE
lifecycle-order EEE
lifecycle-reason EEE
teardown-order EEE
stale-generation EEE
ui-left-open EEE
ui-close-twice EEE
ui-late-answer EEE
approval-unbound EEE
snapshot-before-subscribe EEE
gate-order EEE
sequence-order EEE
entry-twice EEE
---
index-gap EEE
content-mismatch EEE
bad-tool-call EEE
arguments-not-object EEE
tool-id-changed EEE
tool-name-changed EEE
arguments-mismatch EEE
arguments-repaired III
arguments-error-missing --E
open-at-done EEE
bad-reason EEE
final-content WWW
partial-content WWW
`

// A rule without a breakage would go unwatched: each code is broken in each profile that judges it, and in no other.
func TestEachCodeIsBrokenWhereItIsJudged(t *testing.T) {
	have := map[string]string{}
	for _, b := range session.Breakages() {
		key := b.Code + " in " + b.Profile
		letter := strings.ToUpper(b.Severity[:1])
		if old := have[key]; old != "" && old != letter {
			t.Errorf("%s is %s and %s", key, old, letter)
		}
		have[key] = letter
	}
	for _, line := range strings.Split(strings.TrimSpace(columns), "\n") {
		code, levels, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		for i, profile := range session.Profiles() {
			key := code + " in " + profile
			if want, got := strings.Trim(levels[i:i+1], "-"), have[key]; want != got {
				t.Errorf("%s: want %q, have %q", key, want, got)
			}
			delete(have, key)
		}
	}
	for key := range have {
		t.Errorf("%s is not in the list", key)
	}
}
