// Tests of the cache of printed documents: hits, expiry, concurrent requests and the sweep.
import { exports } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Env } from '#pdf/bindings'
import { sweepCache } from '#pdf/cache'
import { bound, counting, pdfOn, printed, refused, saidBy, textOf, type Work } from './support.ts'

const ttl = 3_600

/** The PDF component with the cache enabled. */
const cachedOn = (work?: Work, given: Partial<Env> = {}) => pdfOn(work, { PDF_CACHE_TTL: String(ttl), ...given })

const keys = async () => (await bound.CACHE.list()).objects.map(({ key }) => key)

const empty = async () => bound.CACHE.delete(await keys())

/** Moves the Worker's clock forward. The clock of the simulated R2 stays real. */
function pass(seconds: number) {
  vi.setSystemTime(Date.now() + seconds * 1_000)
}

beforeEach(async () => {
  await empty()
  // Stops the clock in the middle of a cache window of an hour, so that no test crosses the end of a window by chance.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:30:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the same input', () => {
  it('returns the same bytes, by GET and POST, with any file name', async () => {
    const { ask, jobs } = cachedOn()
    const first = await ask('POST', { html: 'a' })
    const second = await ask('GET', { html: 'a', margin_top: '10MM', filename: 'other' })
    expect(await textOf(first)).toBe('%PDF 0')
    expect(await textOf(second)).toBe('%PDF 0')
    expect(jobs).toHaveLength(1)
    expect(first.headers.get('etag')).toMatch(/^"[0-9a-f]+"$/)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.headers.get('content-length')).toBe('6')
    expect(second.headers.get('content-type')).toBe('application/pdf')
    expect(second.headers.get('content-disposition')).toBe('inline; filename="other.pdf"')
    const [, age] = /^private, max-age=(\d+)$/.exec(second.headers.get('cache-control')!)!
    expect(Number(age)).toBe(ttl)
  })

  it('is printed again if the cache is off', async () => {
    for (const PDF_CACHE_TTL of ['0', '', undefined as never]) {
      const { ask } = pdfOn(undefined, { PDF_CACHE_TTL })
      const bytes = [await textOf(ask('POST', { html: 'a' })), await textOf(ask('POST', { html: 'a' }))]
      expect(bytes).toEqual(['%PDF 0', '%PDF 1'])
    }
    expect(await keys()).toEqual([])
  })

  it('is printed once for all requests after the first, even concurrent ones', async () => {
    const { ask, jobs } = cachedOn()
    const bytes = await Promise.all(Array.from({ length: 20 }, () => textOf(ask('POST', { html: 'a' }))))
    expect(new Set(bytes).size).toBe(1)
    const printedSoFar = jobs.length
    expect(await textOf(ask('POST', { html: 'a' }))).toBe(bytes[0])
    expect(jobs).toHaveLength(printedSoFar)
    expect(await keys()).toHaveLength(1)
  })

  it('returns different bytes for another input', async () => {
    const { ask } = cachedOn()
    const others = [
      { html: 'b' },
      { html: 'a', scale: 2 },
      { html_link: 'https://example.com/' },
      { html: 'a', media: 'screen' },
    ]
    const bytes = await Promise.all([{ html: 'a' }, ...others].map((params) => textOf(ask('POST', params))))
    expect(new Set(bytes).size).toBe(5)
  })
})

describe('a cached document', () => {
  it('returns only headers on HEAD', async () => {
    const { ask, jobs } = cachedOn()
    const before = await ask('HEAD', { html: 'a' })
    expect([before.status, before.headers.get('etag'), jobs.length]).toEqual([200, null, 0])
    const etag = (await ask('GET', { html: 'a' })).headers.get('etag')
    const after = await ask('HEAD', { html: 'a' })
    expect([after.status, after.headers.get('etag'), after.headers.get('content-length')]).toEqual([200, etag, '6'])
    expect(await textOf(after)).toBe('')
  })

  it('returns 304 to a client that has it', async () => {
    const { ask } = cachedOn()
    const etag = (await ask('GET', { html: 'a' })).headers.get('etag')!
    const known = await ask('GET', { html: 'a' }, { 'if-none-match': `"x", ${etag}` })
    expect([known.status, known.headers.get('etag'), await textOf(known)]).toEqual([304, etag, ''])
    expect((await ask('GET', { html: 'a' }, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await ask('POST', { html: 'a' }, { 'if-none-match': etag })).status).toBe(200)
    expect((await ask('GET', { html: 'b' }, { 'if-none-match': etag })).status).toBe(200)
  })

  it('is served until it expires, and printed again then', async () => {
    const { ask } = cachedOn()
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 0')
    pass(ttl - 5)
    const late = await ask('POST', { html: 'a' })
    expect(await textOf(late)).toBe('%PDF 0')
    expect(late.headers.get('cache-control')).toBe('private, max-age=5')
    pass(10)
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 1')
    pass(3 * ttl)
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 2')
  })

  it('is the first of two if two are stored', async () => {
    const { ask } = cachedOn()
    await textOf(ask('POST', { html: 'a' }))
    const [key] = await keys()
    const digest = key!.split('/')[1]!
    const next = (Math.floor(Date.now() / 1_000 / ttl) + 3) * ttl
    await bound.CACHE.put(`${String(next).padStart(12, '0')}/${digest}`, '%PDF later', {
      customMetadata: { until: `${next}` },
    })
    pass(next - 2 * ttl - Math.floor(Date.now() / 1_000))
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 0')
  })

  it('is printed again with another PDF_CACHE_TTL, and still swept', async () => {
    const { ask, env } = cachedOn()
    await textOf(ask('POST', { html: 'a' }))
    const other = cachedOn(() => printed('%PDF other'), { PDF_CACHE_TTL: '1000' })
    expect(await textOf(other.ask('POST', { html: 'a' }))).toBe('%PDF other')
    expect(await keys()).toHaveLength(2)
    pass(2 * ttl)
    await sweepCache(env)
    expect(await keys()).toEqual([])
  })
})

describe('the sweep', () => {
  it('deletes exactly the expired documents', async () => {
    const { ask, env } = cachedOn()
    await textOf(ask('POST', { html: 'a' }))
    const [kept] = await keys()
    await Promise.all(Array.from({ length: 30 }, (_, i) => bound.CACHE.put(`${String(i).padStart(12, '0')}/x`, 'old')))
    await sweepCache(env)
    expect(await keys()).toEqual([kept])
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 0')
  })

  it('runs with the cron job of the gateway', async () => {
    await bound.CACHE.put(`${'0'.repeat(12)}/x`, 'old')
    await exports.default.sweep()
    expect(await keys()).toEqual([])
  })

  it('ends for any number of documents', async () => {
    const objects = Array.from({ length: 1_000 }, (_, i) => ({ key: `${String(i).padStart(12, '0')}/x` }))
    let deleted = 0
    const remove = async (gone: string[]) => {
      deleted += gone.length
    }
    await sweepCache({ CACHE: { list: async () => ({ objects, truncated: true }), delete: remove } as never })
    expect(deleted).toBe(10_000)
  })
})

describe('a failure', () => {
  it.each([
    ['link_failed', () => refused(502, 'link_failed')],
    ['browser_timeout', () => refused(504, 'timeout')],
    ['unavailable', () => refused(503, 'unavailable')],
  ] as const)('%s is not kept', async (code, failing) => {
    const print = counting()
    let first = true
    const { ask } = cachedOn((sent) => {
      if (!first) return print(sent)
      first = false
      return failing()
    })
    expect(await saidBy(ask('POST', { html: 'a' }))).toMatchObject({ status_code: code })
    expect(await keys()).toEqual([])
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF 0')
  })

  it('of the container halfway through a document is retried, and nothing is stored', async () => {
    let first = true
    const { ask, jobs } = cachedOn(() => {
      if (!first) return printed('%PDF whole')
      first = false
      const half = new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode('%PDF'))
          controller.error(new Error('Connection lost'))
        },
      })
      return new Response(half, { headers: { 'content-type': 'application/pdf', 'content-length': '10' } })
    })
    expect(await textOf(ask('POST', { html: 'a' }))).toBe('%PDF whole')
    expect(jobs).toHaveLength(2)
    expect(await keys()).toEqual([])
  })

  it.each(['get', 'put'])('of the cache to %s does not fail the request', async (operation) => {
    const down = () => Promise.reject(new Error('R2 is down'))
    const CACHE = { get: async () => null, put: async () => null, [operation]: down } as never
    const { ask } = cachedOn(() => printed('%PDF'), { CACHE })
    const response = await ask('POST', { html: 'a' })
    expect([response.status, response.headers.get('cache-control'), await textOf(response)]).toEqual([
      200,
      'no-store',
      '%PDF',
    ])
  })
})
