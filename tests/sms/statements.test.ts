import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { freshPhones, messagesOf, smsOn } from './support.ts'

/** A D1 database that notes the statements that it runs. */
function noting(database: D1Database) {
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

const { DB: bound } = env as unknown as { DB: D1Database }

it('checks the blacklist for a thousand phones, and writes them all down, in one statement', {
  timeout: 60_000,
}, async () => {
  const { DB, statements } = noting(bound)
  const { send } = smsOn({ dialect: 'D1', DB })
  const phones = freshPhones(1_000)
  const blocked = phones.filter((_, n) => n % 100 === 33)
  for (const phone of blocked) await send('POST', '/blacklist', { phone })
  statements.length = 0

  const messages = messagesOf(await send('POST', '/sms', { phones, message: 'Hello' }))

  expect(messages.filter(({ state }) => state === 'blacklisted').map(({ phone }) => phone)).toEqual(blocked)
  expect(statements.filter((sql) => sql.includes('sms_blacklist'))).toHaveLength(1)
  expect(statements.filter((sql) => /insert/i.test(sql))).toHaveLength(1)
  // The others claim messages by windows, and record what has come of them, by tenths of seconds.
  expect(statements.length).toBeLessThan(100)
})

it('takes two statements for one phone', async () => {
  const { DB, statements } = noting(bound)
  const { send } = smsOn({ dialect: 'D1', DB })

  await send('POST', '/sms', { phones: freshPhones(1), message: 'Hello' })

  expect(statements.map((sql) => /\w+/.exec(sql)![0])).toEqual(['INSERT', 'UPDATE'])
})
