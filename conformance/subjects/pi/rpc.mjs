// A client of pi's RPC mode that keeps a transcript: what it sent, what came back, and how the process ended.
import { writeFileSync } from 'node:fs'

const PATIENCE = 30_000

export class Client {
	#child
	#profile
	#release
	#closed
	#lines = []
	#records = []
	#next = 0
	#ids = 0
	#wake = () => {}

	constructor(child, { profile, release, closed }) {
		this.#child = child
		this.#profile = profile
		this.#release = release
		this.#closed = closed
		let rest = Buffer.alloc(0)
		child.stdout.on('data', (bytes) => {
			rest = Buffer.concat([rest, bytes])
			for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) this.#received(rest.subarray(0, end).toString())
		})
	}

	#received(line) {
		let record
		try {
			record = JSON.parse(line)
		} catch {
			this.#lines.push(`{"dir":"stdout","raw":${JSON.stringify(line + '\n')}}`)
			return
		}
		this.#lines.push(`{"dir":"stdout","record":${line}}`)
		this.#records.push(record)
		this.#wake()
	}

	/** Sends a command and returns its id. */
	send(command) {
		const id = `c${++this.#ids}`
		this.#write({ id, ...command })
		return id
	}

	/** Answers a dialog. */
	answer({ id }, answer) {
		this.#write({ type: 'extension_ui_response', id, ...answer })
	}

	#write(record) {
		const line = JSON.stringify(record)
		this.#lines.push(`{"dir":"stdin","record":${line}}`)
		this.#child.stdin.write(line + '\n')
	}

	/** Sends text that need not be one whole line. */
	sendRaw(text) {
		this.#lines.push(`{"dir":"stdin","raw":${JSON.stringify(text)}}`)
		this.#child.stdin.write(text)
	}

	/** The next record of standard output that matches, after the one found last. */
	async until(matches) {
		const end = Date.now() + PATIENCE
		for (;;) {
			while (this.#next < this.#records.length) {
				const record = this.#records[this.#next++]
				if (matches(record)) return record
			}
			await this.#more(end)
		}
	}

	/** The response with that id, wherever it is. */
	async response(id) {
		const end = Date.now() + PATIENCE
		for (;;) {
			const at = this.#records.findIndex((record) => record.type === 'response' && record.id === id && !record[taken])
			if (at >= 0) {
				this.#records[at][taken] = true
				return this.#records[at]
			}
			await this.#more(end)
		}
	}

	/** Waits for one more record, at most until then. */
	#more(end) {
		const { promise, resolve, reject } = Promise.withResolvers()
		const timer = setTimeout(() => reject(new Error(`waited too long; the last record was ${this.#lines.at(-1)?.slice(0, 200)}`)), end - Date.now())
		this.#wake = resolve
		this.#closed.then(() => reject(new Error('the process ended')))
		return promise.finally(() => clearTimeout(timer))
	}

	/** Sends a command and waits for its response, or for the record that `matches`. */
	ask(command, matches) {
		const id = this.send(command)
		return matches ? this.until(matches) : this.response(id)
	}

	/** Waits until the session has come to rest. A release that does not say so has come to rest after that many runs. */
	async settled(runs) {
		if (this.#profile !== 'pi-0.73') return this.until(({ type }) => type === 'agent_settled')
		for (let n = 0; n < runs; n++) await this.until(({ type }) => type === 'agent_end')
	}

	/** Sends a prompt and waits until all that comes of it is done. */
	async run(message, runs = 1) {
		this.#next = this.#records.length
		await this.ask({ type: 'prompt', message })
		await this.settled(runs)
	}

	/** Lets go what waits for it: the tool `hold`, a shell command. */
	letGo() {
		writeFileSync(this.#release, '')
	}

	/** Ends standard input, waits for the end of the process, and returns the transcript. */
	async end() {
		this.#child.stdin.end()
		this.#lines.push(JSON.stringify({ dir: 'exit', record: await this.#closed }))
		return this.#lines
	}
}

const taken = Symbol('answered')
