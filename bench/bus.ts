// Benchmark of the bus: its operations on a million documents, and the time that it adds to a call.
import { performance } from 'node:perf_hooks'
import { post } from '../scripts/lib/post.ts'
import { verdict } from '../scripts/lib/verdict.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import { line } from './figures.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'

const secret = 'the secret of the administrator'
const headers = { 'api-secret': secret }
const sizes = { few: 1_000, many: 1_000_000 }

export const variables = { BOX_ADMIN_USER: 'bench', BOX_ADMIN_SECRET: secret }

const document = (collection: string, n: number) => ({
  collection,
  event: 'created',
  uuid: crypto.randomUUID(),
  data: { n, text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.' },
})

const page = (collection: keyof typeof sizes, n: number): BenchRequest => {
  const id = (n * 7_919) % (sizes[collection] - 100)
  return { method: 'GET', path: `/documents?${new URLSearchParams({ collection, id: String(id) })}`, headers }
}

export const operations: BenchOperation[] = [
  {
    name: 'POST /document, storage',
    request: (n) => ({ method: 'POST', path: '/document', headers, body: document('storage', n) }),
    floor: 'write',
    goal: { rate: 1_000 },
  },
  {
    name: 'POST /document, sync',
    request: (n) => ({ method: 'POST', path: '/document', headers, body: document('sync', n) }),
  },
  { name: 'GET /documents, 100 of 1 000', request: (n) => page('few', n), floor: 'read' },
  {
    name: 'GET /documents, 100 of 1 000 000',
    request: (n) => page('many', n),
    floor: 'read',
    goal: { within: 1.3, of: 'GET /documents, 100 of 1 000' },
  },
]

let handler: string

/** Fills the database with a million documents by one statement, because single calls would take too long. */
export async function prepare(stack: Stack, origin: string) {
  handler = `${stack.origins.floor}/none`
  await post(origin, '/collection', { name: 'storage', type: 'storage' }, headers)
  await post(origin, '/collection', { name: 'sync', type: 'sync', handler }, headers)
  const database = await stack.database('bus')
  for (const [name, size] of Object.entries(sizes)) {
    await post(origin, '/collection', { name, type: 'storage' }, headers)
    const id = await database.prepare('SELECT id FROM bus_collections WHERE name = ?').bind(name).first<number>('id')
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})`
    await database
      .prepare(
        `INSERT INTO bus_documents_${id} (event, uuid, data, created_at, attempts, webhook_attempts) ${numbers}
        SELECT 'created', printf('00000000-0000-4000-8000-%012d', i), json_object('n', i, 'text', ?), ?, 0, 0 FROM n`,
      )
      .bind('Lorem ipsum dolor sit amet, consectetur adipiscing elit.', Date.now())
      .run()
  }
}

/**
 * Compares a sync document with a direct call of its handler. Both run in turn, one at a time, so that neither waits
 * for the other.
 */
export async function* compare(origin: string, seconds: number) {
  const [direct, through]: [number[], number[]] = [[], []]
  const ended = performance.now() + seconds * 2_000
  for (let n = 0; performance.now() < ended; n++) {
    const body = document('sync', n)
    direct.push(await timeOf(() => post(handler, '', body)))
    through.push(await timeOf(() => post(origin, '/document', body, headers)))
  }
  const over = (share: number) => at(through, share) - at(direct, share)
  yield line('a handler, called directly', { p50: at(direct, 0.5), p99: at(direct, 0.99) })
  yield line('the same through the bus', { p50: at(through, 0.5), p99: at(through, 0.99) })
  const met = verdict(over(0.5) <= 5, 'p50 of 5 ms')
  yield line('what the bus adds', { p50: over(0.5), p99: over(0.99) }, met)
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

const at = (times: number[], share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!
