// The scripted model: what it says to "say NAME", call by call, through the packages' own faux provider.

const MEDIUM = 'word '.repeat(1000)
const LONG = 'word '.repeat(2000)
const NESTED = `const both = await Promise.allSettled([tools.echo({ text: 'a' }), tools.failing({})]); return both.length`

/** The answers by name. An answer is content and options of a message; after the last one the model says "done". */
function script({ fauxText: text, fauxThinking: thinking, fauxToolCall }) {
	const call = (id, name, args) => fauxToolCall(name, args, { id })
	const ordered = (name, after) => call(`call-${name}`, 'ordered', { name, after })
	const use = (...content) => [content, { stopReason: 'toolUse' }]
	const fails = (errorMessage, content = '') => [content, { stopReason: 'error', errorMessage }]
	return {
		text: [['A plain answer, long enough for some deltas.']],
		think: [[[thinking('First a thought that is long enough.'), text('Then an answer.')]]],
		unicode: [['\u{1f600}\u{1f680}\u{1f4a1}'.repeat(9) + ' e\u0301 \u2028 \u0000']],
		empty: [[[]]],
		medium: [[MEDIUM]],
		long: [[LONG]],
		tool: [use(text('I look.'), call('call-1', 'echo', { text: 'hello' }))],
		arguments: [use(call('call-1', 'echo', { text: 'quote " slash \\ \u{1f600}', more: { n: [1, 2.5, -0, null, true] } }))],
		blank: [use(call('call-1', 'final', {}))],
		parallel: [use(ordered('a', 'c'), ordered('b', ''), ordered('c', 'b'))],
		sequential: [use(call('call-1', 'alone', { text: '1' }), call('call-2', 'echo', { text: '2' }))],
		mixed: [use(call('call-1', 'nowhere', {}), call('call-2', 'echo', {}), call('call-3', 'failing', {}), call('call-4', 'echo', { text: '4' }))],
		two: [use(call('call-1', 'echo', { text: '1' })), use(call('call-2', 'echo', { text: '2' }))],
		twins: [use(call('call-1', 'echo', { text: '1' }), call('call-1', 'echo', { text: '2' }))],
		nested: [use(call('call-1', 'codemode', { code: NESTED }), call('call-2', 'echo', { text: '2' }))],
		final: [use(call('call-1', 'final', {}))],
		length: [[[text('I look'), call('call-1', 'echo', { text: 'cut' })], { stopReason: 'length' }]],
		hold: [use(call('call-1', 'hold', {}))],
		guarded: [use(call('call-1', 'guarded', {}), call('call-2', 'guarded', {}))],
		blocked: [use(call('call-1', 'blocked', {}))],
		error: [fails('400 bad request', 'It began')],
		'error-tool': [fails('400 bad request', [text('I look'), call('call-1', 'echo', { text: 'never' })])],
		retry: [fails('529 overloaded'), fails('529 overloaded', 'It began'), ['It worked.']],
		'retry-tool': [use(call('call-1', 'echo', { text: '1' })), fails('529 overloaded'), use(call('call-2', 'echo', { text: '2' }))],
		'retry-fails': Array(9).fill(fails('529 overloaded')),
		overflow: [fails('prompt is too long: 9000 tokens > 3000 maximum'), ['It fits.']],
		overflows: Array(9).fill(fails('prompt is too long: 9000 tokens > 3000 maximum')),
	}
}

const said = ({ content }) => (typeof content === 'string' ? content : content.map((block) => block.text ?? '').join(''))

/** The name in the latest "say NAME" among the user's messages; none where pi asks for a summary of the conversation. */
function asked(messages) {
	const texts = messages.filter(({ role }) => role === 'user').map(said)
	if (/<conversation>/.test(texts.at(-1))) return undefined
	return texts.findLast((text) => text.startsWith('say '))?.slice(4)
}

/** The faux provider of `ai`, with every answer scripted: its api, its models, and the function that streams. */
export function model(ai, { tokensPerSecond, tokenSize = 2, contextWindow = 128000 } = {}) {
	const models = [{ id: 'faux-1', contextWindow, maxTokens: 4096 }]
	const options = { api: 'faux', provider: 'faux', tokensPerSecond, tokenSize: { min: tokenSize, max: tokenSize }, models }
	const core = ai.createFauxCore ? ai.createFauxCore(options) : ai.registerFauxProvider(options)
	const answers = script(ai)
	const calls = new Map()
	const answer = ({ messages }) => {
		core.appendResponses([answer])
		const name = asked(messages)
		if (name === undefined) return ai.fauxAssistantMessage('A summary of what was said.')
		const nth = calls.get(name) ?? 0
		calls.set(name, nth + 1)
		if (name === 'throw') throw new Error('the provider is not there')
		return ai.fauxAssistantMessage(...(answers[name]?.[nth] ?? ['done']))
	}
	core.setResponses([answer])
	return { api: core.api, models: core.models, streamSimple: core.streamSimple ?? ai.getApiProvider(core.api).streamSimple }
}
