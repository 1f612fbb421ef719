// Reads one node of a zod 3 schema.
//
// A node is { kind, ... } with child schemas still in zod; wrappers that say nothing about the wire are passed through.

const passThrough = {
  ZodOptional: (def) => def.innerType,
  ZodNullable: (def) => def.innerType,
  ZodDefault: (def) => def.innerType,
  ZodEffects: (def) => def.schema,
}

export function unwrap(schema) {
  const inner = passThrough[schema._def.typeName]
  return inner ? unwrap(inner(schema._def)) : schema
}

export function isSchema(value) {
  return Boolean(value?._def?.typeName)
}

// What the package itself does with an unknown member: "strip", "strict" or "passthrough".
export function isStrict(schema) {
  return schema._def.unknownKeys === 'strict'
}

export function isMarkedOpen() {
  return false
}

const readers = {
  ZodAny: () => ({ kind: 'any' }),
  ZodUnknown: () => ({ kind: 'any' }),
  ZodString: (schema) => ({ kind: 'string', ...stringChecks(schema) }),
  ZodBoolean: () => ({ kind: 'boolean' }),
  ZodNumber: (schema) => ({
    kind: schema.isInt ? 'integer' : 'number',
    min: schema.minValue ?? undefined,
    max: schema.maxValue ?? undefined,
  }),
  ZodLiteral: (schema) => ({ kind: 'string', enum: [schema._def.value] }),
  ZodEnum: (schema) => ({ kind: 'string', enum: schema._def.values }),
  ZodArray: (schema) => ({ kind: 'array', minItems: schema._def.minLength?.value, items: schema._def.type }),
  ZodRecord: () => ({ kind: 'object' }),
  ZodObject: (schema) => ({ kind: 'ref', shape: schema.shape }),
  ZodUnion: (schema) => ({ kind: 'oneOf', options: schema._def.options }),
  ZodDiscriminatedUnion: (schema) => ({
    kind: 'union',
    discriminator: schema._def.discriminator,
    options: schema._def.options,
  }),
}

function stringChecks(schema) {
  if (schema._def.checks.length > 0) throw new Error('string checks are not read for zod 3')
  return {}
}

export function read(schema) {
  const reader = readers[schema._def.typeName]
  if (!reader) throw new Error(`zod 3 node ${schema._def.typeName} is not known to the generator`)
  return reader(schema)
}
