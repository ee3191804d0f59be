/** A D1 database that records the statements that it runs, so that tests can count them. */
export function noting(database: D1Database) {
  const statements: string[] = []
  const runs = new Set<PropertyKey>(['run', 'all', 'raw', 'first'])
  const noted = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (runs.has(name)) statements.push(sql)
          const result: unknown = Reflect.apply(value, target, given)
          return name === 'bind' ? noted(result as D1PreparedStatement, sql) : result
        }
      },
    })
  const DB = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => noted(target.prepare(sql), sql)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { DB, statements }
}
