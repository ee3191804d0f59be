// Benchmark of the badge component: its operations on a million badges.
import { post } from '../scripts/lib/post.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import { pathOf } from '../src/badge/path.ts'
import type { BenchOperation, BenchRequest } from './operation.ts'

const collection = 'bench'
const many = 1_000_000

const counters = (user: string): BenchRequest => ({
  method: 'GET',
  path: `/counters?${new URLSearchParams({ collection, user, names: '_all,a,a/b' })}`,
})

export const operations: BenchOperation[] = [
  {
    name: 'POST /badge',
    request: (n) => ({
      method: 'POST',
      path: '/badge',
      body: { collection, user: `user${n % 100}`, name: 'inbox/mail', payload: { n } },
    }),
    floor: 'write',
  },
  { name: 'GET /counters of 10', request: () => counters('few'), floor: 'read' },
  {
    name: 'GET /counters of 1 000 000',
    request: () => counters('many'),
    floor: 'read',
    goal: { within: 1.3, of: 'GET /counters of 10' },
  },
  {
    name: 'GET /badges, 100 of 1 000 000',
    request: () => ({ method: 'GET', path: `/badges?${new URLSearchParams({ collection, user: 'many' })}` }),
    floor: 'read',
  },
]

/**
 * Fills the database with a million badges by one statement, and their counters by another, because single calls would
 * take too long.
 */
export async function prepare(stack: Stack, origin: string) {
  for (let n = 0; n < 10; n++) await post(origin, '/badge', { collection, user: 'few', name: 'a/b' })
  const database = await stack.database('badge')
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`
  await database
    .prepare(
      `INSERT INTO badge_badges (collection, user, path, payload, created_at) ${numbers} SELECT ?, 'many', ?, '{}', ? FROM n`,
    )
    .bind(collection, pathOf('a/b'), Date.now())
    .run()
  const rows = ['', pathOf('a'), pathOf('a/b')].map((path) =>
    database
      .prepare(`INSERT INTO badge_counters (collection, user, path, count) VALUES (?, 'many', ?, ?)`)
      .bind(collection, path, many),
  )
  await database.batch(rows)
}
