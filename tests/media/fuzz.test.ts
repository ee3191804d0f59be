// Sends random requests and files to the media API, and checks that none fails with 500.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { media } from '#media/index'
import Media from '../../workers/media/index.ts'
import { onDatabases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'
import { fixture } from '../support/media/clips.ts'
import type { Fetch } from '../support/requests.ts'
import { runs } from '../support/tier.ts'

const files = { file: 'tone.wav', image: 'still.png', audio: 'tone.flac' }

/** Stores one item of each kind, and returns the digests. */
const stored = (fetch: Fetch) =>
  Promise.all(
    Object.entries(files).map(async ([kind, name]) => {
      const body = new FormData()
      body.set('file', new File([await fixture(name)], name))
      const response = await fetch(`http://component/${kind}`, { method: 'POST', body })
      return (await response.json<{ digest: string }>()).digest
    }),
  )

const services = await Promise.all(
  onDatabases(Media).map(async ({ dialect, fetch }) => ({ dialect, fetch, digests: await stored(fetch) })),
)

const odd = fc.oneof(
  fc.constantFrom('', '0', '-1', '*', '"', ',', 'bytes=', 'bytes=0-0', 'bytes=-5', 'W/"x"', '9'.repeat(40), '1.0.0'),
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) }),
)

const headersOf = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, odd])), { requiredKeys: [] })

describe.each(services)('media on $dialect', ({ fetch, digests }) => {
  fuzz(fetch, media, {
    digest: digests,
    ...{ w: [1, 30, 10_000], h: [1, 30], m: ['c', 'r'], f: ['png', 'webp', 'jpeg'], t: [0, 1.5] },
    ...{ d: [90, -90, 0], x: [0, 10], y: [0, 10], wait: [false] },
  })

  const answers = async (path: string, init: RequestInit) => {
    const response = await fetch(`http://component${path}`, init)
    await response.body?.cancel()
    expect(response.status).toBeLessThan(500)
    return response
  }

  it('never fails for any range of a download', async () => {
    const [, , digest] = await stored(fetch)
    const headers = headersOf('range', 'if-range', 'if-none-match', 'if-match', 'if-modified-since', 'if-unmodified-since', 'accept') // biome-ignore format: one line
    await fc.assert(
      fc.asyncProperty(headers, fc.constantFrom('GET', 'HEAD'), async (headers, method) => {
        const { status } = await answers(`/file/${digest}`, { method, headers: headers as Record<string, string> })
        expect([200, 206, 304, 412, 416]).toContain(status)
      }),
    )
  })

  it('never fails for any form', async () => {
    const boundary = '--b'
    const piece = fc.oneof(
      fc.constantFrom('--b', '\r\n', '--', ': ', ';', '"', '=', '\0', '%22', '\r\n\r\n'),
      fc.constantFrom('Content-Disposition: form-data; name="file"; filename="a"', 'Content-Type: text/html'),
      fc.constantFrom('Content-Disposition: form-data; name="scope"', 'Content-Transfer-Encoding: base64'),
      fc.constantFrom("filename*=utf-8''%ff%e2", 'charset=utf-7', 'name="__proto__"'),
      fc.string({ unit: 'binary' }),
    )
    const type = fc.oneof(fc.constant(`multipart/form-data; boundary=${boundary.slice(2)}`), odd.map((text) => `multipart/form-data; ${text}`)) // biome-ignore format: one line
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), type, async (pieces, type) => {
        const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${pieces.join('')}`
        const { status } = await answers('/file', { method: 'POST', headers: { 'content-type': type }, body })
        expect([200, 400, 415]).toContain(status)
      }),
      { numRuns: runs(200) },
    )
  })

  it('never fails for random bytes as media', async () => {
    const heads = await Promise.all(Object.values(files).map(fixture))
    const mutated = fc
      .tuple(fc.constantFrom(...heads), fc.array(fc.tuple(fc.nat(), fc.nat(255))), fc.nat(3000))
      .map(([head, changes, length]) => {
        const bytes = head.slice(0, Math.max(8, length))
        for (const [at, byte] of changes) bytes[(at % 300) % bytes.length] = byte
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(mutated, fc.constantFrom('image', 'audio', 'file'), async (bytes, kind) => {
        const body = new FormData()
        body.set('file', new File([bytes], 'a.bin'))
        const response = await fetch(`http://component/${kind}`, { method: 'POST', body })
        await response.body?.cancel()
        // The header of a random image may declare a size that only the media container can decode, and there is none: 503.
        expect([200, 400, 413, 415, ...(kind === 'image' ? [503] : [])]).toContain(response.status)
      }),
      { numRuns: runs(60) },
    )
  })

  it('never fails for any request of a tus client', async () => {
    const headers = headersOf('upload-length', 'upload-offset', 'upload-metadata', 'upload-defer-length', 'content-type', 'x-http-method-override', 'upload-concat') // biome-ignore format: one line
    const method = fc.constantFrom('POST', 'PATCH', 'HEAD', 'DELETE', 'OPTIONS')
    const path = fc.constantFrom('/tus', '/tus/none', `/tus/${digests[0]}`)
    await fc.assert(
      fc.asyncProperty(headers, method, path, fc.string(), async (given, method, path, body) => {
        const headers = { 'tus-resumable': '1.0.0', ...(given as Record<string, string>) }
        await answers(path, { method, headers, ...(method !== 'HEAD' && { body }) })
      }),
    )
  })
})
