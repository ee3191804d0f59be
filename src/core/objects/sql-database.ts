// A database of a component in the SQLite storage of one durable object, with the interface of D1: for components with little data,
// since the free plan of Cloudflare allows ten D1 databases.
import { DurableObject } from 'cloudflare:workers'
import { migrate } from './migrate.ts'

/** A statement and its parameters. */
interface Statement {
  sql: string
  params: (string | number | null)[]
}

interface Result {
  columns: string[]
  rows: unknown[][]
  changes: number
  /** Size of the database in bytes. */
  size: number
}

/** The durable object of a database. Subclasses give it their migrations. */
export abstract class SqlDatabase<Env = unknown> extends DurableObject<Env> {
  /** SQL of the migrations, in order. Append only. */
  protected abstract readonly migrations: readonly string[]
  #isMigrated = false

  /** Runs statements in one transaction. */
  execute(statements: Statement[]): Result[] {
    if (!this.#isMigrated) migrate(this.ctx.storage, this.migrations)
    this.#isMigrated = true
    const { sql } = this.ctx.storage
    return this.ctx.storage.transactionSync(() =>
      statements.map(({ sql: text, params }) => {
        const cursor = sql.exec(text, ...params)
        const rows = [...cursor.raw()]
        return {
          columns: cursor.columnNames,
          rows,
          changes: sql.exec<{ n: number }>('SELECT changes() AS n').one().n,
          size: sql.databaseSize,
        }
      }),
    )
  }
}

/** The part of a namespace that `d1Of` calls. */
type Namespace = DurableObjectNamespace<SqlDatabase>

const databases = new WeakMap<Namespace, D1Database>()

/** The database in the one object of a namespace, with the interface of D1 as far as Drizzle and this project use it. */
export function d1Of(namespace: Namespace): D1Database {
  const known = databases.get(namespace)
  if (known) return known
  const execute = (statements: Statement[]): Promise<Result[]> =>
    namespace.getByName('database').execute(statements) as Promise<Result[]>
  const database = {
    prepare: (sql: string) => new Prepared(execute, { sql, params: [] }),
    batch: async (prepared: Prepared[]) => {
      const results = await execute(prepared.map(({ statement }) => statement))
      return results.map(resultOf)
    },
  } as unknown as D1Database
  databases.set(namespace, database)
  return database
}

class Prepared {
  readonly statement: Statement
  readonly #execute: (statements: Statement[]) => Promise<Result[]>

  constructor(execute: (statements: Statement[]) => Promise<Result[]>, statement: Statement) {
    this.#execute = execute
    this.statement = statement
  }

  bind(...params: unknown[]): Prepared {
    return new Prepared(this.#execute, { sql: this.statement.sql, params: params.map(boundValue) })
  }

  async run() {
    const [result] = await this.#execute([this.statement])
    return resultOf(result!)
  }

  all() {
    return this.run()
  }

  async raw() {
    const [result] = await this.#execute([this.statement])
    return result!.rows
  }
}

const boundValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value) as string | number | null

const resultOf = ({ columns, rows, changes, size }: Result) => ({
  success: true,
  results: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
  meta: { changes, size_after: size, rows_written: changes },
})
