// Where the package and the specification disagree on a member or an object, the specification wins. Every such place
// is a row here; a row that changes nothing fails the run, so the table can't outlive its reasons.
//
// Not in the table, because it is a rule and not an exception (sources.mjs): the 1.0 package parses every object loosely so
// that a consumer can strip what it does not know, while the specification closes them all except those marked specOpen.
export const overrides = [
  {
    revision: '1.0',
    object: 'RunAgentInput',
    member: 'state',
    set: { nullable: undefined },
    reason: 'the schema forbids null for every optional member; the package reads a null state as absent',
  },
]

// Applies the rows of one revision in place, or of the revision that a release belongs to.
export function applyOverrides(revision) {
  for (const row of overrides.filter((row) => revision.name === row.revision || revision.name.startsWith(`${row.revision}.`))) {
    const target = find(revision, row)
    for (const [key, value] of Object.entries(row.set)) {
      if (target[key] === value) throw new Error(`override ${label(row)}.${key} changes nothing: remove it`)
      target[key] = value
    }
  }
}

function find(revision, row) {
  const owner = row.event
    ? revision.events.find((event) => event.type === row.event)
    : revision.objects.find((object) => object.name === row.object)
  const target = row.member ? owner?.members.find((member) => member.name === row.member) : owner
  if (!target) throw new Error(`override ${label(row)} names nothing`)
  return target
}

function label(row) {
  return [row.revision, row.event ?? row.object, row.member].filter(Boolean).join(' ')
}
