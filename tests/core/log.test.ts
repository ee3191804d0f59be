// Tests the log lines of requests and errors: they contain no data of callers.
import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { open } from '#core/db/open'
import { describe as described } from '#core/http/log'
import { databases } from '../support/databases.ts'
import { ask } from '../support/requests.ts'

it('has one line for each request, without its data', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  await ask('POST', '/kinds', { name: 'secret-1', data: { password: 'secret-2' } })
  await ask('GET', '/kinds', { name: 'secret-3', number: 'secret-4' })
  spy.mockRestore()
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [
      { method: 'POST', status: 200 },
      { method: 'GET', status: 400 },
    ].map((line) => ({
      level: 'info',
      component: 'core',
      route: '/kinds',
      ms: expect.any(Number),
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...line,
    })),
  )
  expect(lines.join()).not.toContain('secret')
})

it.each(databases)('has the failed statement on $dialect, without its values', async (database) => {
  const { run } = open(database, { d1: {}, postgres: {} })
  const error = await run(sql`SELECT ${'secret'}, no_such_column`).then(
    () => undefined,
    (error: unknown) => error,
  )
  const text = JSON.stringify(described(error))
  expect(text).toContain('no_such_column')
  expect(text).not.toContain('secret')
})

it('has the messages of other errors, and their causes', () => {
  expect(described(new Error('one', { cause: new TypeError('two') }))).toMatchObject({
    error: expect.stringContaining('Error: one'),
    cause: { error: expect.stringContaining('TypeError: two') },
  })
  expect(described('text')).toEqual({ error: 'string' })
})
