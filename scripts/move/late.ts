// Tables that no migration makes: a component makes them while it runs, one for each collection.
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Client } from 'pg'
import { createTable } from '#core/db/create'
import { kits } from '#core/db/kit'
import type { SourceDatabase } from './source.ts'

const on = { dialect: 'postgres', kit: kits.postgres } as const

/** The table of a collection by its id, of each component that has such. */
const made: Record<string, { name: RegExp; table: (id: number) => Promise<object> }> = {
  feed: {
    name: /^feed_records_(\d+)$/,
    table: async (id) => (await import('#feed/schema')).recordsOf(on, id),
  },
  bus: {
    name: /^bus_documents_(\d+)$/,
    table: async (id) => (await import('#bus/schema')).documentsOf(on, id),
  },
}

/** Makes those that the source has. */
export async function createLateTables(component: string, { tables }: SourceDatabase, client: Client): Promise<void> {
  const late = made[component]
  if (!late) return
  for (const name of tables) {
    const id = late.name.exec(name)?.[1]
    if (id === undefined) continue
    for (const statement of createTable('postgres', await late.table(Number(id))))
      await client.query(new PgDialect().sqlToQuery(statement).sql)
  }
}
