// Tests of documents that are stored by name: download, replacement, expiry and the sweep.
import { createExecutionContext } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pdf } from '#pdf/index'
import { sweepStore } from '#pdf/store'
import { pdfOn, printed, refused, saidBy, textOf } from './support.ts'

const week = 604_800

/** The PDF component with a document name that no other test uses, since all tests share a bucket. */
function storing(work?: Parameters<typeof pdfOn>[0], given: Parameters<typeof pdfOn>[1] = {}) {
  const { env, ask, jobs } = pdfOn(work, given)
  const name = `invoice ${crypto.randomUUID()} é/7`
  const document = (method: string, asked = name) =>
    pdf.fetch(
      new Request(`http://pdf.test/document?${new URLSearchParams({ name: asked })}`, { method }),
      env,
      createExecutionContext(),
    )
  const store = (params: object = {}) => ask('POST', { html: 'a', store: name, ...params })
  const keys = async () => (await env.CACHE.list()).objects.map(({ key }) => key)
  return { env, ask, jobs, name, document, store, keys }
}

beforeEach(async () => {
  const { env, keys } = storing()
  await env.CACHE.delete(await keys())
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:30:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An R2 bucket that counts its operations, and fails after `maxOperations`, as the platform does. */
function counted(target: R2Bucket, maxOperations = 1_000) {
  let count = 0
  const bucket = new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (++count > maxOperations) throw new Error('Too many operations')
        return value.apply(target, given)
      }
    },
  })
  return { bucket, operations: () => count }
}

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

describe('a stored document', () => {
  it('is described in the response, and can be downloaded later by name', async () => {
    const { store, document, name, jobs } = storing()
    const reply = await store({ filename: 'Rechnung 7' })
    expect([reply.status, await reply.json()]).toEqual([
      201,
      {
        status: true,
        content: { document: { name, filename: 'Rechnung 7.pdf', size: 6, expires_at: '2026-11-29 12:30:00' } },
      },
    ])
    expect(jobs[0]!.json).not.toHaveProperty('store')
    const found = await document('GET')
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(found.headers.get('content-disposition')).toBe('inline; filename="Rechnung 7.pdf"')
    expect(await textOf(found)).toBe('%PDF 0')
    const head = await document('HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', ''])
  })

  it('replaces the previous one, such as on a retry of the queue', async () => {
    const { store, document } = storing()
    await store()
    pass(10)
    await store({ html: 'b' })
    expect(await textOf(document('GET'))).toBe('%PDF 1')
  })

  it('is not found before it is printed, after it is deleted, and under another name', async () => {
    const { store, document, name } = storing()
    const message = `No document is named ${JSON.stringify(name)}.`
    const missing = { status: false, status_code: 'document_not_found', message }
    expect(await saidBy(document('GET'))).toMatchObject(missing)
    expect(await saidBy(document('DELETE'))).toMatchObject(missing)
    await store()
    expect(await saidBy(document('GET', 'another'))).toMatchObject({ message: 'No document is named "another".' })
    expect((await document('DELETE')).status).toBe(200)
    expect(await saidBy(document('GET'))).toMatchObject(missing)
  })

  it('expires, and the sweep removes all of it', async () => {
    const { env, store, document, keys } = storing(undefined, { PDF_STORE_TTL: '60' })
    await store()
    pass(30)
    const before = await keys()
    await sweepStore(env)
    expect(await keys()).toEqual(before)
    pass(31)
    expect((await document('GET')).status).toBe(404)
    await sweepStore(env)
    expect(await keys()).toEqual([])
  })

  it('is kept by the sweep if it was stored again later', async () => {
    const { env, store, document, keys } = storing(undefined, { PDF_STORE_TTL: '60' })
    await store()
    pass(50)
    await store()
    pass(20)
    await sweepStore(env)
    expect(await textOf(document('GET'))).toBe('%PDF 1')
    pass(week)
    await sweepStore(env)
    expect(await keys()).toEqual([])
  })

  it('is deleted by a later sweep if many have expired', async () => {
    const { env, keys } = storing()
    const until = String(Math.floor(Date.now() / 1_000) - 1)
    const digests = Array.from({ length: 205 }, (_, i) => String(i).padStart(64, '0'))
    await Promise.all(
      digests.flatMap((digest) => [
        env.CACHE.put(`expires/${until.padStart(12, '0')}/${digest}`, ''),
        env.CACHE.put(`stored/${digest}`, '%PDF', { customMetadata: { until } }),
      ]),
    )
    const { bucket, operations } = counted(env.CACHE)
    await sweepStore({ ...env, CACHE: bucket })
    expect(operations()).toBeLessThan(250)
    expect(await keys()).toHaveLength(2 * 5)
    await sweepStore(env)
    expect(await keys()).toEqual([])
  })

  it('is deleted together with its marker when a sweep is cut off', async () => {
    const { env, keys } = storing()
    const until = String(Math.floor(Date.now() / 1_000) - 1)
    for (let i = 0; i < 50; i++) {
      await env.CACHE.put(`expires/${until.padStart(12, '0')}/${i}`, '')
      await env.CACHE.put(`stored/${i}`, '%PDF', { customMetadata: { until } })
    }
    const { bucket } = counted(env.CACHE, 30)
    await expect(sweepStore({ ...env, CACHE: bucket })).rejects.toThrow('Too many operations')
    expect(await keys()).toHaveLength(2 * 30)
  })

  it('is not stored if it cannot be printed', async () => {
    const { store, document } = storing(() => refused(502, 'link_failed'))
    expect((await store()).status).toBe(502)
    expect((await document('GET')).status).toBe(404)
  })

  it.each(['', 'x'.repeat(256), 7])('is refused under the name %j', async (store) => {
    expect((await storing(() => printed('x')).store({ store })).status).toBe(400)
  })

  it.each(['0', '-1', 'soon', '99999999'])('is refused while PDF_STORE_TTL is %s', async (PDF_STORE_TTL) => {
    const reply = await storing(undefined, { PDF_STORE_TTL }).store()
    expect([reply.status, await saidBy(reply)]).toMatchObject([503, { status_code: 'not_configured' }])
  })

  it('cannot be requested with GET, which has no side effects', async () => {
    const { ask, document, name } = storing()
    const reply = await ask('GET', { html: 'a', store: name })
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    await reply.body?.cancel()
    expect((await document('GET')).status).toBe(404)
  })
})
