// Turns the exports of one release into a revision: its events, and every object that they reach.

const suffix = /Schemas?$/

// Maps each exported schema to its name. One schema may have several (old names stay as aliases); the shortest is the current one.
export function namesOf(exports, zod) {
  const names = new Map()
  for (const [key, value] of Object.entries(exports)) {
    if (!suffix.test(key) || !zod.isSchema(value)) continue
    const schema = zod.unwrap(value)
    const name = key.replace(suffix, '')
    if (!names.has(schema) || name.length < names.get(schema).length) names.set(schema, name)
  }
  return names
}

// Renames shapes of an older release to what the newer one calls them, which its aliases tell.
export function renamed(names, newerExports, newerNames, newerZod) {
  const current = (name) => {
    const schema = newerExports[`${name}Schema`]
    return schema ? newerNames.get(newerZod.unwrap(schema)) : name
  }
  return new Map([...names].map(([schema, name]) => [schema, current(name)]))
}

export function buildRevision(source, exports, names, zod) {
  const builder = new Builder(source, names, zod)
  const events = zod.read(zod.unwrap(exports.EventSchemas)).options.map((event) => builder.event(event))
  return { name: source.revision, source: source.package, events, objects: builder.sortedObjects() }
}

class Builder {
  constructor(source, names, zod) {
    Object.assign(this, { source, names, zod, objects: new Map() })
  }

  event(schema) {
    const members = discriminatorFirst(this.members(schema))
    const tag = members.find((member) => member.name === 'subagentRunId')
    return {
      type: members.find((member) => member.name === 'type').schema.enum[0],
      // A required tag is the identity of the subagent that the event is about.
      attributable: (tag && !tag.required) || undefined,
      ...this.openness(schema),
      members,
    }
  }

  members(schema) {
    return Object.entries(this.zod.read(schema).shape).map(([name, member]) => {
      // "required" and "not null" hide in closures, so the member is tried inside its object.
      const alone = schema.pick({ [name]: true })
      return {
        name,
        required: !alone.safeParse({}).success || undefined,
        nullable: alone.safeParse({ [name]: null }).success || undefined,
        schema: this.schema(member),
      }
    })
  }

  schema(wrapped) {
    const schema = this.zod.unwrap(wrapped)
    const node = this.zod.read(schema)
    switch (node.kind) {
      case 'ref':
        return { kind: 'ref', ref: this.object(schema) }
      case 'array':
        return { kind: 'array', minItems: node.minItems, items: this.schema(node.items) }
      case 'union':
        return this.union(schema, node)
      case 'oneOf':
        return this.oneOf(node)
      default:
        return node
    }
  }

  openness(schema) {
    return {
      open: this.source.openObjects || this.zod.isMarkedOpen(schema) || undefined,
      strict: this.zod.isStrict(schema) || undefined,
    }
  }

  union(schema, { discriminator, options }) {
    const variants = options.map((option) => {
      const ref = this.object(option)
      const tag = this.objects.get(ref).members.find((member) => member.name === discriminator)
      return { value: tag.schema.enum[0], ref }
    })
    return { kind: 'union', name: this.name(schema), discriminator, variants }
  }

  // A union of constants is an enum; any other is told apart by JSON type.
  oneOf({ options }) {
    const schemas = options.map((option) => this.schema(option))
    if (schemas.every((schema) => schema.enum)) return { kind: 'string', enum: schemas.flatMap((schema) => schema.enum) }
    return { kind: 'oneOf', oneOf: schemas }
  }

  object(schema) {
    const name = this.name(schema)
    if (!this.objects.has(name)) {
      this.objects.set(name, undefined) // holds the name while its members are read: shapes may be recursive
      this.objects.set(name, {
        name,
        ...this.openness(schema),
        members: this.members(schema),
      })
    }
    return name
  }

  name(schema) {
    const name = this.names.get(this.zod.unwrap(schema))
    if (!name) throw new Error('a shape that the package does not export, so it has no name')
    return name
  }

  sortedObjects() {
    return [...this.objects.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

// One 0.x event gets its type by extension and so lists it last.
function discriminatorFirst(members) {
  return members.toSorted((a, b) => (b.name === 'type') - (a.name === 'type'))
}
