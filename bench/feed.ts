// Benchmark of the feed component.
import { post } from '../scripts/lib/post.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'

const collection = 'bench'
const stored = 100_000
const recipients = 100

const get = (path: string, params: Record<string, string | number>): BenchRequest => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams({ collection, ...params } as Record<string, string>)}`,
})

const record = (n: number) => ({
  recipient: `user${n % recipients}`,
  sender: `user${(n * 7) % recipients}`,
  thread: `thread${n % 10}`,
  title: `Title ${n}`,
  text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.',
  payload: { n },
})

export const operations: BenchOperation[] = [
  {
    name: 'POST /record',
    request: (n) => ({ method: 'POST', path: '/record', body: { collection, ...record(n) } }),
    floor: 'write',
    goal: { ratio: 0.6 },
  },
  {
    name: 'GET /record',
    request: (n) => get('/record', { id: 1 + (n % stored) }),
    floor: 'read',
    goal: { ratio: 0.6 },
  },
  {
    name: 'GET /records, 25 of 100 000',
    request: (n) => get('/records', { recipient: `user${n % recipients}` }),
    floor: 'read',
    goal: { ratio: 0.5 },
  },
  {
    name: 'GET /records, unread',
    request: (n) => get('/records', { recipient: `user${n % recipients}`, is_read: 'false' }),
    floor: 'read',
  },
  {
    name: 'GET /records, either user',
    request: (n) => get('/records', { user: `user${n % recipients}` }),
    floor: 'read',
  },
  { name: 'GET /records/count', request: () => get('/records/count', { recipient: 'user1' }), floor: 'read' },
  {
    name: 'POST /records/read, 50 000',
    request: () => ({ method: 'POST', path: '/records/read', body: { collection, recipient: 'busy' } }),
    floor: 'write',
    connections: 1,
    goal: { p50: 20 },
  },
]

export async function prepare(_: Stack, origin: string) {
  await post(origin, '/collection', { name: collection })
  for (let n = 0; n < stored; n += 1_000) {
    await post(origin, '/records', { collection, records: Array.from({ length: 1_000 }, (_, i) => record(n + i)) })
  }
  for (let n = 0; n < 50; n++) {
    await post(origin, '/records', {
      collection,
      records: Array.from({ length: 1_000 }, () => ({ recipient: 'busy' })),
    })
  }
}
