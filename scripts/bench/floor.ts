import type { Operation } from './operation.ts'

const bare = (name: string): Operation => ({
  name,
  request: () => ({ method: name === 'read' || name === 'none' ? 'GET' : 'POST', path: `/${name}` }),
})

/** What the bare Worker in `floor/` does. */
export const operations = ['none', 'read', 'write', 'object'].map(bare)
