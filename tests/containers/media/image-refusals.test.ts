// Tests images that the media container refuses: broken, too large, too many at a time.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { ask, useServer } from './server.ts'

const server = useServer({ MAX_PIXELS: '1000000' })

const noise = () => {
  const pixels = Buffer.alloc(200 * 150 * 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * at * 7 + (at % 251)) & 255
  return sharp(pixels, { raw: { width: 200, height: 150, channels: 3 } })
}

const post = (path: string, body: Buffer | string) =>
  ask(server, 'POST', path, typeof body === 'string' ? body : new Uint8Array(body))

const paths = ['/image?format=webp', '/image?width=20&height=15', '/image/check']

describe.each(['jpeg', 'png', 'webp', 'gif'] as const)('a truncated %s', (kind) => {
  it.each(paths)('is rejected by %s as broken', async (path) => {
    const file = await noise()[kind]().toBuffer()
    for (const part of [0.95, 0.5, 0.1]) {
      const answer = await post(path, file.subarray(0, file.length * part))
      expect(answer).toMatchObject({ http: 400, status: false, status_code: 'broken_image' })
    }
  })
})

it('rejects a truncated progressive JPEG', async () => {
  const file = await noise().jpeg({ progressive: true }).toBuffer()
  for (const path of paths)
    expect(await post(path, file.subarray(0, file.length / 2))).toMatchObject({
      http: 400,
      status_code: 'broken_image',
    })
})

it('rejects a corrupted PNG', async () => {
  const file = await noise().png().toBuffer()
  file[file.length >> 1]! ^= 0x55
  expect(await post('/image/check', file)).toMatchObject({ http: 400, status_code: 'broken_image' })
})

it.each([
  ['text', 'hello'],
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
  ['TIFF', await noise().tiff().toBuffer()],
  ['AVIF', await noise().resize(32, 32).avif({ effort: 0 }).toBuffer()],
  ['PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'],
])('rejects %s as another kind of file', async (_, body) => {
  for (const path of paths)
    expect(await post(path, body)).toMatchObject({ http: 415, status_code: 'unsupported_media_type' })
})

describe('more pixels than allowed', () => {
  it.each(paths)('are rejected by %s', async (path) => {
    const file = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect(await post(path, file)).toMatchObject({ http: 413, status_code: 'payload_too_large' })
  })

  it('are rejected when only the header declares them', async () => {
    for (const path of paths) expect(await post(path, claiming(30_000, 30_000))).toMatchObject({ http: 413 })
  })

  it('are rejected for the rendition', async () => {
    const file = await noise().png().toBuffer()
    expect(await post('/image?width=2000&height=2000', file)).toMatchObject({ http: 413 })
  })
})

/** A PNG that consists of a header with this size only. */
function claiming(width: number, height: number): Buffer {
  const header = Buffer.from('IHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0', 'latin1')
  header.writeUInt32BE(width, 4)
  header.writeUInt32BE(height, 8)
  return chunks(header, Buffer.from('IDAT'), Buffer.from('IEND'))
}

function chunks(...all: Buffer[]): Buffer {
  const number = (value: number) => {
    const four = Buffer.alloc(4)
    four.writeUInt32BE(value)
    return four
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...all.flatMap((chunk) => [number(chunk.length - 4), chunk, number(crc32(chunk))]),
  ])
}

it.each([
  'orientation=0',
  'orientation=9',
  'orientation=6.5',
  'format=bmp',
  'format=constructor',
  'x=200',
  'y=-1',
  'x=100&crop_width=101',
  'crop_height=0',
  'orientation=6&x=150',
  'width=0',
  'height=1e3',
  'format=webp&width=20000&height=2',
])('rejects %s', async (query) => {
  const file = await noise().png().toBuffer()
  expect(await post(`/image?${query}`, file)).toMatchObject({ http: 400, status_code: 'validation_failed' })
})

it('processes two images, queues sixteen, rejects more, and accepts requests after that', async () => {
  const file = await noise().png().toBuffer()
  const begun = await Promise.all(Array.from({ length: 18 }, () => beginPost('/image/check', file.length)))
  const refused = await post('/image/check', file)
  expect(refused).toMatchObject({ http: 503, status_code: 'unavailable' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await Promise.all(begun.map((sending) => finish(sending, file)))).toEqual(begun.map(() => 200))
  expect(await post('/image/check', file)).toMatchObject({ http: 200 })
})

/** Sends the head of a POST, and waits until the server has accepted it and expects the body. */
async function beginPost(path: string, length: number): Promise<ClientRequest> {
  const headers = { 'content-length': length, expect: '100-continue' }
  const sending = request(server.url + path, { method: 'POST', headers })
  sending.flushHeaders()
  await once(sending, 'continue')
  return sending
}

async function finish(sending: ClientRequest, body: Buffer): Promise<number | undefined> {
  sending.end(body)
  const [response]: IncomingMessage[] = await once(sending, 'response')
  response!.resume()
  return response!.statusCode
}
