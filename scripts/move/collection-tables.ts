// Creates in Postgres the tables that no migration creates: a component creates one table per collection at run time.
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Client } from 'pg'
import { createTable } from '#core/db/create'
import { kits } from '#core/db/kit'
import type { SourceDatabase } from './source.ts'

const on = { dialect: 'postgres', kit: kits.postgres } as const

/**
 * The components with such tables: the pattern of the tables' names, and a table's definition by the collection's id.
 */
const collectionTables: Record<string, { name: RegExp; table: (id: number) => Promise<object> }> = {
  feed: {
    name: /^feed_records_(\d+)$/,
    table: async (id) => (await import('#feed/schema')).recordsOf(on, id),
  },
  bus: {
    name: /^bus_documents_(\d+)$/,
    table: async (id) => (await import('#bus/schema')).documentsOf(on, id),
  },
}

/** Creates the tables that the source has. */
export async function createCollectionTables(
  component: string,
  { tables }: SourceDatabase,
  client: Client,
): Promise<void> {
  const collections = collectionTables[component]
  if (!collections) return
  for (const name of tables) {
    const id = collections.name.exec(name)?.[1]
    if (id === undefined) continue
    for (const statement of createTable('postgres', await collections.table(Number(id))))
      await client.query(new PgDialect().sqlToQuery(statement).sql)
  }
}
