// Holds what the recordings were judged to be against known-failing.txt: judge.mjs RECORDINGS KNOWN-FAILING REPORT.json…
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const [recordings, list, ...reports] = process.argv.slice(2)
const known = new Map(
	readFileSync(list, 'utf8')
		.split('\n')
		.filter((line) => line.trim() && !line.startsWith('#'))
		.map((line) => {
			const [fault, reason] = line.split(' # ')
			if (!reason || fault.split(/\s+/).length !== 4) throw new Error(`${list}: neither a comment nor "VERSION CASE CODE RECORD # REASON": ${line}`)
			return [fault.split(/\s+/).join(' '), { seen: false }]
		}),
)

/** What kind of record is at that index of a recording. */
function kind(file, index) {
	const line = readFileSync(join(recordings, file), 'utf8').split('\n')[index]
	if (!line) return 'end'
	const { record, raw, dir, ext, type } = JSON.parse(line)
	return dir === 'exit' ? 'exit' : raw !== undefined ? 'raw' : (ext ?? record?.type ?? type)
}

const counts = { streams: 0, records: 0, known: 0, warning: 0, info: 0 }
const problems = []
for (const { source, events, verdict, findings } of reports.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).streams)) {
	const file = basename(source)
	const [, name, version, rest] = /^(\w+)-(\d+\.\d+\.\d+)-(.+)\.jsonl$/.exec(file)
	counts.streams++
	counts.records += events
	if (verdict === 'incomplete') problems.push(`${file}: not judged to its end`)
	for (const { protocol, code, severity, index, detail } of findings) {
		if (severity !== 'error') {
			counts[severity]++
			continue
		}
		const fault = `${version} ${name}-${rest} ${protocol}/${code} ${kind(file, index)}`
		if (known.has(fault)) {
			known.get(fault).seen = true
			counts.known++
		} else {
			problems.push(`${file}:${index + 1}: ${protocol}/${code}: ${detail}\n\tin ${list} this would be: ${fault} # REASON`)
		}
	}
}
for (const [fault, { seen }] of known) if (!seen) problems.push(`${list}: no longer so: ${fault}`)
for (const problem of problems) console.log(problem)
console.log(`${counts.streams} streams, ${counts.records} records: ${problems.length} problems, ${counts.known} known faults, ${counts.warning} warnings, ${counts.info} infos`)
process.exit(problems.length ? 1 : 0)
