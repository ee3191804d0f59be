import { counts } from './counts.ts'

const unwrapped = new WeakMap<object, D1PreparedStatement>()

/**
 * Wraps a D1 database in a meter. The counts are in the `meta` of a result, so methods whose result has no `meta` are
 * implemented by one whose result has it.
 */
export function meteredDatabase(database: D1Database): D1Database {
  const own = {
    prepare: (text: string) => meteredStatement(database.prepare(text), text),
    batch: async (statements: D1PreparedStatement[]) => {
      counts.d1_calls++
      const results = await database.batch(statements.map((statement) => unwrapped.get(statement) ?? statement))
      for (const result of results) count(result)
      return results
    },
  }
  // Replaces two methods and passes all others on.
  return over(database, own)
}

function meteredStatement(statement: D1PreparedStatement, text: string): D1PreparedStatement {
  const all = async () => {
    counts.d1_calls++
    return count(await statement.all<Record<string, unknown>>())
  }
  const own = {
    bind: (...values: unknown[]) => meteredStatement(statement.bind(...values), text),
    all,
    run: all,
    first: async (column?: string) => {
      const [row] = (await all()).results
      return row === undefined ? null : column === undefined ? row : row[column]
    },
    // A read-only statement is executed a second time with `raw`: the result of `all` is an object, which would merge
    // two columns of the same name.
    raw: async (options?: { columnNames?: false }) => {
      const { results } = await all()
      return /^\s*(select|with)\b/i.test(text) ? statement.raw(options) : results.map((row) => Object.values(row))
    },
  }
  const metered = over(statement, own)
  unwrapped.set(metered, statement)
  return metered
}

function count<Result extends D1Result<unknown>>(result: Result): Result {
  const { rows_read, rows_written, duration, size_after } = result.meta
  counts.d1_read += rows_read
  counts.d1_written += rows_written
  counts.d1_ms += duration
  counts.d1_bytes = Math.max(counts.d1_bytes, size_after)
  return result
}

/** Returns an object that behaves like `target`, with some methods replaced. */
export function over<Target extends object>(target: Target, own: object): Target {
  return new Proxy(target, {
    get: (_, name) => {
      if (name in own) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
