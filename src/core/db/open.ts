// Opens a component's database with Drizzle: a configured Postgres over TCP or HTTP (Neon), else its D1 database
// or the durable object with its tables.
import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as drizzleD1 } from 'drizzle-orm/d1'
import { drizzle as drizzleNeon, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { d1Of } from '#core/objects/sql-database'
import { type Dialect, type Kit, kits, type Schema } from './kit.ts'
import { type Postgres, postgresOf } from './postgres.ts'
import type { SizedEnv } from './size.ts'
import './size.ts'
import { tcpClient } from './tcp.ts'

/** The variables and bindings of a component's database: a configured Postgres, else the D1 database bound as `DB`. */
export type DatabaseEnv = SizedEnv

/**
 * Drizzle's methods that all drivers support. D1 has no `transaction`: use `batch`, which is atomic on all databases.
 */
export type Db = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$count' | 'batch' | 'execute'
>

interface Base {
  db: Db
  dialect: Dialect
  kit: Kit
  /** Runs raw SQL when it is awaited, or as a part of a batch. */
  run(statement: SQL): ReturnType<Db['execute']>
}

export type Store<Tables> = Tables & Base

export type StoreOf<S> = S extends Schema<infer Tables> ? Store<Tables> : never

const opened = new WeakMap<DatabaseEnv, WeakMap<object, object>>()

/** Opens the component's database. Cached: the same environment and schema return the same store. */
export function open<Tables>(env: DatabaseEnv, schema: Schema<Tables>): Store<Tables> {
  const stores = opened.get(env) ?? new WeakMap<object, object>()
  opened.set(env, stores)
  const store = (stores.get(schema) as Store<Tables> | undefined) ?? connect(env, schema)
  stores.set(schema, store)
  return store
}

function connect<Tables>(env: DatabaseEnv, schema: Schema<Tables>): Store<Tables> {
  const postgres = postgresOf(env)
  if (postgres) return connectPostgres(postgres, schema)
  const d1 = env.DB ?? (env.DATABASE && d1Of(env.DATABASE))
  if (!d1) throw new Error('Bind a D1 database as DB or a durable object as DATABASE, or set DATABASE_URL')
  const db = drizzleD1(d1)
  const run = (statement: SQL) => {
    const raw = db.run(statement)
    // `stmt` is added because Drizzle's `batch` reads it, and Drizzle's raw queries lack it.
    const prepared = Object.assign(raw, { stmt: d1.prepare((raw.getQuery() as { sql: string }).sql) })
    return prepared as unknown as ReturnType<Db['execute']>
  }
  return { ...schema.d1, db: db as unknown as Db, dialect: 'd1', kit: kits.d1, run }
}

/** Timeout of a query to Neon over HTTP. Queries over TCP have the same timeout. */
const queryTimeoutMs = 30_000

/**
 * Calls Neon over HTTP with a timeout that covers the whole reply. The timer is cleared at the end, since a pending
 * timer keeps a durable object in memory.
 */
neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), queryTimeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return new Response(await response.arrayBuffer(), response)
  } finally {
    clearTimeout(timer)
  }
}

/** Opens a Postgres: a Neon server over HTTP, any other over TCP. */
export function connectPostgres<Tables>(postgres: Postgres, schema: Schema<Tables>): Store<Tables> {
  // Drizzle's Neon driver serves both clients: `tcpClient` has the methods of Neon's client that the driver calls.
  const client = postgres.isNeon
    ? neon(postgres.url)
    : (tcpClient(postgres) as unknown as NeonQueryFunction<false, false>)
  const db = drizzleNeon(client)
  return { ...schema.postgres, db, dialect: 'postgres', kit: kits.postgres, run: (statement) => db.execute(statement) }
}

/** Health check: resolves when the database answers. */
export const ping = (env: DatabaseEnv) => open(env, emptySchema).run(sql`SELECT 1`)

const emptySchema: Schema<{}> = { d1: {}, postgres: {} }

/**
 * The rows that a statement of `run` returned, with the values as the database driver returns them: times and booleans
 * are not converted.
 */
export function rowsOf<Row>(result: unknown): Row[] {
  const { results, rows } = result as { results?: Row[]; rows?: Row[] }
  return results ?? rows ?? []
}

/** The number of rows that a write without `returning` changed. */
export function affectedRows(result: unknown): number {
  const { meta, rowCount } = result as { meta?: { changes: number }; rowCount?: number | null }
  return meta?.changes ?? rowCount ?? 0
}
