// Since and Until, by comparing the revisions (oldest first). Events are keyed by type, members by event or object and name.

export function addLifetimes(revisions) {
  const present = revisions.map((revision) => new Map(entries(revision)))
  const names = revisions.map((revision) => revision.name)
  const last = names.length - 1
  for (const revision of revisions) {
    for (const [key, entry] of entries(revision)) {
      const has = present.map((map) => map.has(key))
      entry.since = names[has.indexOf(true)]
      entry.until = has[last] ? undefined : names[has.lastIndexOf(true)]
    }
  }
}

function* entries({ events, objects }) {
  for (const event of events) yield [`event ${event.type}`, event]
  for (const [owner, { members }] of [
    ...events.map((event) => [event.type, event]),
    ...objects.map((object) => [object.name, object]),
  ]) {
    for (const member of members) yield [`member ${owner} ${member.name}`, member]
  }
}

// Puts the events in the newest revision's order, those it retired after them in their own.
export function orderEvents(revisions) {
  const newest = revisions.at(-1).events.map((event) => event.type)
  const rank = (event) => (newest.includes(event.type) ? newest.indexOf(event.type) : newest.length)
  for (const revision of revisions) revision.events.sort((a, b) => rank(a) - rank(b))
}
