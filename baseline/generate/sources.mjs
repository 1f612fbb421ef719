// One row per revision, oldest first: the folder with its own install (the two packages want different zod peers), the name that
// the package has there, the entry that exports the schemas, and whether an object without a mark takes unknown members.
const v0 = { folder: 'v0', installed: '@ag-ui/core', entry: 'index.mjs', zod: 3, openObjects: true }
const v1 = { folder: 'v1', installed: '@ag-ui/core', entry: 'schemas.mjs', zod: 4, openObjects: false }

export const packageName = '@ag-ui/core'

// What the verifier knows.
export const revisions = [
  { revision: '0.x', ...v0 },
  { revision: '1.0', ...v1 },
]

// Single releases, for who compares or migrates. Each is a revision that is named by its version.
export const releases = [
  { ...v0, folder: 'history', installed: 'core-0.0.36' },
  { ...v0, folder: 'history', installed: 'core-0.0.57' },
  { ...v0, folder: 'history', installed: 'core-0.0.58' },
  { ...v0, folder: 'history', installed: 'core-0.0.59' },
  { ...v1, folder: 'history', installed: 'core-1.0.0' },
]
