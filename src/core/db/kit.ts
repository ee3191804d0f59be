import { inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'

// Ranges of strings mean bytes in SQLite; under another collation they would mean something else in Postgres.
const bytewise = pg.customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

/** Whether a column's text has another text in it, to the letter. */
type Contains = (column: SQLWrapper, text: string) => SQL

/** Whether a column's text is one of a list. */
type IsOneOf = (column: SQLWrapper, texts: string[]) => SQL

/** The words a schema is written in. Their types are those of Postgres; see `d1`. */
const postgres = {
  table: pg.pgTable,
  id: () => pg.bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  appendId: () => pg.bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  text: () => bytewise(),
  integer: () => pg.bigint({ mode: 'number' }),
  real: () => pg.doublePrecision(),
  boolean: () => pg.boolean(),
  time: () => pg.timestamp({ withTimezone: true, precision: 3 }),
  index: pg.index,
  unique: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
  contains: ((column, text) => sql`strpos(${column}, ${text}) > 0`) as Contains,
  isOneOf: inArray as IsOneOf,
}

export type Kit = typeof postgres

/**
 * The same words in SQLite. Drizzle's builders have one shape in both dialects, so the types of one serve both; this
 * cast and the one in `open` are the only places that rely on it, and tests run every query on both.
 */
const d1 = {
  table: sqlite.sqliteTable,
  id: () => sqlite.integer().primaryKey({ autoIncrement: true }),
  // For rows that are only ever added: without deletions ids grow anyway, and an insert writes a page less.
  appendId: () => sqlite.integer().primaryKey(),
  text: () => sqlite.text(),
  integer: () => sqlite.integer(),
  real: () => sqlite.real(),
  boolean: () => sqlite.integer({ mode: 'boolean' }),
  time: () => sqlite.integer({ mode: 'timestamp_ms' }),
  index: sqlite.index,
  unique: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  // Not LIKE: D1 refuses patterns over 50 bytes, and `%` and `_` would mean something.
  contains: ((column, text) => sql`instr(${column}, ${text}) > 0`) as Contains,
  // As one parameter: D1 binds no more than 100 to a statement.
  isOneOf: ((column, texts) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`) as IsOneOf,
} as unknown as Kit

export type Dialect = 'd1' | 'postgres'

export const kits: Record<Dialect, Kit> = { d1, postgres }

/** A schema in both dialects. User-given JSON is `text`: a `jsonb` would reorder its keys and refuse NUL. */
export type Schema<Tables> = Record<Dialect, Tables>

export const defineSchema = <Tables>(tables: (kit: Kit) => Tables): Schema<Tables> => ({
  d1: tables(d1),
  postgres: tables(postgres),
})
