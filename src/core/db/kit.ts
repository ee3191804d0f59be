import { inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'

// Drizzle's column builders for SQLite and Postgres under common names, so that a schema is declared once for both.

// SQLite compares strings bytewise. Another collation in Postgres would return other rows for ranges of strings.
const bytewise = pg.customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

/** SQL condition: the column contains a text, case-sensitive. */
type Contains = (column: SQLWrapper, text: string) => SQL

/** SQL condition: the column equals one of the texts. */
type IsOneOf = (column: SQLWrapper, texts: string[]) => SQL

/** The builders for Postgres, whose types serve both databases; see `d1`. */
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
 * The builders for SQLite. Drizzle's builders have the same shape in both dialects, so that this cast is safe. Only this cast
 * and the one in `open` rely on it, and tests run every query on both databases.
 */
const d1 = {
  table: sqlite.sqliteTable,
  id: () => sqlite.integer().primaryKey({ autoIncrement: true }),
  // For tables without deletions: ids grow even without AUTOINCREMENT, and an insert writes one page less.
  appendId: () => sqlite.integer().primaryKey(),
  text: () => sqlite.text(),
  integer: () => sqlite.integer(),
  real: () => sqlite.real(),
  boolean: () => sqlite.integer({ mode: 'boolean' }),
  time: () => sqlite.integer({ mode: 'timestamp_ms' }),
  index: sqlite.index,
  unique: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  // Not LIKE: D1 refuses patterns over 50 bytes, and `%` and `_` are wildcards.
  contains: ((column, text) => sql`instr(${column}, ${text}) > 0`) as Contains,
  // As one JSON parameter: D1 binds at most 100 parameters per statement.
  isOneOf: ((column, texts) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`) as IsOneOf,
} as unknown as Kit

export type Dialect = 'd1' | 'postgres'

export const kits: Record<Dialect, Kit> = { d1, postgres }

/** A schema in both dialects. JSON from callers is `text`: `jsonb` would reorder its keys and refuse NUL. */
export type Schema<Tables> = Record<Dialect, Tables>

/** Declares the tables of a component once for both databases. */
export const defineSchema = <Tables>(tables: (kit: Kit) => Tables): Schema<Tables> => ({
  d1: tables(d1),
  postgres: tables(postgres),
})
