import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle as drizzleD1 } from 'drizzle-orm/d1'
import { drizzle as drizzleNeon, type NeonHttpDatabase } from 'drizzle-orm/neon-http'
import { type Dialect, type Kit, kits, type Schema } from './kit.ts'
import { type Postgres, postgresOf } from './postgres.ts'
import type { SizedEnv } from './size.ts'
import './size.ts'
import { tcpClient } from './tcp.ts'

/** A Postgres where one is configured, else the D1 database bound as `DB`. */
export type DatabaseEnv = SizedEnv

/** What all drivers can do. There is no `transaction`, as none has one: a `batch` is atomic on all. */
export type Db = Pick<
  NeonHttpDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'with' | '$count' | 'batch' | 'execute'
>

interface Base {
  db: Db
  dialect: Dialect
  kit: Kit
  /** A statement that no builder makes, to be awaited or to be a part of a batch. */
  run(statement: SQL): ReturnType<Db['execute']>
}

export type Store<Tables> = Tables & Base

export type StoreOf<S> = S extends Schema<infer Tables> ? Store<Tables> : never

const opened = new WeakMap<DatabaseEnv, WeakMap<object, object>>()

/** The component's tables and the database that has them; the same store for the same environment. */
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
  if (!env.DB) throw new Error('Bind a D1 database as DB, or set DATABASE_URL')
  const d1 = env.DB
  const db = drizzleD1(d1)
  const run = (statement: SQL) => {
    const raw = db.run(statement)
    // Drizzle's batch binds parameters to `stmt`, which its raw queries lack.
    const prepared = Object.assign(raw, { stmt: d1.prepare((raw.getQuery() as { sql: string }).sql) })
    return prepared as unknown as ReturnType<Db['execute']>
  }
  return { ...schema.d1, db: db as unknown as Db, dialect: 'd1', kit: kits.d1, run }
}

/** As long as a query over TCP may take. */
const queryTimeoutMs = 30_000

/** Reads the whole reply in time. The timer is cleared, since one that runs on would keep a durable object in memory. */
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

/** The tables in a Postgres. */
export function connectPostgres<Tables>(postgres: Postgres, schema: Schema<Tables>): Store<Tables> {
  // The TCP client has the part of Neon's interface that Drizzle's driver calls.
  const client = postgres.isNeon
    ? neon(postgres.url)
    : (tcpClient(postgres) as unknown as NeonQueryFunction<false, false>)
  const db = drizzleNeon(client)
  return { ...schema.postgres, db, dialect: 'postgres', kit: kits.postgres, run: (statement) => db.execute(statement) }
}

/** Resolves when the database answers. */
export const ping = (env: DatabaseEnv) => open(env, nothing).run(sql`SELECT 1`)

const nothing: Schema<{}> = { d1: {}, postgres: {} }

/** The rows that a statement of `run` has returned, with the values as the driver gives them. */
export function rowsOf<Row>(result: unknown): Row[] {
  const { results, rows } = result as { results?: Row[]; rows?: Row[] }
  return results ?? rows ?? []
}

/** How many rows a write without `returning` has changed. */
export function affectedRows(result: unknown): number {
  const { meta, rowCount } = result as { meta?: { changes: number }; rowCount?: number | null }
  return meta?.changes ?? rowCount ?? 0
}
