// Creates tables whose names are known only at run time, from their Drizzle schemas, for SQLite and Postgres.
// Migrations create all other tables.
import { type SQL, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import type { Dialect } from './kit.ts'

interface Column {
  name: string
  notNull: boolean
  primary: boolean
  autoIncrement?: boolean
  getSQLType(): string
}

interface Index {
  config: { name?: string; unique: boolean; columns: unknown[]; where?: SQL }
}

/**
 * The parts of Drizzle's table reflection that `createTable` reads. They have the same shape for SQLite and Postgres.
 */
type Config = { name: string; columns: Column[]; indexes: Index[] }

const reflect = {
  d1: (table: object) => sqlite.getTableConfig(table as sqlite.SQLiteTable) as unknown as Config,
  postgres: (table: object) => pg.getTableConfig(table as pg.PgTable) as unknown as Config,
}

/**
 * Returns the SQL statements that create a table and its indexes if they do not exist. Columns may be identity columns,
 * or plain columns with or without NOT NULL. Defaults are not supported.
 */
export function createTable(dialect: Dialect, table: object): SQL[] {
  const { name, columns, indexes } = reflect[dialect](table)
  const create = sql`CREATE TABLE IF NOT EXISTS ${sql.identifier(name)} (${sql.join(
    columns.map((column) => define(dialect, column)),
    sql`, `,
  )})`
  return [create, ...indexes.map(({ config }) => createIndex(name, config))]
}

const define = (dialect: Dialect, column: Column) =>
  sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())} ${constraint(dialect, column)}`

function constraint(dialect: Dialect, { primary, autoIncrement, notNull }: Column) {
  if (!primary) return notNull ? sql`NOT NULL` : sql``
  if (dialect === 'postgres') return sql`PRIMARY KEY GENERATED ALWAYS AS IDENTITY`
  return autoIncrement ? sql`PRIMARY KEY AUTOINCREMENT` : sql`PRIMARY KEY`
}

const createIndex = (table: string, { name, unique, columns, where }: Index['config']) =>
  sql`CREATE ${unique ? sql`UNIQUE ` : sql``}INDEX IF NOT EXISTS ${sql.identifier(name!)} ON ${sql.identifier(table)} (${sql.join(
    (columns as { name: string }[]).map((column) => sql.identifier(column.name)),
    sql`, `,
  )})${where ? sql` WHERE ${where}` : sql``}`
