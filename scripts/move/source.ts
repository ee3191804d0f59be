import { closeSync, globSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { statementsIn } from './statements.ts'

export type SqlRow = Record<string, SQLOutputValue>

/** A D1 database to read from. */
export interface SourceDatabase {
  /** Without those that only a runtime or wrangler reads. */
  tables: string[]
  rows(table: string): Iterable<SqlRow>
  /** The highest id that a table has ever given out; nothing where it gives none. */
  lastId(table: string): number | undefined
  close(): void
}

const internal = /^(sqlite_|_cf_|d1_migrations$)/

/** Opens what `wrangler d1 export` wrote, a SQLite database, or a component's own in the state folder of a local start. */
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
      const given = database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)
      return given === undefined ? undefined : Number(given.seq)
    },
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Nobody needs the copy after a crash. */
function load(database: DatabaseSync, file: string) {
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
  for (const statement of statementsIn(file)) database.exec(statement)
}

/** The local database whose tables are named as the component. Each is opened, since what was written last lies beside it. */
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
