// One row per revision, oldest first: the folder with its own install (the two packages want different zod peers),
// the entry that exports the schemas, and whether an object without a mark takes unknown members.
export const sources = [
  { revision: '0.x', folder: 'v0', entry: 'index.mjs', zod: 3, openObjects: true },
  { revision: '1.0', folder: 'v1', entry: 'schemas.mjs', zod: 4, openObjects: false },
]

export const packageName = '@ag-ui/core'
