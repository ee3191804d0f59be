// Tests the headers, ranges and conditional requests of downloads.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disposition } from '#media/file-responses'
import { splitName } from '#media/mime-sniffer'
import { partBytes as part } from '#media/stream-upload'
import { databases } from '../support/databases.ts'
import { runs } from '../support/tier.ts'
import { mediaOn, noise, sha } from './support.ts'

const content = '0123456789'

describe.each(databases)('a download on $dialect', (database) => {
  const media = mediaOn({ DB: undefined as never, ...database })
  const store = async (bytes: Uint8Array | string = content, filename = 'a.txt', type = '') =>
    `/file/${(await media.upload('file', bytes, { filename, type })).json.digest}`
  const get = (path: string, headers: HeadersInit = {}, method = 'GET') => media.fetch(path, { method, headers })

  it('has the headers that caches and browsers need', async () => {
    const path = await store()
    for (const method of ['GET', 'HEAD']) {
      const response = await get(path, {}, method)
      expect([response.status, await response.text()]).toEqual([200, method === 'GET' ? content : ''])
      expect(Object.fromEntries(response.headers)).toEqual({
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=3600',
        'content-disposition': 'inline; filename=a.txt',
        'content-length': '10',
        'content-type': 'text/plain; charset=utf-8',
        etag: expect.stringMatching(/^"[^"]+"$/),
        'last-modified': expect.stringMatching(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/),
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      })
    }
  })

  it.each([
    ['bytes=0-0', '0', '0-0'],
    ['bytes=2-4', '234', '2-4'],
    ['bytes=7-', '789', '7-9'],
    ['bytes=7-100', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-100', content, '0-9'],
    ['bytes=0-', content, '0-9'],
    ['BYTES=9-9', '9', '9-9'],
  ])('of the range %s has exactly these bytes', async (range, text, told) => {
    const response = await get(await store(), { range })
    expect([response.status, await response.text()]).toEqual([206, text])
    expect(response.headers.get('content-range')).toBe(`bytes ${told}/10`)
    expect(response.headers.get('content-length')).toBe(String(text.length))
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  it.each(['bytes=0-1,3-4', 'bytes=4-2', 'bytes=', 'bytes=-', 'lines=0-1', 'bytes=a-b', 'bytes 0-1', '0-1'])(
    'of the range %s has all of it',
    async (range) => {
      const response = await get(await store(), { range })
      expect([response.status, await response.text()]).toEqual([200, content])
      expect(response.headers.get('content-range')).toBeNull()
    },
  )

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999999-'])(
    'has nothing of the range %s, which no cache keeps',
    async (range) => {
      const response = await get(await store(), { range })
      expect([response.status, await response.text()]).toEqual([416, ''])
      expect(response.headers.get('content-range')).toBe('bytes */10')
      expect(response.headers.get('cache-control')).toBeNull()
    },
  )

  it('of a range is the slice of the file', async () => {
    const bytes = noise(1000)
    const path = await store(bytes, 'a.bin')
    const end = fc.option(fc.nat(1100), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(end, end, async (from, to) => {
        const response = await get(path, { range: `bytes=${from ?? ''}-${to ?? ''}` })
        const got = await response.bytes()
        const isRange = from === undefined ? to !== undefined : to === undefined || to >= from
        const slice =
          from === undefined ? bytes.slice(-to! || 1000) : bytes.slice(from, to === undefined ? 1000 : to + 1)
        const expected = isRange ? [slice.length > 0 ? 206 : 416, slice] : [200, bytes]
        expect([response.status, got]).toEqual(expected)
      }),
      { numRuns: runs(60) },
    )
  })

  it('of a range of a large file is the slice across its parts', async () => {
    const bytes = noise(17_000_000)
    const path = await store(bytes, 'a.bin')
    for (const [from, to] of [
      [part - 1, part],
      [part - 100, 2 * part + 100],
      [2 * part, 16_999_999],
    ] as const) {
      const got = await media.bytesOf(path, { range: `bytes=${from}-${to}` })
      expect(await sha(got)).toBe(await sha(bytes.slice(from, to + 1)))
    }
  })

  it('of an empty file is empty', async () => {
    const path = await store('', 'empty.txt')
    for (const method of ['GET', 'HEAD']) {
      const response = await get(path, {}, method)
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', ''])
    }
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
      const response = await get(path, { range })
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */0'])
    }
    expect((await get(path, { range: 'bytes=0-1,2-3' })).status).toBe(200)
  })

  it('is 304 for a client that has the current version', async () => {
    const path = await store()
    const { headers } = await get(path, {}, 'HEAD')
    const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!]
    const before = new Date(Date.parse(modified) - 1000).toUTCString()
    const after = new Date(Date.parse(modified) + 1000).toUTCString()
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': '"other"', 'if-modified-since': after }, 200],
      [{ 'if-none-match': etag, 'if-modified-since': before }, 304],
      [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
      [{ 'if-none-match': etag, range: 'bytes=99-' }, 304],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': after }, 304],
      [{ 'if-modified-since': before }, 200],
      [{ 'if-modified-since': 'no date' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': `"other", ${etag}` }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-match': '"other"', 'if-none-match': etag }, 412],
      [{ 'if-unmodified-since': before }, 412],
      [{ 'if-unmodified-since': modified }, 200],
      [{ 'if-unmodified-since': 'no date' }, 200],
      [{ 'if-match': etag, 'if-unmodified-since': before }, 200],
    ]
    for (const [given, status] of cases) {
      for (const method of ['GET', 'HEAD']) {
        const response = await get(path, given, method)
        expect([given, method, response.status]).toEqual([given, method, status])
        expect(await response.text()).toBe(status === 200 && method === 'GET' ? content : '')
        expect(response.headers.get('etag')).toBe(etag)
      }
    }
  })

  it('resumes with If-Range, only for the same version', async () => {
    const path = await store()
    const { headers } = await get(path, {}, 'HEAD')
    const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!]
    const cases: [string, number][] = [
      [etag, 206],
      [modified, 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      [new Date(0).toUTCString(), 200],
      [new Date(Date.parse(modified) + 1000).toUTCString(), 200],
      ['no date', 200],
    ]
    for (const [condition, status] of cases) {
      const response = await get(path, { range: 'bytes=8-', 'if-range': condition })
      expect([condition, response.status]).toEqual([condition, status])
      expect(await response.text()).toBe(status === 206 ? '89' : content)
    }
  })

  it('has ranges only for GET', async () => {
    const response = await get(await store(), { range: 'bytes=0-1' }, 'HEAD')
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '10'])
  })

  it.each([
    ['Plain.txt', 'inline; filename=Plain.txt'],
    ['say "hi".txt', 'inline; filename="say \\"hi\\".txt"'],
    ['€ rates.txt', `inline; filename="? rates.txt"; filename*=UTF-8''%E2%82%AC%20rates.txt`],
    ['50%20.txt', `inline; filename=50%20.txt; filename*=UTF-8''50%2520.txt`],
    ['a;b=c.txt', 'inline; filename="a;b=c.txt"'],
  ])('of %s has this file name', async (filename, expected) => {
    const response = await get(await store(content, filename), {}, 'HEAD')
    expect(response.headers.get('content-disposition')).toBe(expected)
  })

  it.each([
    ['<!doctype html><script>alert(1)</script>', 'a.html', 'text/html', 'sandbox'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml', 'sandbox'],
    ['<?xml version="1.0"?><a/>', 'a.xml', 'application/xml', 'sandbox'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"/>', 'a.xhtml', 'application/xhtml+xml', 'sandbox'],
    ['alert(1)', 'a.js', 'text/javascript', 'sandbox'],
    ['hello', 'a.txt', 'text/plain', null],
    ['{"a":1}', 'a.json', 'application/json', 'sandbox'],
    ['<a/>', 'a.xsl', 'text/xsl', 'sandbox'],
    ['a', 'a.new', 'text/not-known-yet', 'sandbox'],
  ])('of %j cannot run scripts', async (bytes, filename, type, policy) => {
    const path = await store(bytes, filename, type)
    for (const headers of [{}, { range: 'bytes=0-3' }]) {
      const response = await get(path, headers)
      await response.body?.cancel()
      expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
      expect(response.headers.get('content-security-policy')).toBe(policy)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

it('has a file name that is valid in a header, for any uploaded name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (filename) => {
      const { name, extension } = splitName(filename)
      expect(disposition(name, extension)).toMatch(/^inline; filename=[ -~]+$/)
    }),
  )
})
