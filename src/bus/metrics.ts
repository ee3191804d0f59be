// Prometheus gauge of the documents that wait for their delivery.
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { open, rowsOf } from '#core/db/open'
import type { Gauge } from '#core/metrics/families'
import type { Env } from './bindings.ts'
import { documentsOf, schema } from './schema.ts'

/** Maximum number of collections with a sample, and of documents that are counted in each, so that the query stays cheap. */
const maxCollections = 100
const maxCounted = 10_000

/** Gauge of the waiting documents of each async collection. */
export async function gauges(env: Env): Promise<Gauge[]> {
  const bus = open(env, schema)
  const { id, name, type, is_ready } = bus.collections
  const collections = await bus.db
    .select({ id, name })
    .from(bus.collections)
    .where(and(eq(type, 'async'), eq(is_ready, true)))
    .orderBy(asc(id))
    .limit(maxCollections)
  if (collections.length === 0) return []
  const counts = collections.map((collection) => {
    const documents = documentsOf(bus, collection.id)
    const waiting = sql`SELECT 1 FROM ${documents} WHERE ${isNotNull(documents.next_at)} LIMIT ${sql.raw(`${maxCounted}`)}`
    return sql`(${sql.raw(`${collection.id}`)}, (SELECT count(*) FROM (${waiting}) w))`
  })
  // Rows of `VALUES`, since D1 allows only a few terms in a `UNION`.
  const all = sql`SELECT column1 AS id, column2 AS n FROM (VALUES ${sql.join(counts, sql`, `)}) v`
  const rows = rowsOf<{ id: number | string; n: number | string }>(await bus.run(all))
  const waiting = new Map(rows.map((row) => [Number(row.id), Number(row.n)]))
  return [
    {
      name: 'quartermaster_bus_waiting_documents',
      help: `Documents that wait for their delivery, in each of the first ${maxCollections} async collections; at most ${maxCounted} are counted.`,
      samples: collections.map((collection) => ({
        labels: { collection: collection.name },
        value: waiting.get(collection.id) ?? 0,
      })),
    },
  ]
}
