import type { BenchOperation } from './operation.ts'

const bare = (name: string): BenchOperation => ({
  name,
  request: () => ({ method: ['read', 'file', 'none'].includes(name) ? 'GET' : 'POST', path: `/${name}` }),
})

/** What the bare Worker in `floor/` does. */
export const operations = ['none', 'read', 'write', 'object', 'file'].map(bare)
