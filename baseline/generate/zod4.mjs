// Reads one node of a zod 4 schema; see zod3.mjs for the contract.

const passThrough = {
  optional: (def) => def.innerType,
  nullable: (def) => def.innerType,
  default: (def) => def.innerType,
  pipe: (def) => def.in,
}

export function unwrap(schema) {
  const inner = passThrough[schema._zod.def.type]
  return inner ? unwrap(inner(schema._zod.def)) : schema
}

export function isSchema(value) {
  return Boolean(value?._zod?.def)
}

export function isStrict(schema) {
  return schema._zod.def.catchall?._zod.def.type === 'never'
}

// The specification's own mark on the few objects that it leaves open.
export function isMarkedOpen(schema) {
  return schema.meta()?.specOpen === true
}

const readers = {
  any: () => ({ kind: 'any' }),
  string: (schema) => ({ kind: 'string', pattern: pattern(schema) }),
  boolean: () => ({ kind: 'boolean' }),
  number: (schema) => ({
    kind: schema.isInt ? 'integer' : 'number',
    min: schema.minValue ?? undefined,
    max: schema.maxValue ?? undefined,
  }),
  literal: (schema) => ({ kind: 'string', enum: schema._zod.def.values }),
  enum: (schema) => ({ kind: 'string', enum: Object.values(schema._zod.def.entries) }),
  array: (schema) => ({ kind: 'array', minItems: schema._zod.bag.minimum, items: schema._zod.def.element }),
  custom: (schema) => ({ kind: customKind(schema) }),
  object: (schema) => ({ kind: 'ref', shape: schema.shape }),
  union: (schema) => {
    const { discriminator, options } = schema._zod.def
    return { kind: discriminator ? 'union' : 'oneOf', discriminator, options }
  },
}

// A RegExp prints its slashes escaped, which only a JavaScript literal needs.
function pattern(schema) {
  const patterns = [...(schema._zod.bag.patterns ?? [])]
  if (patterns.length > 1) throw new Error('a string with several patterns')
  return patterns[0]?.source.replaceAll('\\/', '/')
}

// A custom check is a closure, so it is asked: the only one in use is "an object, whatever its keys".
function customKind(schema) {
  const takes = (value) => schema.safeParse(value).success
  if (takes({ key: null }) && ![[], null, '', 0, true].some(takes)) return 'object'
  throw new Error('a custom check that is not "any object"')
}

export function read(schema) {
  const reader = readers[schema._zod.def.type]
  if (!reader) throw new Error(`zod 4 node ${schema._zod.def.type} is not known to the generator`)
  return reader(schema)
}
