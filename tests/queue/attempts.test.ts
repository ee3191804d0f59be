// Tests of `GET /task/attempts`: each attempt is recorded with its response, which is masked, and hidden for tasks with secrets.
import { describe, expect, it } from 'vitest'
import { listAttempts } from '#queue/attempts'
import { settle } from '#queue/leases'
import { retryTask } from '#queue/task-actions'
import { ask } from '../support/requests.ts'
import { add, fresh, onTables, place, put, putFraction, rowOf, takeDue, target, until } from './support.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

interface Listed {
  attempts: {
    attempt: number
    status: number | null
    error: string | null
    headers: object | null
    body: string | null
  }[]
  next: number | null
}

async function attempts(params: Record<string, unknown>): Promise<Listed> {
  const { status, json } = await ask('GET', '/task/attempts', params)
  expect(status).toBe(200)
  return json.content as unknown as Listed
}

const stored = (sql: SqlStorage) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM attempts').one().n

describe('GET /task/attempts', () => {
  it('returns each attempt with its response', async () => {
    const { url } = place({ statuses: '503,200' })
    const id = await add({ worker: fresh(), url, retries: 1, retry_delay: 0 })
    await until(id, 'done')
    const shown = {
      started_at: time,
      duration_ms: expect.any(Number),
      error: null,
      body: expect.any(String),
      piece: null,
    }
    expect(await attempts({ id })).toEqual({
      attempts: [
        { ...shown, attempt: 1, status: 503, headers: expect.any(Object) },
        { ...shown, attempt: 2, status: 200, headers: expect.any(Object) },
      ],
      next: null,
    })
  })

  it('returns pages', async () => {
    const { url } = place({ statuses: '503,503,200' })
    const id = await add({ worker: fresh(), url, retries: 2, retry_delay: 0 })
    await until(id, 'done')
    const numbersOf = ({ attempts, next }: Listed) => [attempts.map(({ attempt }) => attempt), next]
    expect(numbersOf(await attempts({ id, limit: 2 }))).toEqual([[1, 2], 2])
    expect(numbersOf(await attempts({ id, limit: 2, after: 2 }))).toEqual([[3], null])
    expect(numbersOf(await attempts({ id, after: 3 }))).toEqual([[], null])
  })

  it('returns a running attempt without an outcome, and none before the first', async () => {
    const { url, arrived, release } = place({ hold: 1 })
    const worker = fresh()
    const id = await add({ worker, url })
    const next = await add({ worker, url })
    await arrived(1)
    const open = { duration_ms: null, status: null, error: null, headers: null, body: null, piece: null }
    expect((await attempts({ id })).attempts).toEqual([{ attempt: 1, started_at: time, ...open }])
    expect(await attempts({ id: next })).toEqual({ attempts: [], next: null })
    await release(2)
    await until(next, 'done')
  })

  it('returns the error of an attempt without a response', async () => {
    const id = await add({ worker: fresh(), url: target('/never'), timeout: 0.1 })
    await until(id, 'failed')
    const empty = { status: null, headers: null, body: null }
    expect((await attempts({ id })).attempts).toMatchObject([{ ...empty, attempt: 1, error: 'timeout' }])
  })

  it('returns the first kilobyte of the body, masked', async () => {
    const large = await add({ worker: fresh(), url: target('/large') })
    await until(large, 'done')
    expect((await attempts({ id: large })).attempts).toMatchObject([{ body: 'x'.repeat(1_024) }])
    const begins = `card=4111111111111111&token=swordfish&a=1 `
    const id = await add({ worker: fresh(), url: target(`/large?begins=${encodeURIComponent(begins)}`) })
    await until(id, 'done')
    const [{ body } = { body: null }] = (await attempts({ id })).attempts
    expect(body).toContain('a=1')
    expect(body).not.toMatch(/4111111111111111|swordfish/)
  })

  it('returns no part of a card number that the limit cuts', async () => {
    const begins = `${'-'.repeat(1_016)}4111111111111111`
    const id = await add({ worker: fresh(), url: target(`/large?begins=${begins}`) })
    await until(id, 'done')
    expect((await attempts({ id })).attempts[0]!.body).not.toContain('4111')
  })

  it('returns only the headers content-type, retry-after and location, which has no query', async () => {
    const to = encodeURIComponent('https://user:swordfish@other.example/path?token=swordfish#swordfish')
    const id = await add({ worker: fresh(), url: target(`/redirect?status=201&to=${to}`), json: {} })
    await until(id, 'done')
    const reply = await add({ worker: fresh(), url: target('/echo'), json: {} })
    await until(reply, 'done')
    expect((await attempts({ id: reply })).attempts[0]!.headers).toEqual({ 'content-type': 'application/json' })
    expect((await attempts({ id })).attempts[0]!.headers).toEqual({ location: 'https://other.example/path' })
  })

  it.each([{ confidential: true }, { secret_headers: { 'x-pin': 'swordfish' } }])(
    'hides the response of a task with %j',
    async (secrets) => {
      const id = await add({ worker: fresh(), url: target('/echo'), json: { pin: 1 }, ...secrets })
      await until(id, 'done')
      const hidden = { headers: null, body: null, status: 200, duration_ms: expect.any(Number) }
      expect((await attempts({ id })).attempts).toMatchObject([hidden])
    },
  )

  it('returns 404 for an unknown task', async () => {
    expect(await ask('GET', '/task/attempts', { id: `${fresh()}-1` })).toMatchObject({ status: 404 })
  })

  it('returns the failed attempts of the pieces of a fraction', async () => {
    const { url } = place({ statuses: '200,500,200' })
    const id = await add({ worker: fresh(), url, min: 1, max: 6, gap: 2 })
    await until(id, 'failed')
    expect((await attempts({ id })).attempts).toMatchObject([{ attempt: 1, status: 500, piece: { min: 3, max: 4 } }])
  })
})

describe('the stored attempts', () => {
  it('are none for a task that ends with its first attempt', () =>
    onTables((sql) => {
      for (const status of [200, 500]) {
        const id = put(sql)
        settle(sql, takeDue(sql, 1)!, { status, error: null, response: '[1,{},"a"]' }, 2)
        expect(stored(sql)).toBe(0)
        expect(listAttempts(sql, id)).toMatchObject([{ attempt: 1, status, response: '[1,{},"a"]' }])
      }
    }))

  it('are the last 20, and deleted with the task', () =>
    onTables((sql) => {
      const id = put(sql, { retries: 30, retry_delay: 0 })
      for (let now = 1; now <= 25; now++) settle(sql, takeDue(sql, now)!, { status: 500, error: null }, now)
      expect(listAttempts(sql, id).map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, n) => n + 6))
      settle(sql, takeDue(sql, 26)!, { status: 200, error: null }, 26)
      const last = listAttempts(sql, id)
      expect([last.length, last.at(-1)]).toMatchObject([20, { attempt: 26, status: 200 }])
      sql.exec('DELETE FROM tasks')
      expect(stored(sql)).toBe(0)
    }))

  it('keep the attempt before a retry by a caller', () =>
    onTables((sql) => {
      const id = put(sql)
      settle(sql, takeDue(sql, 1)!, { status: 404, error: null }, 1)
      retryTask(sql, id, 2)
      expect(listAttempts(sql, id)).toMatchObject([{ attempt: 1, status: 404 }])
      settle(sql, takeDue(sql, 3)!, { status: 200, error: null }, 3)
      expect(listAttempts(sql, id)).toMatchObject([
        { attempt: 1, status: 404 },
        { attempt: 2, status: 200 },
      ])
    }))

  it('are the last 20 failed attempts of all pieces of a fraction', () =>
    onTables((sql) => {
      const id = putFraction(sql, 1, 30, 1)
      for (let now = 1; now <= 30; now++) settle(sql, takeDue(sql, now)!, { status: 500, error: null }, now)
      expect(listAttempts(sql, id)).toHaveLength(20)
      expect(listAttempts(sql, id).at(-1)).toMatchObject({ n: 30, attempt: 1, min: 30, max: 30, status: 500 })
      expect(rowOf(sql, id)).toMatchObject({ state: 'failed', failed: 30 })
    }))
})
