// Tests that many concurrent callers and daemons lose no task, and send none twice.
import { describe, expect, it } from 'vitest'
import { ask } from '../support/requests.ts'
import { add, fresh, place, pollOptions, show, until } from './support.ts'

const together = (count: number, put: (n: number) => Promise<string>) =>
  Promise.all(Array.from({ length: count }, (_, n) => put(n)))

const countOf = async (worker: string, state: string) => {
  const { json } = await ask('GET', '/tasks', { worker, state, count: true, limit: 1 })
  return (json.content as unknown as { nb_results: number }).nb_results
}

const numberOf = (id: string) => Number(id.split('-').at(-1))

describe('concurrent callers', () => {
  it('get consecutive task numbers, and one daemon sends each task once in that order', async () => {
    const worker = fresh()
    const { url, arrived, visits } = place()
    const ids = await together(300, (n) => add({ worker, url, json: { n } }))
    const numbers = Array.from({ length: 300 }, (_, i) => i + 1)
    expect(ids.map(numberOf).sort((a, b) => a - b)).toEqual(numbers)
    const made = await arrived(300)
    expect(made.map(({ headers }) => numberOf(headers['x-task-id']!))).toEqual(numbers)
    for (const { headers, body } of made) expect(headers['x-task-id']).toBe(ids[(JSON.parse(body) as { n: number }).n])
    await expect.poll(() => countOf(worker, 'done'), pollOptions).toBe(300)
    expect((await visits()).most).toBe(1)
  })

  it('have each task sent once by many daemons', async () => {
    const worker = fresh('dozen')
    const { url, arrived } = place()
    await together(300, (n) => add({ worker, url, json: { n } }))
    const seen = (await arrived(300)).map(({ body }) => (JSON.parse(body) as { n: number }).n)
    await expect.poll(() => countOf(worker, 'done'), pollOptions).toBe(300)
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n))
  })

  it('have each piece of their fractions sent once', async () => {
    const worker = fresh('dozen')
    const places = [place(), place(), place()]
    const ids = await Promise.all(places.map(({ url }) => add({ worker, url, min: 1, max: 95, gap: 2 })))
    const starts = Array.from({ length: 48 }, (_, i) => 1 + 2 * i)
    for (const [i, id] of ids.entries()) {
      expect(await until(id, 'done')).toMatchObject({ attempts: 48, fraction: { pieces: { total: 48, done: 48 } } })
      const made = (await places[i]!.visits()).visits.map(({ body }) => (JSON.parse(body) as { _min: number })._min)
      expect(made.sort((a, b) => a - b)).toEqual(starts)
    }
  })

  it('lose no task while some fail, are retried or are canceled', async () => {
    const worker = fresh('dozen')
    const flaky = place({ statuses: Array.from({ length: 60 }, (_, n) => (n % 3 ? 200 : 500)).join(',') })
    const broken = place({ statuses: '500' })
    const ids = await together(90, (n) =>
      add({ worker, url: n % 3 ? flaky.url : broken.url, retries: n % 3 ? 30 : 0, retry_delay: 0 }),
    )
    await together(20, async (n) => {
      await ask('DELETE', '/task', { id: ids[n * 4]! })
      return ''
    })
    const open = async () => (await countOf(worker, 'waiting')) + (await countOf(worker, 'running'))
    await expect.poll(open, pollOptions).toBe(0)
    const ended = await Promise.all(['done', 'failed', 'canceled'].map((state) => countOf(worker, state)))
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(90)
    for (const [n, id] of ids.entries()) {
      const { state } = await show(id)
      expect(n % 4 === 0 && n < 80 ? ['canceled', 'done', 'failed'] : [n % 3 ? 'done' : 'failed']).toContain(state)
    }
  })
})
