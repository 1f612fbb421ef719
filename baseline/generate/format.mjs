// One line per member, so that a diff of two releases reads as a list of changes.

export function format(protocol) {
  const revisions = protocol.revisions.map(
    (revision) => `    {
      "name": ${flat(revision.name)},
      "source": ${flat(revision.source)},
      "events": [
${list(revision.events, ({ type, since, until, attributable, open }) => ({ type, since, until, attributable, open }))}
      ],
      "objects": [
${list(revision.objects, ({ name, open, strict }) => ({ name, open, strict }))}
      ]
    }`,
  )
  return `{
  "name": ${flat(protocol.name)},
  "revisions": [
${revisions.join(',\n')}
  ]
}
`
}

function list(owners, head) {
  return owners
    .map((owner) => {
      const open = flat(head(owner)).slice(0, -1)
      const lines = owner.members.map((member) => `          ${flat(ordered(member))}`)
      return `        ${open}, "members": [${lines.length ? `\n${lines.join(',\n')}\n        ` : ''}]}`
    })
    .join(',\n')
}

function ordered({ name, required, nullable, since, until, schema }) {
  return { name, required, nullable, since, until, schema }
}

// JSON on one line with a space after each comma and colon.
function flat(value) {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${flat(member)}`).join(', ')}}`
}
