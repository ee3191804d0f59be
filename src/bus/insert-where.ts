// Builds SQL that checks a condition and inserts a row in one statement.
import { getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/** Columns of a table, each a value or SQL. */
type Row<T extends PgTable> = { [Column in keyof T['$inferInsert']]?: T['$inferInsert'][Column] | SQL }

/** SQL: `INSERT … SELECT <values>` followed by `from`, such as a `WHERE`. */
export function insertWhere<T extends PgTable>(table: T, row: Row<T>, from: SQL): SQL {
  const columns = getTableColumns(table)
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  const names = entries.map(([name]) => sql.identifier(columns[name]!.name))
  const values = entries.map(([name, value]) => (is(value, SQL) ? value : sql.param(value, columns[name]!)))
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(values, sql`, `)} ${from}`
}
