// What is recorded, by class and name. A case is recorded for each release that has what it is about: `since` is the first profile that does.

const user = (text) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() })
const isType = (type) => (record) => record.type === type
const inside = (type) => (record) => record.assistantMessageEvent?.type === type

/** Provider streams of pi-ai. `abort` says at which event the request is aborted; 'before' means before it began. */
export const ai = {
	text: { say: 'text' },
	think: { say: 'think' },
	unicode: { say: 'unicode' },
	empty: { say: 'empty' },
	tool: { say: 'tool' },
	arguments: { say: 'arguments' },
	'blank-arguments': { say: 'blank' },
	'parallel-tools': { say: 'parallel' },
	length: { say: 'length' },
	error: { say: 'error' },
	'error-after-tool': { say: 'error-tool' },
	'error-before-start': { say: 'throw' },
	'abort-text': { say: 'long', abort: isType('text_delta') },
	'abort-tool': { say: 'parallel', abort: isType('toolcall_delta') },
	'abort-before-start': { say: 'text', abort: 'before' },
}

/** Runs of pi-agent-core: `run` talks to the agent, `at` is called with each event. */
export const agent = {
	text: { run: (agent) => agent.prompt('say text') },
	think: { run: (agent) => agent.prompt('say think') },
	'two-runs': {
		run: async (agent) => {
			await agent.prompt('say text')
			await agent.prompt('say tool')
		},
	},
	tool: { run: (agent) => agent.prompt('say tool') },
	'tool-twice': { run: (agent) => agent.prompt('say two') },
	'parallel-tools': { run: (agent) => agent.prompt('say parallel') },
	'sequential-tools': { run: (agent) => agent.prompt('say sequential') },
	'failing-tools': { run: (agent) => agent.prompt('say mixed') },
	'final-tool': { run: (agent) => agent.prompt('say final') },
	length: { run: (agent) => agent.prompt('say length') },
	'same-tool-id': { run: (agent) => agent.prompt('say twins') },
	error: { run: (agent) => agent.prompt('say error') },
	'error-after-tool': { run: (agent) => agent.prompt('say error-tool') },
	'error-before-start': { run: (agent) => agent.prompt('say throw') },
	'stream-function-throws': {
		options: {
			streamFn: () => {
				throw new Error('no stream')
			},
		},
		run: (agent) => agent.prompt('say text'),
	},
	'abort-text': { run: (agent) => agent.prompt('say long'), at: (event, agent) => inside('text_delta')(event) && agent.abort() },
	'abort-tool': { run: (agent) => agent.prompt('say hold'), at: ({ type }, agent) => type === 'tool_execution_update' && agent.abort() },
	steering: {
		run: (agent) => agent.prompt('say two'),
		at: once(({ type }) => type === 'tool_execution_start', (agent) => ['and this', 'and that'].forEach((text) => agent.steer(user(text)))),
	},
	'steering-all': {
		options: { steeringMode: 'all' },
		run: (agent) => agent.prompt('say two'),
		at: once(({ type }) => type === 'tool_execution_start', (agent) => ['and this', 'and that'].forEach((text) => agent.steer(user(text)))),
	},
	'follow-up': {
		run: (agent) => agent.prompt('say tool'),
		at: once(({ type }) => type === 'tool_execution_start', (agent) => {
			agent.followUp(user('after that'))
			agent.steer(user('and this'))
		}),
	},
}

function once(when, act) {
	let done = new WeakSet()
	return (event, agent) => {
		if (done.has(agent) || !when(event)) return
		done.add(agent)
		act(agent)
	}
}

const quick = { retry: { enabled: true, maxRetries: 3, baseDelayMs: 1 } }
// Whoever says "medium" and more is over the threshold of a tight model, and has something to leave out.
const compacting = { compaction: { enabled: true, reserveTokens: 2000, keepRecentTokens: 100 } }
const wide = { tokenSize: 100 }
const tight = { ...wide, contextWindow: 6000 }

/** JSON mode of pi-coding-agent: the prompts it is started with. */
export const json = {
	text: { prompts: ['say text'] },
	'two-prompts': { prompts: ['say text', 'say tool'] },
	'parallel-tools': { prompts: ['say parallel'] },
	retry: { prompts: ['say retry'], settings: quick },
	'retry-between-tools': { prompts: ['say retry-tool'], settings: quick },
	'retry-fails': { prompts: ['say retry-fails'], settings: quick },
	handled: { prompts: ['/note', 'say text'] },
	'compaction-threshold': { prompts: ['say long', 'say text'], settings: compacting, model: tight },
	'compaction-overflow': { prompts: ['say medium', 'say overflow'], settings: compacting, model: wide },
	'compaction-overflow-twice': { prompts: ['say medium', 'say overflows'], settings: compacting, model: wide },
}

// In a shell: until the client lets go, but not for ever.
const WAIT = 'for i in $(seq 1000); do [ -e "$CONFORMANCE_PI_RELEASE" ] && break; sleep 0.02; done'
const slow = { tokensPerSecond: 40 }

/** RPC: what the client does. See Client in rpc.mjs. */
export const rpc = {
	text: { client: (pi) => pi.run('say text') },
	tool: { client: (pi) => pi.run('say tool') },
	'parallel-tools': { client: (pi) => pi.run('say parallel') },
	error: { client: (pi) => pi.run('say error') },
	'tools-that-do-not-run': {
		client: async (pi) => {
			await pi.run('say mixed')
			await pi.run('say blocked')
		},
	},
	'nested-tools': {
		since: 'pi-1.x',
		flags: ['--extension', 'builtin:codemode', '--tools', '+codemode'],
		client: (pi) => pi.run('say nested'),
	},
	'abort-text': {
		model: slow,
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say long' })
			await pi.until(inside('text_delta'))
			await pi.ask({ type: 'abort' })
		},
	},
	'abort-tool': {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'abort' })
		},
	},
	retry: { settings: quick, client: (pi) => pi.run('say retry', 3) },
	'retry-aborted': {
		settings: { retry: { enabled: true, maxRetries: 3, baseDelayMs: 30000 } },
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say retry-fails' })
			await pi.until(isType('auto_retry_start'))
			await pi.ask({ type: 'abort_retry' })
			await pi.settled(0)
		},
	},
	compaction: {
		settings: compacting,
		model: wide,
		client: async (pi) => {
			await pi.ask({ type: 'compact' })
			await pi.run('say text')
			await pi.run('say medium')
			await pi.ask({ type: 'compact' })
			await pi.run('say text')
		},
	},
	'compaction-in-run': {
		model: slow,
		settings: { compaction: { enabled: true, reserveTokens: 1000, keepRecentTokens: 1 } },
		client: async (pi) => {
			await pi.run('say text')
			await pi.ask({ type: 'prompt', message: 'say long' })
			await pi.until(inside('text_delta'))
			await pi.ask({ type: 'compact' })
		},
	},
	steering: {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'steer', message: 'and this' })
			await pi.ask({ type: 'prompt', message: 'and that', streamingBehavior: 'steer' })
			await pi.ask({ type: 'prompt', message: 'refused, as it does not say how to queue' })
			pi.letGo()
			await pi.settled(1)
		},
	},
	'steering-all': {
		client: async (pi) => {
			await pi.ask({ type: 'set_steering_mode', mode: 'all' })
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'steer', message: 'and this' })
			await pi.ask({ type: 'steer', message: 'and that' })
			pi.letGo()
			await pi.settled(1)
		},
	},
	'follow-up': {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'follow_up', message: 'after that' })
			await pi.ask({ type: 'steer', message: 'and this' })
			pi.letGo()
			await pi.settled(1)
		},
	},
	'abort-with-queue': {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'follow_up', message: 'after that' })
			await pi.ask({ type: 'abort' })
			await pi.ask({ type: 'get_state' })
		},
	},
	'clear-queue': {
		since: 'pi-1.x',
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
			await pi.ask({ type: 'steer', message: 'and this' })
			await pi.ask({ type: 'follow_up', message: 'after that' })
			await pi.ask({ type: 'clear_queue' })
			pi.letGo()
			await pi.settled(1)
		},
	},
	'two-prompts-at-once': {
		since: 'pi-1.x',
		client: async (pi) => {
			const both = [pi.send({ type: 'prompt', message: 'say text' }), pi.send({ type: 'prompt', message: 'say tool' })]
			for (const id of both) await pi.response(id)
			await pi.until(isType('agent_end'))
			await pi.settled(0)
			await pi.ask({ type: 'get_state' })
		},
	},
	'allowed-and-denied': {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say guarded' })
			pi.answer(await pi.until(isType('extension_ui_request')), { confirmed: true })
			pi.answer(await pi.until(isType('extension_ui_request')), { confirmed: false })
			await pi.settled(1)
		},
	},
	dialogs: {
		client: async (pi) => {
			const id = pi.send({ type: 'prompt', message: '/dialogs' })
			pi.answer(await pi.until(isType('extension_ui_request')), { value: 'b' })
			pi.answer(await pi.until(isType('extension_ui_request')), { confirmed: true })
			pi.answer(await pi.until(isType('extension_ui_request')), { value: 'a name' })
			pi.answer(await pi.until(isType('extension_ui_request')), { cancelled: true })
			await pi.until(({ method }) => method === 'notify')
			await pi.response(id)
		},
	},
	handled: {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'taken' })
			await pi.ask({ type: 'prompt', message: '/note' })
			await pi.run('say text')
		},
	},
	bash: {
		client: async (pi) => {
			const slow = pi.send({ type: 'bash', command: `echo one; ${WAIT}; echo two` })
			await pi.ask({ type: 'get_state' })
			pi.letGo()
			await pi.response(slow)
			await pi.run('say text')
		},
	},
	commands: {
		client: async (pi) => {
			await pi.run('say text')
			const types = ['get_state', 'get_messages', 'get_commands', 'get_fork_messages', 'get_session_stats', 'get_last_assistant_text', 'get_available_models', 'cycle_model', 'cycle_thinking_level']
			for (const type of types) await pi.ask({ type })
			await pi.ask({ type: 'set_session_name', name: 'a name' })
			await pi.ask({ type: 'set_auto_compaction', enabled: false })
			await pi.ask({ type: 'set_model', provider: 'nobody', modelId: 'nothing' })
			await pi.ask({ type: 'abort' })
		},
	},
	entries: {
		since: 'pi-0.80',
		client: async (pi) => {
			await pi.run('say tool')
			const { entries } = (await pi.ask({ type: 'get_entries' })).data
			await pi.run('say text')
			await pi.ask({ type: 'get_entries', since: entries.at(-1).id })
			await pi.ask({ type: 'get_entries', since: 'no-such-entry' })
			await pi.ask({ type: 'get_tree' })
		},
	},
	framing: {
		client: async (pi) => {
			pi.sendRaw('{"type":"get_state","id":"crlf"}\r\n')
			await pi.response('crlf')
			pi.sendRaw('{"type":"get_sta')
			pi.sendRaw('te","id":"pieces"}\n')
			await pi.response('pieces')
			pi.sendRaw('this is no JSON\n')
			await pi.until(({ command }) => command === 'parse')
			await pi.ask({ type: 'set_session_name', name: 'one\u2028two\u2029three' })
			pi.sendRaw('{"type":"get_state","id":"twice"}\n{"type":"get_state","id":"twice"}\n{"type":"get_messages"}\n')
			await pi.response('twice')
			await pi.response('twice')
			await pi.until(({ command }) => command === 'get_messages')
			pi.sendRaw('{"type":"get_state","id":"unended"}')
		},
	},
	'unknown-command': { client: (pi) => pi.ask({ type: 'no_such_command' }, ({ command }) => command === 'no_such_command') },
	replacement: {
		log: true,
		client: async (pi) => {
			await pi.run('say text')
			const { sessionFile } = (await pi.ask({ type: 'get_state' })).data
			await pi.ask({ type: 'new_session' })
			await pi.ask({ type: 'get_state' })
			await pi.run('say tool')
			await pi.ask({ type: 'switch_session', sessionPath: sessionFile })
			await pi.ask({ type: 'get_state' })
			const { messages } = (await pi.ask({ type: 'get_fork_messages' })).data
			await pi.ask({ type: 'fork', entryId: messages[0].entryId })
			await pi.ask({ type: 'get_state' })
			await pi.ask({ type: 'fork', entryId: 'no-such-entry' })
			await pi.ask({ type: 'get_state' })
		},
	},
	'replacement-cancelled': {
		log: true,
		model: { cancelSwitch: true },
		client: async (pi) => {
			await pi.ask({ type: 'get_state' })
			await pi.ask({ type: 'new_session' })
			await pi.ask({ type: 'get_state' })
			await pi.run('say text')
		},
	},
	'replacement-in-run': {
		model: slow,
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say long' })
			await pi.until(inside('text_delta'))
			await pi.ask({ type: 'new_session' })
			await pi.run('say text')
		},
	},
	'end-in-run': {
		client: async (pi) => {
			await pi.ask({ type: 'prompt', message: 'say hold' })
			await pi.until(isType('tool_execution_update'))
		},
	},
}
