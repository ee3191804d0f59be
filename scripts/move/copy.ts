// Copies the rows of all tables from a D1 database to Postgres.
import type { Client } from 'pg'
import type { SourceDatabase, SqlRow } from './source.ts'

interface Column {
  name: string
  /** The name of the type in Postgres. */
  type: string
  isIdentity: boolean
}

/** Maximum number of parameters per INSERT statement; Postgres allows 65,535. */
const maxParameters = 30_000
const maxRows = 500

/** Copies every table, and yields the number of rows of each. Throws if a table has rows already. */
export async function copyTables(source: SourceDatabase, client: Client): Promise<Map<string, number>> {
  const copied = new Map<string, number>()
  for (const table of source.tables) copied.set(table, await copyTable(source, client, table))
  return copied
}

async function copyTable(source: SourceDatabase, client: Client, table: string): Promise<number> {
  const columns = await columnsOf(client, table)
  if (columns.length === 0) throw new Error(`The Postgres has no table ${table}: the file may be of another version`)
  const { rowCount } = await client.query(`SELECT 1 FROM "${table}" LIMIT 1`)
  if (rowCount) throw new Error(`The table ${table} has rows already. Move into empty tables`)
  let count = 0
  for (const rows of inBatches(source.rows(table), Math.min(maxRows, Math.floor(maxParameters / columns.length)))) {
    await insert(client, table, columns, rows)
    count += rows.length
  }
  await continueIds(source, client, table, columns)
  return count
}

async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<{ column_name: string; data_type: string; is_identity: string }>(
    `SELECT column_name, data_type, is_identity FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ column_name, data_type, is_identity }) => ({
    name: column_name,
    type: data_type,
    isIdentity: is_identity === 'YES',
  }))
}

/** Inserts rows with their original ids. */
async function insert(client: Client, table: string, columns: Column[], rows: SqlRow[]): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const places = rows.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`)
  const values = rows.flatMap((row) => columns.map((column) => valueFor(column, row[column.name])))
  await client.query(`INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE VALUES ${places.join(', ')}`, values)
}

/** Converts a value of SQLite to Postgres: SQLite stores booleans as 0 and 1, and times as milliseconds. */
function valueFor({ type }: Column, value: SqlRow[string] | undefined) {
  if (value === null || value === undefined) return null
  if (type === 'boolean') return Number(value) !== 0
  if (type.startsWith('timestamp')) return new Date(Number(value)).toISOString()
  return value
}

/**
 * Sets the next id of a table above all ids that it ever used, including those of deleted rows, so that no id is used
 * twice.
 */
async function continueIds(source: SourceDatabase, client: Client, table: string, columns: Column[]): Promise<void> {
  const identity = columns.find(({ isIdentity }) => isIdentity)
  if (!identity) return
  const sequence = `pg_get_serial_sequence('"${table}"', '${identity.name}')`
  const highest = `(SELECT max("${identity.name}") FROM "${table}")`
  // With `false`, the next id is exactly this value, not the one after it.
  await client.query(`SELECT setval(${sequence}, greatest(${highest}, $1::bigint, 0) + 1, false)`, [
    source.lastId(table) ?? 0,
  ])
}

function* inBatches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
