// Benchmark of the bare Worker in `floor/`, the baseline of all components.
import type { BenchOperation } from './operation.ts'

const bare = (name: string): BenchOperation => ({
  name,
  request: () => ({ method: ['read', 'file', 'none'].includes(name) ? 'GET' : 'POST', path: `/${name}` }),
})

/** The operations of the bare Worker, one for each kind of storage. */
export const operations = ['none', 'read', 'write', 'object', 'file'].map(bare)
