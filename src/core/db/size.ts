import { notConfigured } from '#core/failure'
import { d1Of, type SqlDatabase } from '#core/objects/sql-database'
import { measureWith, type Usage } from './capacity.ts'
import { type PostgresEnv, postgresOf } from './postgres.ts'

// Measures the size of a D1 database, so that `capacity.ts` can refuse new rows when it is nearly full.

/** The bindings and variables of a D1 database. */
export interface SizedEnv extends PostgresEnv {
  DB?: D1Database
  /** Durable object with the tables, for a component without a D1 database. */
  DATABASE?: DurableObjectNamespace<SqlDatabase>
  /** Maximum size of the D1 database in bytes, by the Cloudflare plan. Default: 10 GB. */
  DATABASE_LIMIT_BYTES?: string
}

/** Maximum size of a D1 database on Cloudflare's paid plan. Used if `DATABASE_LIMIT_BYTES` is not set. */
const paidPlanBytes = 10_000_000_000

measureWith(async (env: SizedEnv): Promise<Usage | undefined> => {
  const d1 = env.DB ?? (env.DATABASE && d1Of(env.DATABASE))
  if (!d1 || postgresOf(env)) return undefined
  const limit = limitOf(env)
  // D1 has no query for its size, but returns the size in the metadata of each result.
  const { meta } = await d1.prepare('SELECT 1').run()
  return { bytes: meta.size_after, limit }
})

function limitOf({ DATABASE_LIMIT_BYTES }: SizedEnv): number {
  if (!DATABASE_LIMIT_BYTES) return paidPlanBytes
  if (/^[1-9]\d{0,14}$/.test(DATABASE_LIMIT_BYTES)) return Number(DATABASE_LIMIT_BYTES)
  throw notConfigured('DATABASE_LIMIT_BYTES must be a whole number above 0.')
}
