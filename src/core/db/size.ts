import { notConfigured } from '#core/failure'
import { measureWith, type Usage } from './capacity.ts'
import { type PostgresEnv, postgresOf } from './postgres.ts'

/** A D1 database with its limit. */
export interface SizedEnv extends PostgresEnv {
  DB?: D1Database
  /** Bytes that the D1 database may have: those of its plan. */
  DATABASE_LIMIT_BYTES?: string
}

/** What D1 gives a database on the paid plan. */
const paidPlanBytes = 10_000_000_000

measureWith(async (env: SizedEnv): Promise<Usage | undefined> => {
  if (!env.DB || postgresOf(env)) return undefined
  const limit = limitOf(env)
  // Each result of D1 has the size of its database.
  const { meta } = await env.DB.prepare('SELECT 1').run()
  return { bytes: meta.size_after, limit }
})

function limitOf({ DATABASE_LIMIT_BYTES }: SizedEnv): number {
  if (!DATABASE_LIMIT_BYTES) return paidPlanBytes
  if (/^[1-9]\d{0,14}$/.test(DATABASE_LIMIT_BYTES)) return Number(DATABASE_LIMIT_BYTES)
  throw notConfigured('DATABASE_LIMIT_BYTES must be a whole number of bytes above 0')
}
