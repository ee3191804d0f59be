import { inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'

// Drizzle's column builders for SQLite and Postgres under common names, so that a schema is declared once for both.

// Text columns of Postgres use the collation "C", which compares bytewise like SQLite. With any other collation,
// Postgres would sort differently and return other rows for a range of strings.
const bytewise = pg.customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' })

/** SQL condition: the column contains a text, case-sensitive. */
type Contains = (column: SQLWrapper, text: string) => SQL

/** SQL text: the column without all occurrences of some characters. */
type Without = (column: SQLWrapper, characters: readonly string[]) => SQL

/** SQL condition: the column has a character outside of ASCII. */
type HasNonAscii = (column: SQLWrapper) => SQL

/** SQL condition: the column equals one of the texts. */
type IsOneOf = (column: SQLWrapper, texts: string[]) => SQL

/**
 * The column builders for Postgres. Their TypeScript types also stand for the SQLite builders (`d1`), so that a schema
 * is typed once.
 */
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
  without: ((column, characters) => sql`translate(${column}, ${characters.join('')}, '')`) as Without,
  hasNonAscii: ((column) => sql`length(${column}) <> octet_length(${column})`) as HasNonAscii,
  isOneOf: inArray as IsOneOf,
}

export type Kit = typeof postgres

/**
 * The column builders for SQLite, cast to the types of those for Postgres. Drizzle's builders have the same shape in
 * both dialects, and the tests run every query on both databases.
 */
const d1 = {
  table: sqlite.sqliteTable,
  id: () => sqlite.integer().primaryKey({ autoIncrement: true }),
  // Only for tables whose newest row is never deleted: ids grow there even without AUTOINCREMENT, whose counter would cost one
  // more page write per insert.
  appendId: () => sqlite.integer().primaryKey(),
  text: () => sqlite.text(),
  integer: () => sqlite.integer(),
  real: () => sqlite.real(),
  boolean: () => sqlite.integer({ mode: 'boolean' }),
  time: () => sqlite.integer({ mode: 'timestamp_ms' }),
  index: sqlite.index,
  unique: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  // `instr` and not LIKE: D1 refuses LIKE patterns over 50 bytes, and LIKE takes `%` and `_` for wildcards.
  contains: ((column, text) => sql`instr(${column}, ${text}) > 0`) as Contains,
  without: ((column, characters) =>
    characters.reduce<SQL>((kept, one) => sql`replace(${kept}, ${one}, '')`, sql`${column}`)) as Without,
  hasNonAscii: ((column) => sql`length(${column}) <> length(CAST(${column} AS BLOB))`) as HasNonAscii,
  // The texts are one JSON parameter, since D1 binds at most 100 parameters per statement.
  isOneOf: ((column, texts) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(texts)}))`) as IsOneOf,
} as unknown as Kit

export type Dialect = 'd1' | 'postgres'

export const kits: Record<Dialect, Kit> = { d1, postgres }

/**
 * The tables of a component in both dialects. Columns for the caller's JSON have the type `text`: `jsonb` of Postgres
 * would reorder keys and refuse NUL.
 */
export type Schema<Tables> = Record<Dialect, Tables>

/** Declares the tables of a component once, and returns them for SQLite (D1) and for Postgres. */
export const defineSchema = <Tables>(tables: (kit: Kit) => Tables): Schema<Tables> => ({
  d1: tables(d1),
  postgres: tables(postgres),
})
