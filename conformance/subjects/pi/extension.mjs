// Loaded into pi-coding-agent by --extension: the scripted model, the tools, and what an extension does by itself.
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'

// Node's own loader and not the extension loader's: these need no translation.
const require = createRequire(import.meta.url)
const ai = require(process.env.CONFORMANCE_PI_AI)
const { model } = require('./model.mjs')
const { tools } = require('./tools.mjs')

const { log, ...options } = JSON.parse(process.env.CONFORMANCE_PI)

export default function (pi) {
	const faux = model(ai, options)
	pi.registerProvider('faux', {
		baseUrl: 'http://127.0.0.1:9',
		apiKey: 'none',
		api: faux.api,
		models: faux.models.map(({ api, provider, baseUrl, ...rest }) => rest),
		streamSimple: faux.streamSimple,
	})
	for (const tool of tools(options.release)) pi.registerTool(tool)

	if (log) {
		const events = ['session_start', 'resources_discover', 'session_before_switch', 'session_before_fork', 'session_shutdown', 'agent_start', 'agent_end']
		for (const type of events) {
			pi.on(type, ({ reason }) => appendFileSync(log, JSON.stringify({ ext: type, reason }) + '\n'))
		}
	}

	pi.on('tool_call', async (event, ctx) => {
		if (event.toolName === 'guarded' && !(await ctx.ui.confirm('Allow?', 'guarded'))) return { block: true, reason: 'Not allowed' }
		if (event.toolName === 'blocked') return { block: true, reason: 'Blocked' }
	})
	pi.on('session_before_switch', () => (options.cancelSwitch ? { cancel: true } : undefined))
	pi.on('input', (event) => (event.text === 'taken' ? { action: 'handled' } : { action: 'continue' }))

	pi.registerCommand('dialogs', {
		description: 'One dialog of each kind, and what wants no answer',
		handler: async (_, { ui }) => {
			const said = [
				await ui.select('Pick', ['a', 'b']),
				await ui.confirm('Sure?', 'really'),
				await ui.input('Name', 'placeholder'),
				await ui.editor('Edit', 'prefill'),
				await ui.confirm('Sure?', 'nobody answers', { timeout: 50 }),
			]
			ui.setStatus('key', 'text')
			ui.setWidget('key', ['line'])
			ui.setTitle('title')
			ui.setEditorText('text')
			ui.notify(JSON.stringify(said), 'info')
		},
	})
	pi.registerCommand('note', {
		description: 'A custom message that starts no turn',
		handler: async () => pi.sendMessage({ customType: 'note', content: 'noted', display: true }),
	})
}
