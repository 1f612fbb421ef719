// Writes agui.json and history.json from the installed packages: ./run installs them and calls this with the folder to write to.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from './format.mjs'
import { addLifetimes, orderEvents } from './lifetimes.mjs'
import { applyOverrides } from './overrides.mjs'
import { buildRevision, namesOf, renamed } from './revision.mjs'
import { packageName, releases, revisions } from './sources.mjs'
import * as zod3 from './zod3.mjs'
import * as zod4 from './zod4.mjs'

const readers = { 3: zod3, 4: zod4 }

const folder = process.argv[2]
await write('agui.json', revisions)
await write('history.json', releases)

async function write(file, sources) {
  const loaded = await Promise.all(sources.map(load))
  const newest = loaded.at(-1)
  const built = loaded.map(({ source, exports, names, zod }) =>
    buildRevision(source, exports, renamed(names, newest.exports, newest.names, newest.zod), zod),
  )
  built.forEach(applyOverrides)
  orderEvents(built)
  addLifetimes(built)
  writeFileSync(join(folder, file), format({ name: 'agui', revisions: built }))
}

async function load(source) {
  const root = new URL(`./${source.folder}/node_modules/${source.installed}/`, import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root)))
  const exports = await import(new URL(`dist/${source.entry}`, root))
  const zod = readers[source.zod]
  const described = { package: packageName, version, date: published(version) }
  return { source: { revision: version, ...source, package: described }, exports, names: namesOf(exports, zod), zod }
}

// The day the release was published: unlike today's date it is the same each time.
function published(version) {
  const times = JSON.parse(execFileSync('npm', ['view', packageName, 'time', '--json'], { encoding: 'utf8' }))
  return times[version].slice(0, 10)
}
