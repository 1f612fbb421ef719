package conformance

import "iter"

// inOrder does the work for each item with several workers and yields the results in the order of
// the items. At most twice as many items as workers are in flight. idle is called whenever the next
// result has to be waited for. A caller that stops early does not wait for what is still being done.
func inOrder[I, O any](items iter.Seq[I], workers int, work func(I) O, idle func()) iter.Seq[O] {
	type job struct {
		item   I
		result chan O
	}
	return func(yield func(O) bool) {
		queue := make(chan job, workers) // in order; its room bounds what is in flight
		jobs := make(chan job)
		stop := make(chan struct{})
		defer close(stop)
		for range workers {
			go func() {
				for j := range jobs {
					j.result <- work(j.item)
				}
			}()
		}
		go func() {
			defer close(queue)
			defer close(jobs)
			for i := range items {
				j := job{i, make(chan O, 1)}
				select {
				case queue <- j:
				case <-stop:
					return
				}
				select {
				case jobs <- j:
				case <-stop:
					return
				}
			}
		}()
		for {
			j, ok := receive(queue, idle)
			if !ok {
				return
			}
			o, _ := receive(j.result, idle)
			if !yield(o) {
				return
			}
		}
	}
}

// receive receives from c and calls idle before it has to wait.
func receive[T any](c <-chan T, idle func()) (T, bool) {
	select {
	case x, ok := <-c:
		return x, ok
	default:
	}
	idle()
	x, ok := <-c
	return x, ok
}
