import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

/** A D1 database to read from. */
export interface Source {
  /** Without those that only a runtime or wrangler reads. */
  tables: string[]
  rows(table: string): Iterable<Row>
  /** The highest id that a table has ever given out; nothing where it gives none. */
  lastId(table: string): number | undefined
  close(): void
}

const internal = /^(sqlite_|_cf_|d1_migrations$)/

/** Opens what `wrangler d1 export` wrote, or a SQLite database itself. */
export function openSource(file: string): Source {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-move-'))
  const isDatabase = firstBytes(file).startsWith('SQLite format 3')
  const database = new DatabaseSync(isDatabase ? file : join(folder, 'source.sqlite'), { readOnly: isDatabase })
  if (!isDatabase) database.exec(readFileSync(file, 'utf8'))
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const all = names.map(({ name }) => String(name))
  return {
    tables: all.filter((name) => !internal.test(name)),
    rows: (table) => database.prepare(`SELECT * FROM "${table}"`).iterate() as Iterable<Row>,
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

function firstBytes(file: string): string {
  const opened = openSync(file, 'r')
  const bytes = Buffer.alloc(16)
  readSync(opened, bytes)
  closeSync(opened)
  return bytes.toString('latin1')
}
