// A model service on loopback that answers pi-ai's adapters with what is written here: real services would send the same kinds of events.
import { createServer } from 'node:http'
import { once } from 'node:events'

const chunk = (delta, finish_reason = null) => ({ id: 'r1', object: 'chat.completion.chunk', created: 0, model: 'model-1', choices: [{ index: 0, delta, finish_reason }] })
const toolCall = (index, rest) => chunk({ tool_calls: [{ index, type: 'function', ...rest }] })
const data = (value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const completions = (...chunks) => [...chunks, '[DONE]'].map(data)

const named = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
const usage = { input_tokens: 1, output_tokens: 1 }
const message = { id: 'r1', type: 'message', role: 'assistant', model: 'model-1', content: [], stop_reason: null, stop_sequence: null, usage }
const start = (index, content_block) => ({ type: 'content_block_start', index, content_block })
const delta = (index, delta) => ({ type: 'content_block_delta', index, delta })
const stop = (index) => ({ type: 'content_block_stop', index })
const ended = (stop_reason) => [{ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }, { type: 'message_stop' }]
const messages = (...events) => [{ type: 'message_start', message }, ...events].map(named)

/** By case: which adapter asks, and the pieces of the answer. `cut` breaks the connection after them; `status` answers with an error. */
export const answers = {
	'openai-text': { api: 'openai', send: completions(chunk({ role: 'assistant', content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop')) },
	'openai-length': { api: 'openai', send: completions(chunk({ content: 'Hel' }), chunk({}, 'length')) },
	'openai-thinking': { api: 'openai', send: completions(chunk({ reasoning_content: 'Let me ' }), chunk({ reasoning_content: 'see.' }), chunk({ content: 'Hello' }), chunk({}, 'stop')) },
	'openai-interleaved-tools': {
		api: 'openai',
		send: completions(
			chunk({ content: 'I look' }),
			toolCall(0, { id: 'call-1', function: { name: 'echo', arguments: '{"text":' } }),
			toolCall(1, { id: 'call-2', function: { name: 'echo', arguments: '{"te' } }),
			toolCall(0, { function: { arguments: '"1"}' } }),
			chunk({ content: ' twice' }),
			toolCall(1, { function: { arguments: 'xt":"2"}' } }),
			chunk({}, 'tool_calls'),
		),
	},
	'openai-late-id': {
		api: 'openai',
		send: completions(
			toolCall(0, { function: { name: 'echo', arguments: '{"text"' } }),
			toolCall(0, { id: 'call-1', function: { arguments: ':"1"}' } }),
			chunk({}, 'tool_calls'),
		),
	},
	'openai-bad-arguments': {
		api: 'openai',
		send: completions(toolCall(0, { id: 'call-1', function: { name: 'echo', arguments: '{"text": "1' } }), chunk({}, 'tool_calls')),
	},
	'openai-no-arguments': {
		api: 'openai',
		send: completions(toolCall(0, { id: 'call-1', function: { name: 'final', arguments: '' } }), chunk({}, 'tool_calls')),
	},
	'openai-cut': { api: 'openai', cut: true, send: [chunk({ content: 'I look' }), toolCall(0, { id: 'call-1', function: { name: 'echo', arguments: '{"text":' } })].map(data) },
	'openai-refused': { api: 'openai', status: 400, send: ['{"error":{"message":"no"}}'] },
	'anthropic-all-kinds': {
		api: 'anthropic',
		send: messages(
			start(0, { type: 'thinking', thinking: '', signature: '' }),
			delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
			delta(0, { type: 'thinking_delta', thinking: 'see.' }),
			delta(0, { type: 'signature_delta', signature: 'c2lnbmF0dXJl' }),
			stop(0),
			start(1, { type: 'text', text: '' }),
			delta(1, { type: 'text_delta', text: 'I look' }),
			stop(1),
			start(2, { type: 'tool_use', id: 'call-1', name: 'echo', input: {} }),
			delta(2, { type: 'input_json_delta', partial_json: '' }),
			delta(2, { type: 'input_json_delta', partial_json: '{"text":' }),
			delta(2, { type: 'input_json_delta', partial_json: '"1"}' }),
			stop(2),
			...ended('tool_use'),
		),
	},
	'anthropic-redacted': {
		api: 'anthropic',
		send: messages(start(0, { type: 'redacted_thinking', data: 'c2VjcmV0' }), stop(0), start(1, { type: 'text', text: '' }), delta(1, { type: 'text_delta', text: 'Hello' }), stop(1), ...ended('end_turn')),
	},
	'anthropic-cut': { api: 'anthropic', cut: true, send: messages(start(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hel' })) },
	'anthropic-overloaded': {
		api: 'anthropic',
		send: messages(start(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 'Hel' }), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
	},
}

/** Starts the service; the first part of a request's path is the case. */
export async function serve() {
	const server = createServer(async (request, response) => {
		for await (const _ of request);
		const { send, cut, status = 200 } = answers[request.url.split('/')[1]]
		response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' })
		for (const piece of send) response.write(piece)
		if (cut) response.write('', () => response.destroy())
		else response.end()
	})
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	server.unref()
	return `http://127.0.0.1:${server.address().port}`
}
