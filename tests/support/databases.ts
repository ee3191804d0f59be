// The databases on which the tests of a component run: D1 in `npm test`, also Postgres in `npm run test:full`.
import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { neonConfig } from '@neondatabase/serverless'
import { expect, inject } from 'vitest'
import type { DatabaseEnv } from '#core/db/open'
import { tcpClient } from '#core/db/tcp'
import { boundOn, type Class, type Component, startWith } from './requests.ts'
import { isFast, isFull } from './tier.ts'

interface Bound {
  DB?: D1Database
  /** The durable object with the tables of a component without D1. */
  DATABASE?: NonNullable<DatabaseEnv['DATABASE']>
  COMPONENT: string
  MIGRATIONS: D1Migration[]
  POSTGRES_MIGRATIONS: string[]
  /** Address of a real Postgres server. Empty if the run has none. */
  TEST_DATABASE_URL: string
}

const { DB, DATABASE, COMPONENT, MIGRATIONS, POSTGRES_MIGRATIONS, TEST_DATABASE_URL } = env as unknown as Bound

// Deletes all data first, since in `npm test` another file may have used this runtime before.
if (isFast) await reset()
if (DB) await applyD1Migrations(DB, MIGRATIONS)

neonConfig.fetchEndpoint = () => `http://127.0.0.1:${inject('neonPort')}/sql`

const run = crypto.randomUUID().slice(0, 8)

/** Creates a schema for this run on the real Postgres server, and applies the component's migrations. */
async function prepareServer(): Promise<{ dialect: string; DATABASE_URL: string; PG_SCHEMA: string }> {
  const PG_SCHEMA = `${COMPONENT}_${run}`
  await tcpClient({ url: TEST_DATABASE_URL }).query(`CREATE SCHEMA ${PG_SCHEMA}`)
  const client = tcpClient({ url: TEST_DATABASE_URL, searchPath: PG_SCHEMA })
  for (const migration of POSTGRES_MIGRATIONS) await client.query(migration)
  return { dialect: 'a Postgres server', DATABASE_URL: TEST_DATABASE_URL, PG_SCHEMA }
}

const allDatabases = [
  ...(DB ? [{ dialect: 'D1', DB }] : []),
  ...(DATABASE ? [{ dialect: 'D1', DATABASE }] : []),
  ...(isFull
    ? [{ dialect: 'Postgres', DATABASE_URL: `postgresql://user:secret@db.neon.tech/${COMPONENT}-${run}` }]
    : []),
  ...(TEST_DATABASE_URL && isFull ? [await prepareServer()] : []),
]

/** Whether only this run has the test file. Then the run covers D1 too, which `npm test` covers otherwise. */
const isFullOnly = expect.getState().testPath?.endsWith('.full.test.ts')

/**
 * The component's databases that this run covers, all empty, for `describe.each(databases)`. `npm test` covers D1 only.
 */
export const databases = allDatabases.filter(({ dialect }) => isFast || isFullOnly || dialect !== 'D1')

export type Database = (typeof databases)[number]

/** The component on each of its databases, for `describe.each(onDatabases(Feed))`. */
export const onDatabases = <Worker extends Component>(Worker: Class<Worker>) =>
  databases.map((database) => ({ dialect: database.dialect, fetch: startWith(Worker, boundOn(database)).fetch }))
