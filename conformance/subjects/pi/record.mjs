// Records every case of every release: record.mjs BUILD OUT [RELEASE…]. See README.md.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import './loopback.mjs'
import * as cases from './cases.mjs'
import { model } from './model.mjs'
import { Client } from './rpc.mjs'
import { answers, serve } from './services.mjs'
import { tools } from './tools.mjs'

const DEADLINE = 60_000
const RELEASES = [
	{ version: '1.6.0', profile: 'pi-1.x', scope: '@earendil-works' },
	{ version: '0.80.10', profile: 'pi-0.80', scope: '@earendil-works' },
	{ version: '0.73.1', profile: 'pi-0.73', scope: '@mariozechner' },
]
const PROFILES = ['pi-0.73', 'pi-0.80', 'pi-1.x']

const [build, out, ...only] = process.argv.slice(2)
const unknown = only.filter((version) => !RELEASES.some((release) => release.version === version))
if (!out || unknown.length) {
	console.error(unknown.length ? `no such release: ${unknown}` : 'usage: record OUT [RELEASE…]')
	process.exit(2)
}
mkdirSync(out, { recursive: true })
const scratch = mkdtempSync(join(tmpdir(), 'conformance-pi-'))
const children = new Set()
const clean = () => {
	for (const child of children) killGroup(child)
	rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.on('exit', clean)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

const failures = []
const jobs = RELEASES.filter(({ version }) => !only.length || only.includes(version)).flatMap((release) =>
	Object.entries({ ai: cases.ai, adapter: answers, agent: cases.agent, json: cases.json, rpc: cases.rpc }).flatMap(([kind, all]) =>
		Object.entries(all)
			.filter(([, { since = 'pi-0.73' }]) => PROFILES.indexOf(release.profile) >= PROFILES.indexOf(since))
			.map(([name, what]) => ({ release, kind, name, what })),
	),
)
const service = await serve()
const queue = jobs.values()
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
for (const failure of failures) console.error(failure)
console.log(`${jobs.length - failures.length} of ${jobs.length} cases recorded in ${out}`)
process.exit(failures.length ? 1 : 0)

async function work() {
	for (const job of queue) {
		const file = (kind) => join(out, `${kind}-${job.release.version}-${job.name}.jsonl`)
		const write = (kind, lines) => writeFileSync(file(kind), lines.map((line) => line + '\n').join(''))
		try {
			write(job.kind, await within({ ai, adapter, agent, json, rpc }[job.kind](job, write)))
		} catch (error) {
			failures.push(`${file(job.kind)}: ${error.stack}`)
		}
	}
}

function within(promise) {
	const { promise: late, reject } = Promise.withResolvers()
	const timer = setTimeout(() => reject(new Error(`not done after ${DEADLINE} ms`)), DEADLINE)
	return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function packagePath({ version, scope }, name) {
	return resolve(build, version, 'node_modules', scope, name)
}

function load(release, name) {
	return import(pathToFileURL(join(packagePath(release, name), 'dist/index.js')))
}

function user(text) {
	return { role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() }
}

/** The events of one request, as the packages' reader gets them. */
async function ai({ release, what }) {
	const faux = model(await load(release, 'pi-ai'))
	const controller = new AbortController()
	if (what.abort === 'before') controller.abort()
	const messages = [user(`say ${what.say}`)]
	const lines = []
	for await (const event of faux.streamSimple(faux.models[0], { messages }, { signal: controller.signal })) {
		lines.push(JSON.stringify(event))
		if (what.abort !== 'before' && what.abort?.(event)) controller.abort()
	}
	return lines
}

/** The events that the adapter of a model service makes of the service's answer. */
async function adapter({ release, name, what }) {
	const { api, modules, stream } = {
		openai: { api: 'openai-completions', modules: ['api/openai-completions', 'providers/openai-completions'], stream: 'streamSimpleOpenAICompletions' },
		anthropic: { api: 'anthropic-messages', modules: ['api/anthropic-messages', 'providers/anthropic'], stream: 'streamSimpleAnthropic' },
	}[what.api]
	const path = modules.map((module) => join(packagePath(release, 'pi-ai'), `dist/${module}.js`)).find(existsSync)
	const functions = await import(pathToFileURL(path))
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
	const model = { id: 'model-1', name: 'model-1', api, provider: 'service', baseUrl: `${service}/${name}`, reasoning: true, input: ['text'], cost, contextWindow: 9000, maxTokens: 900 }
	const lines = []
	const events = (functions.streamSimple ?? functions[stream])(model, { messages: [user('hello')] }, { apiKey: 'none', maxRetries: 0 })
	for await (const event of events) lines.push(JSON.stringify(event))
	return lines
}

/** The events that an Agent gives its subscribers. */
async function agent({ release, what }) {
	const [ai, core] = [await load(release, 'pi-ai'), await load(release, 'pi-agent-core')]
	const faux = model(ai)
	const agent = new core.Agent({
		initialState: { model: faux.models[0], tools: tools(), systemPrompt: 'You are a test.' },
		streamFn: faux.streamSimple,
		getApiKey: () => 'none',
		...what.options,
	})
	const lines = []
	agent.subscribe((event) => {
		lines.push(JSON.stringify(event))
		what.at?.(event, agent)
	})
	await what.run(agent)
	return lines
}

/** Standard output of JSON mode. */
async function json(job) {
	const { child, closed } = start(job, ['--mode', 'json', ...job.what.prompts])
	child.stdin.end()
	let text = ''
	child.stdout.setEncoding('utf8').on('data', (more) => (text += more))
	const { code } = await closed
	if (code !== 0) throw new Error(`ended with ${code}: ${child.errors}`)
	checkLoopback(child)
	return text.split('\n').slice(0, -1)
}

/** A transcript of RPC, and what an extension saw where the case asks for it. */
async function rpc(job, write) {
	const { child, closed, release, log } = start(job, ['--mode', 'rpc'])
	const client = new Client(child, { profile: job.release.profile, release, closed })
	try {
		await job.what.client(client)
		const lines = await client.end()
		checkLoopback(child)
		if (log) write('ext', readFileSync(log, 'utf8').trimEnd().split('\n'))
		return lines
	} catch (error) {
		throw new Error(`${error.message}\n${child.errors}`, { cause: error })
	} finally {
		killGroup(child)
	}
}

function start({ release: packages, kind, name, what }, args) {
	const folder = join(scratch, `${kind}-${packages.version}-${name}`)
	for (const part of ['home', 'agent', 'project', 'tmp']) mkdirSync(join(folder, part), { recursive: true })
	writeFileSync(join(folder, 'agent/settings.json'), JSON.stringify(what.settings ?? {}))
	const release = join(folder, 'release')
	const log = what.log && join(folder, 'extension.jsonl')
	const pi = packagePath(packages, 'pi-coding-agent')
	const { bin } = JSON.parse(readFileSync(join(pi, 'package.json'), 'utf8'))
	const flags = ['--offline', '--no-extensions', '--no-skills', '--no-prompt-templates', '--no-themes', '--no-context-files']
	const child = spawn(
		process.execPath,
		[join(pi, bin.pi), ...flags, ...(what.flags ?? []), '--extension', resolve(import.meta.dirname, 'extension.mjs'), '--model', 'faux/faux-1', '--system-prompt', 'You are a test.', ...args],
		{
			cwd: join(folder, 'project'),
			detached: true,
			env: {
				PATH: process.env.PATH,
				HOME: join(folder, 'home'),
				TMPDIR: join(folder, 'tmp'),
				PI_CODING_AGENT_DIR: join(folder, 'agent'),
				PI_OFFLINE: '1',
				PI_SKIP_VERSION_CHECK: '1',
				PI_TELEMETRY: '0',
				NODE_COMPILE_CACHE: join(scratch, 'compiled'),
				NODE_OPTIONS: `--import ${pathToFileURL(resolve(import.meta.dirname, 'loopback.mjs'))}`,
				CONFORMANCE_PI: JSON.stringify({ ...what.model, log, release }),
				CONFORMANCE_PI_AI: join(packagePath(packages, 'pi-ai'), 'dist/index.js'),
				CONFORMANCE_PI_RELEASE: release,
			},
		},
	)
	children.add(child)
	const closed = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
	closed.then(() => killGroup(child))
	child.errors = ''
	child.stderr.setEncoding('utf8').on('data', (more) => (child.errors += more))
	child.stdin.on('error', () => {})
	return { child, closed, release, log }
}

function checkLoopback({ errors }) {
	if (errors.includes('conformance: a connection')) throw new Error(errors)
}

function killGroup(child) {
	children.delete(child)
	try {
		process.kill(-child.pid, 'SIGKILL')
	} catch {
		// It has ended, and so has all that it started.
	}
}
