package spec

import "slices"

var sessionClauses = []clause{
	{code: "settled-in-run", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		run := h.h.run()
		return h.e.is("agent_settled") && run != nil && h.because(run[0])
	}},
	{code: "settled-twice", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("agent_settled") && h.h.run() == nil && !h.h.ended()
	}},
	{code: "settled-in-recovery", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("agent_settled") && (h.because(h.h.openRetry()) || h.because(h.h.openCompaction()))
	}},
	{code: "truncated", s: W, e: W, x: W, needs: stdout, atEnd: func(past history, profile string) int {
		last := past.last(is("agent_end", "agent_settled")) // replaced or not
		return count(past.run() != nil || profile != "pi-0.73" && last != nil && last.is("agent_end"))
	}},
	{code: "retry-unannounced", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("auto_retry_start") && !h.h.announced()
	}},
	{code: "retry-missing", e: W, x: W, needs: stdout, when: func(h *hearing) bool {
		return (h.e.is("agent_settled") || h.e.is("agent_start")) && h.h.announced() &&
			!h.h.after(is("agent_end")).any(is("auto_retry_start", "agent_settled", "agent_start")) && h.because(h.h.last(is("agent_end")))
	}},
	{code: "retry-count", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		attempt := h.e.root.get("attempt").number()
		switch open := h.h.openRetry(); {
		case h.e.is("auto_retry_end"):
			return attempt != open.root.get("attempt").number() && h.because(open)
		case !h.e.is("auto_retry_start"):
			return false
		case open != nil && attempt != open.root.get("attempt").number()+1:
			return h.because(open)
		default:
			return open == nil && attempt != 1 || attempt > h.e.root.get("maxAttempts").number()
		}
	}},
	{code: "retry-outcome", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		if !h.e.is("auto_retry_end") {
			return false
		}
		success := h.e.root.yes("success")
		last := h.h.last((*entry).ran)
		return success == h.e.root.has("finalError") || !success && h.h.run() != nil ||
			success && (h.h.run() == nil || !last.ends("assistant"))
	}},
	{code: "retry-with-input", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		run := h.h.run()
		if !h.e.starts("user") || run == nil || h.h.before(run[0]).openRetry() == nil {
			return false
		}
		h.because(h.h.before(run[0]).openRetry())
		return !h.h.removals().any(func(r *entry) bool { return carries(h.e.root.get("message"), h.h.before(r).change(r).text) })
	}},
	{code: "context-edit-missing", x: W, needs: stdout, when: func(h *hearing) bool {
		if !h.e.is("agent_start") {
			return false
		}
		since := h.h.session().after(is("agent_end"))
		recovers := h.because(h.h.openRetry()) || h.because(since.last(againAfterOverflow))
		return recovers && !since.any(func(e *entry) bool {
			return e.is("entry_appended") && e.root.text1("entry", "type") == "context_edit"
		})
	}},
	{code: "compaction-overlap", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("compaction_start") && h.because(h.h.openCompaction())
	}},
	{code: "compaction-changed", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		open := h.h.openCompaction()
		return h.e.is("compaction_end") && h.because(open) && open.root.text1("reason") != h.e.root.text1("reason")
	}},
	{code: "compaction-outcome", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		if !h.e.is("compaction_end") {
			return false
		}
		outcomes := 0
		for _, is := range []bool{h.e.root.has("result"), h.e.root.yes("aborted"), h.e.root.has("errorMessage")} {
			if is {
				outcomes++
			}
		}
		return outcomes != 1 || h.e.root.yes("willRetry") && !(h.e.root.text1("reason") == "overflow" && h.e.root.has("result"))
	}},
	{code: "compaction-place", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		if h.e.is("compaction_start") && h.e.root.text1("reason") != "manual" {
			turn := h.h.turn()
			return turn != nil && h.because(turn[0])
		}
		return h.ran() && h.because(h.h.openCompaction())
	}},
	{code: "summary-retry-order", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		since := h.h.session().after(is("summarization_retry_finished"))
		scheduled := since.last(is("summarization_retry_scheduled"))
		switch {
		case h.e.is("summarization_retry_attempt_start"):
			first := scheduled == nil || !since.after(is("summarization_retry_scheduled")).any(is("summarization_retry_attempt_start"))
			return scheduled == nil || first && h.e.root.text1("source") == "compaction" && h.h.before(scheduled).openCompaction() == nil && h.because(scheduled)
		case h.e.is("summarization_retry_finished"):
			return scheduled == nil
		}
		return false
	}},
	{code: "queue-jump", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("queue_update") && h.h.change(h.e).kind == "jump"
	}},
	{code: "queue-lost", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		left := h.h.removals().all(func(r *entry) bool {
			return h.h.before(r).run() != nil && !h.cleared(r, h.h.before(r).change(r))
		})
		if !h.ran() || len(left) == 0 {
			return false
		}
		c := h.h.before(left[0]).change(left[0])
		came := h.e.starts("user") && carries(h.e.root.get("message"), c.text)
		return (len(left) > 1 || !came) && h.because(left[0]) // one message is but one of them
	}},
	{code: "restart-without-cause", e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		run := h.h.run()
		if !h.e.starts("assistant") || run == nil || run.any(func(e *entry) bool { return e.starts("assistant") && e != h.h.message() }) {
			return false
		}
		before := h.h.before(run[0])
		if !before.unsettled() {
			return false
		}
		h.because(before.last(is("agent_end")))
		since := h.h.after(func(e *entry) bool { return e == h.cause })
		return !since.any(func(e *entry) bool {
			return is("auto_retry_start", "entry_appended")(e) || e.is("compaction_end") && e.root.yes("willRetry") ||
				e.is("queue_update") && slices.Contains([]string{"removed", "cleared"}, h.h.before(e).change(e).kind)
		})
	}},
	{code: "header-place", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("session") && h.written > 0
	}},
	{code: "system-place", s: W, e: W, x: W, when: func(h *hearing) bool {
		return h.e.starts("system") && len(h.h.run().sent()) > 0
	}},
}

// ended reports whether a run ended (or was cut) since the last agent_settled.
func (h history) ended() bool {
	since := h.after(is("agent_settled"))
	return since.session().any(is("agent_end")) || since.any(func(e *entry) bool { return e.cuts() && h.before(e).run() != nil })
}

// announced reports whether the last agent_end said willRetry.
func (h history) announced() bool {
	e := h.session().last(is("agent_end"))
	return e != nil && e.root.yes("willRetry")
}

// againAfterOverflow: a compaction after which the run is tried again.
func againAfterOverflow(e *entry) bool { return e.is("compaction_end") && e.root.yes("willRetry") }
