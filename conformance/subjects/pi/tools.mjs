// The tools of the scripted model. None looks at a clock: a call waits for another call, for a file, or for an abort.
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'

const text = (text) => ({ content: [{ type: 'text', text }], details: {} })
const strings = (...names) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names })

/** Waits until what is already going on has gone out. */
const turns = async () => {
	for (let n = 0; n < 20; n++) await new Promise(setImmediate)
}

const aborted = (signal) =>
	new Promise((_, reject) => {
		const fail = () => reject(new Error('aborted'))
		if (signal?.aborted) fail()
		signal?.addEventListener('abort', fail, { once: true })
	})

const appeared = (path) =>
	new Promise((resolve) => {
		const watcher = watch(dirname(path), () => {
			if (!existsSync(path)) return
			watcher.close()
			resolve()
		})
		if (existsSync(path)) {
			watcher.close()
			resolve()
		}
	})

/** The tools as pi-agent-core and pi-coding-agent take them. `release` is a file: the tool `hold` waits until it is there. */
export function tools(release) {
	const ended = new Map()
	const end = (name) => {
		if (!ended.has(name)) ended.set(name, Promise.withResolvers())
		return ended.get(name)
	}
	const make = (name, parameters, execute, rest = {}) => ({ name, label: name, description: `The tool ${name}`, parameters, execute, ...rest })
	return [
		make('echo', strings('text'), async (_, { text: said }, __, update) => {
			update?.(text(said.slice(0, 1)))
			update?.(text(said))
			return text(said)
		}),
		// Ends after the call with the name `after`, if that is not empty.
		make('ordered', strings('name', 'after'), async (_, { name, after }, __, update) => {
			update?.(text(`${name} runs`))
			if (after) await end(after).promise.then(turns)
			end(name).resolve()
			return text(`${name} ran`)
		}),
		make('hold', strings(), async (_, __, signal, update) => {
			update?.(text('held'))
			await Promise.race([aborted(signal), ...(release ? [appeared(release)] : [])])
			return text('let go')
		}),
		make('alone', strings('text'), async (_, { text: said }) => text(said), { executionMode: 'sequential' }),
		make('failing', strings(), async () => {
			throw new Error('it failed')
		}),
		make('final', strings(), async () => ({ ...text('that is all'), terminate: true })),
		make('guarded', strings(), async () => text('allowed')),
		make('blocked', strings(), async () => text('never')),
	]
}
