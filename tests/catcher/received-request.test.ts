// Tests of how a caught request is read: the Host header, the URL without normalization, and the headers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, headersOf, partsOf, receiveRequest } from '#catcher/received-request'
import { maxKeptBytes, readTruncated } from '#catcher/truncated-body'

describe('the Host header', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.constant(''),
  )

  it('is split into host and port', () => {
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), (host, port) => {
        expect(addressOf(`${host}:${port}`, 'http')).toEqual({ host, port })
        expect(addressOf(host, 'http')).toEqual({ host, port: 80 })
        expect(addressOf(`${host}:`, 'https')).toEqual({ host, port: 443 })
      }),
    )
  })

  it('is used as the host name if it is malformed', () => {
    for (const host of ['a:b', 'a:1:2', 'a:99999', '::1', '[::1'])
      expect(addressOf(host, 'https')).toEqual({ host, port: 443 })
  })
})

describe('a URL', () => {
  it('is split without changing its parts', () => {
    expect(partsOf('http://a.example:80/a/../%7e%zz//?b=%&c#d')).toEqual({
      scheme: 'http',
      authority: 'a.example:80',
      path: '/a/../%7e%zz//',
      query: 'b=%&c',
    })
    expect(partsOf('https://a?b')).toMatchObject({ path: '/', query: 'b' })
    expect(partsOf('')).toMatchObject({ path: '/', query: '' })
  })
})

describe('headers', () => {
  it('are joined if they repeat, whatever their names', () => {
    const headers = headersOf([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['__proto__', 'x'],
    ])
    expect(JSON.stringify(headers)).toBe('{"set-cookie":"a=1, b=2","__proto__":"x"}')
  })

  it('are shown without the header that the gateway adds', () => {
    expect(headersOf([['x-forwarded-prefix', '/catcher']])).toEqual({})
  })
})

const streamOf = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks.shift()
      if (next) controller.enqueue(next)
      else controller.close()
    },
  })

const headers = (length?: number) => new Headers(length === undefined ? {} : { 'content-length': String(length) })

describe('a body', () => {
  it('is the concatenation of its chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (chunks) => {
        const { body, body_size } = await readTruncated({ body: streamOf(...chunks), headers: headers() })
        expect([...body]).toEqual(chunks.flatMap((chunk) => [...chunk]))
        expect(body_size).toBe(body.length)
      }),
    )
  })

  it('is truncated at 1 MB, and its full size is counted', async () => {
    const piece = new Uint8Array(maxKeptBytes - 1).fill(7)
    const { body, body_size } = await readTruncated({ body: streamOf(piece, piece, piece), headers: headers() })
    expect(body.length).toBe(maxKeptBytes)
    expect(body.every((byte) => byte === 7)).toBe(true)
    expect(body_size).toBe(3 * piece.length)
  })

  it('that is interrupted is stored up to that point', async () => {
    const broken = () => {
      const chunks = [Uint8Array.of(1, 2)]
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = chunks.shift()
          if (next) controller.enqueue(next)
          else controller.error(new Error('The connection was lost'))
        },
      })
    }
    expect(await readTruncated({ body: broken(), headers: headers(9) })).toEqual({
      body: Uint8Array.of(1, 2),
      body_size: 9,
    })
    expect(await readTruncated({ body: broken(), headers: headers() })).toEqual({
      body: Uint8Array.of(1, 2),
      body_size: null,
    })
  })

  it('that does not end is aborted after 100 MB', async () => {
    const piece = new Uint8Array(4_000_000)
    let pieces = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1
        controller.enqueue(piece)
      },
    })
    expect((await readTruncated({ body: endless, headers: headers() })).body_size).toBeNull()
    expect(pieces).toBeLessThan(30)
  })
})

it('records a request', async () => {
  const request = new Request('https://a.example:8443/b%2Fc?d=1', {
    method: 'PUT',
    headers: { 'X-Up': 'Case' },
    body: 'text',
  })
  expect(await receiveRequest(request)).toEqual({
    method: 'put',
    host: 'a.example',
    port: 8443,
    path: '/b%2Fc',
    query: 'd=1',
    headers: expect.stringContaining('"x-up":"Case"'),
    body: new TextEncoder().encode('text'),
    body_size: 4,
  })
})
