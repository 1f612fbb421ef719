// Writes baseline/agui.json from the installed packages: ./run installs them and calls this.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from './format.mjs'
import { addLifetimes, orderEvents } from './lifetimes.mjs'
import { applyOverrides } from './overrides.mjs'
import { buildRevision, namesOf, renamed } from './revision.mjs'
import { packageName, sources } from './sources.mjs'
import * as zod3 from './zod3.mjs'
import * as zod4 from './zod4.mjs'

const readers = { 3: zod3, 4: zod4 }

const releases = await Promise.all(sources.map(load))
const newest = releases.at(-1)
const revisions = releases.map(({ source, exports, names, zod }) =>
  buildRevision(source, exports, renamed(names, newest.exports, newest.names, newest.zod), zod),
)
revisions.forEach(applyOverrides)
orderEvents(revisions)
addLifetimes(revisions)
writeFileSync(new URL('../agui.json', import.meta.url), format({ name: 'agui', revisions }))

async function load(source) {
  const root = new URL(`./${source.folder}/node_modules/${packageName}/`, import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root)))
  const exports = await import(new URL(`dist/${source.entry}`, root))
  const zod = readers[source.zod]
  const described = { package: packageName, version, date: published(version) }
  return { source: { ...source, package: described }, exports, names: namesOf(exports, zod), zod }
}

// The day the release was published: unlike today's date it is the same each time.
function published(version) {
  const times = JSON.parse(execFileSync('npm', ['view', packageName, 'time', '--json'], { encoding: 'utf8' }))
  return times[version].slice(0, 10)
}
