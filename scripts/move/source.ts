// Opens the D1 database from which `npm run move` copies: an export, a SQLite file or a local state folder.
import { closeSync, globSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { statementsIn } from './statements.ts'

export type SqlRow = Record<string, SQLOutputValue>

/** A D1 database to read. */
export interface SourceDatabase {
  /** The tables of the component, without the internal ones of the runtime and of wrangler. */
  tables: string[]
  rows(table: string): Iterable<SqlRow>
  /** The highest id that a table ever used; undefined if the table has no sequence. */
  lastId(table: string): number | undefined
  close(): void
}

const internal = /^(sqlite_|_cf_|d1_migrations$)/

/**
 * Opens an export of `wrangler d1 export`, a SQLite database, or the component's database in the state folder of a local start.
 */
export function openSource(path: string, component: string): SourceDatabase {
  const file = statSync(path).isDirectory() ? databaseIn(path, component) : path
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-move-'))
  const isDatabase = firstBytes(file).startsWith('SQLite format 3')
  const database = new DatabaseSync(isDatabase ? file : join(folder, 'source.sqlite'), { readOnly: isDatabase })
  if (!isDatabase) load(database, file)
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const all = names.map(({ name }) => String(name))
  return {
    tables: all.filter((name) => !internal.test(name)),
    rows: (table) => database.prepare(`SELECT * FROM "${table}"`).iterate() as Iterable<SqlRow>,
    lastId: (table) => {
      if (!all.includes('sqlite_sequence')) return undefined
      const sequence = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)
      return sequence === undefined ? undefined : Number(sequence.seq)
    },
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Loads an export into a temporary SQLite database. No journal is written, because the copy is temporary. */
function load(database: DatabaseSync, file: string) {
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
  for (const statement of statementsIn(file)) database.exec(statement)
}

/**
 * Finds the local database that has the component's tables. Each database must be opened for this, since file names are
 * hashes, and the latest writes of a database are in a separate file.
 */
function databaseIn(stateDir: string, component: string): string {
  const files = globSync(join(stateDir, 'v3/d1/*/*.sqlite'))
  const found = files.find((file) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const named = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?) = ?"
    const isIts = database.prepare(named).get(component.length + 1, `${component}_`) !== undefined
    database.close()
    return isIts
  })
  if (!found) throw new Error(`${stateDir} has no database of ${component}`)
  return found
}

function firstBytes(file: string): string {
  const opened = openSync(file, 'r')
  const bytes = Buffer.alloc(16)
  readSync(opened, bytes)
  closeSync(opened)
  return bytes.toString('latin1')
}
