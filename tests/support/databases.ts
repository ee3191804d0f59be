import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { neonConfig } from '@neondatabase/serverless'
import { inject } from 'vitest'

const { DB, MIGRATIONS, COMPONENT } = env as unknown as {
  DB?: D1Database
  MIGRATIONS: D1Migration[]
  COMPONENT: string
}

if (DB) await applyD1Migrations(DB, MIGRATIONS)

neonConfig.fetchEndpoint = () => `http://127.0.0.1:${inject('neonPort')}/sql`

const run = crypto.randomUUID().slice(0, 8)

/** The component's databases, both empty: `describe.each(databases)`. */
export const databases = [
  { dialect: 'd1', DB: DB! },
  { dialect: 'postgres', DATABASE_URL: `postgresql://user:secret@db.neon.tech/${COMPONENT}-${run}` },
] as const
