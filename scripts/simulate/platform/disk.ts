// The SQLite database of a simulated durable object: changes that are not durable yet can be rolled back, as a crash does.
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>

/** A prepared statement, and the columns of its rows that may have bytes: looking at each value would take most of the time. */
interface Prepared {
  statement: StatementSync
  bytesColumns: string[]
}

/**
 * A database in memory. Its last durable state is a savepoint: `commit` moves the savepoint, and `rollback` returns to it. The disk of
 * an ended simulation is reused, since a new one would have to be migrated.
 */
export class Disk {
  /** Whether there are changes since the last `commit`. */
  isDirty = false
  /** Time of the alarm in milliseconds since 1970. */
  alarm: number | null = null
  #durableAlarm: number | null = null
  readonly #db = new DatabaseSync(':memory:')
  readonly #statements = new Map<string, Prepared>()

  constructor() {
    this.#db.exec('CREATE TABLE simulated_kv (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  }

  /** Makes the present state the one to which `reset` returns. */
  keep(): void {
    this.#db.exec('BEGIN; SAVEPOINT durable')
    this.isDirty = false
  }

  /** Returns to the state of `keep`. */
  reset(): void {
    this.#db.exec('ROLLBACK; BEGIN; SAVEPOINT durable')
    this.isDirty = false
    this.alarm = null
    this.#durableAlarm = null
  }

  /** Makes all changes durable. */
  commit(): void {
    this.all('RELEASE durable')
    this.all('SAVEPOINT durable')
    this.#durableAlarm = this.alarm
    this.isDirty = false
  }

  /** Loses all changes since the last `commit`. */
  rollback(): void {
    this.all('ROLLBACK TO durable')
    this.alarm = this.#durableAlarm
    this.isDirty = false
  }

  /** Loses the alarm, which the platform may do. */
  loseAlarm(): void {
    this.alarm = null
    this.#durableAlarm = null
  }

  /** Runs one statement, or several without parameters. */
  all(text: string, ...params: unknown[]): Row[] {
    if (params.length === 0 && isScript.test(text)) {
      this.#db.exec(text)
      return []
    }
    const { statement, bytesColumns } = this.#statement(text)
    const rows = statement.all(...params.map(inputOf)) as Row[]
    for (const name of bytesColumns)
      for (const row of rows)
        if (row[name] instanceof Uint8Array) row[name] = row[name].slice().buffer as unknown as SQLOutputValue
    return rows
  }

  #statement(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    const bytesColumns = statement.columns().flatMap(({ name, type }) => (mayHaveBytes(name, type) ? [name] : []))
    const prepared = { statement, bytesColumns }
    this.#statements.set(text, prepared)
    return prepared
  }
}

/** Whether a column may have bytes: one that is declared so, or the body of a request, which is text or bytes. */
const mayHaveBytes = (name: string, type: string | null) => type === 'BLOB' || name === 'body'

const isScript = /;\s*\S/

const inputOf = (value: unknown) =>
  (value instanceof ArrayBuffer ? new Uint8Array(value) : typeof value === 'boolean' ? Number(value) : value) as string
