// Makes a place with data of persons from a table of the schema: erases and reads the rows that match, in bounded steps.
import { and, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Schema } from '#core/db/kit'
import { affectedRows, type DatabaseEnv, open, type Store } from '#core/db/open'
import type { Person, PersonalPlace } from './places.ts'

/** Rows that one step erases. */
const rowsPerStep = 500

/** Rows of a page of an export. */
const rowsPerPage = 100

interface PersonalTable<Env, Tables> {
  /** The table's key in the schema. */
  table: keyof Tables & string
  /** The columns by which a person is found. */
  columns: readonly string[]
  /** The columns of the primary key, or of another unique key. */
  key: readonly string[]
  /** Condition for the rows of a person; undefined if the person has no identifier that the table has. */
  matches(store: Store<Tables>, person: Person): SQL | undefined
  /** The exported columns. Hashes and secrets are left out. */
  exported?: readonly string[]
  /** Whether the rows may be erased. Default: yes. */
  mayErase?(env: Env): boolean
}

/** A place that is one table of a component's schema. */
export function personalTable<Env extends DatabaseEnv, Tables>(
  schema: Schema<Tables>,
  { table: name, columns, key, matches, exported = [], mayErase = () => true }: PersonalTable<Env, Tables>,
): PersonalPlace<Env> {
  const tableOf = (store: Store<Tables>) => store[name] as PgTable
  const tableName = getTableName(schema.d1[name] as PgTable)
  return {
    name,
    columns: { [tableName]: columns },

    async erase(env, person) {
      const store = open(env, schema)
      const condition = matches(store, person)
      if (!condition || !mayErase(env)) return { erased: 0 }
      const table = tableOf(store)
      const keys = tuple(table, key)
      const chosen = sql`SELECT ${sql.join(columnsOf(table, key), sql`, `)} FROM ${table} WHERE ${condition} LIMIT ${sql.raw(String(rowsPerStep))}`
      const erased = affectedRows(await store.db.delete(table).where(sql`${keys} IN (${chosen})`))
      return { erased, next: erased === rowsPerStep ? '' : undefined }
    },

    async read(env, person, cursor) {
      const store = open(env, schema)
      const condition = matches(store, person)
      if (!condition || exported.length === 0) return { rows: [] }
      const table = tableOf(store)
      const all = getTableColumns(table)
      const names = [...new Set([...key, ...exported])]
      const after =
        cursor === undefined ? undefined : sql`${tuple(table, key)} > ${list(JSON.parse(cursor) as unknown[])}`
      const page = await store.db
        .select(Object.fromEntries(names.map((column) => [column, all[column]!])))
        .from(table)
        .where(and(condition, after))
        .orderBy(...columnsOf(table, key))
        .limit(rowsPerPage)
      const last = page.length === rowsPerPage ? page.at(-1) : undefined
      const rows = page.map((row) => Object.fromEntries(exported.map((column) => [column, row[column]])))
      return { rows, next: last && JSON.stringify(key.map((column) => last[column])) }
    },
  }
}

const columnsOf = (table: PgTable, names: readonly string[]) => names.map((name) => getTableColumns(table)[name]!)

/** A row value of columns. */
const tuple = (table: PgTable, names: readonly string[]): SQL => sql`(${sql.join(columnsOf(table, names), sql`, `)})`

/** A row value of parameters. */
const list = (values: unknown[]): SQL =>
  sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`

/** Condition: a column equals one of the values; undefined without values. */
export const isAnyOf = (column: Parameters<typeof inArray>[0], values: (string | undefined)[]): SQL | undefined => {
  const known = [...new Set(values.filter((value) => value !== undefined))]
  return known.length > 0 ? inArray(column, known) : undefined
}
