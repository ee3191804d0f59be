// Tests uploads in parts (the tus protocol): they resume after the connection, the client or the runtime broke down.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { bucketOf } from './bucket.ts'
import { noise } from './noise.ts'
import { ask, bytesOf, killRuntime, startMedia } from './service.ts'

const size = 40_000_000
const source = noise(size)
const version = { 'tus-resumable': '1.0.0' }

let stack: Stack

beforeAll(async () => {
  stack = await startMedia()
})

afterAll(() => stack.dispose())

const endpoint = () => `${stack.url}/media/tus`

interface Sending {
  upload: Upload
  /** Resolves with the digest of the stored item. */
  done: Promise<string>
}

/** Begins an upload, or resumes the one at `uploadUrl`. */
function send(bytes: Buffer, options: UploadOptions = {}): Sending {
  const { promise: done, resolve, reject } = Promise.withResolvers<string>()
  const upload = new Upload(bytes, {
    endpoint: endpoint(),
    metadata: { filename: 'noise.bin' },
    retryDelays: null,
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('media-digest')!),
    onError: reject,
    ...options,
  })
  upload.start()
  return { upload, done }
}

/** The offset at which the server expects the next bytes of an upload. */
async function offsetAt(url: string): Promise<number> {
  const { status, headers } = await fetch(url, { method: 'HEAD', headers: version })
  expect(status).toBe(200)
  return Number(headers.get('upload-offset'))
}

/** Resumes an upload that was cut off, from its current offset. Returns the digest. */
async function resume(url: string): Promise<string> {
  const offset = await offsetAt(url)
  expect(offset).toBeGreaterThan(0)
  expect(offset).toBeLessThan(size)
  const firsts: number[] = []
  const onProgress = (sent: number) => void firsts.push(sent)
  const digest = await send(source, { endpoint: null, uploadUrl: url, onProgress }).done
  expect(firsts[0]).toBeGreaterThanOrEqual(offset)
  return digest
}

/** Checks that the item has the sent bytes, and that nothing else is left of the upload in R2. */
async function expectWhole(digest: string) {
  const stored = await bytesOf(`${stack.url}/media/file/${digest}`)
  expect(source.equals(stored)).toBe(true)
  expect(bucketOf(stack, digest)).toEqual({ keys: [`${digest}/file`], uploads: [] })
}

describe('an upload in parts', () => {
  it('resumes in another client after the first stopped between two chunks', async () => {
    const { promise: aborted, resolve: giveUp } = Promise.withResolvers<void>()
    const { upload } = send(source, {
      chunkSize: 6_000_000,
      onChunkComplete: (_, accepted) => accepted >= 18_000_000 && upload.abort().then(giveUp),
    })
    await aborted
    expect(await offsetAt(upload.url!)).toBe(18_000_000)
    await expectWhole(await resume(upload.url!))
  })

  it('resumes after the connection broke during a request', async () => {
    const { promise: aborted, resolve: giveUp } = Promise.withResolvers<void>()
    const { upload } = send(source, {
      onProgress: (sent) => sent > size / 2 && upload.abort().then(giveUp),
    })
    await aborted
    await expectWhole(await resume(upload.url!))
  })

  it('resumes after its client was killed during a request', async () => {
    const args = ['tests/stack/media/tus-client.ts', endpoint(), String(size)]
    const client = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(client, 'exit')
    const url = (await text(client.stdout)).trim()
    expect(await ended).toEqual([null, 'SIGKILL'])
    await expectWhole(await resume(url))
  })

  it('resumes after the runtime was killed during a request', async () => {
    const { promise: half, resolve } = Promise.withResolvers<void>()
    const { upload, done } = send(source, { onProgress: (sent) => sent > size / 2 && resolve() })
    const broken = done.catch(() => 'broken')
    await half
    await killRuntime(stack)
    expect(await broken).toBe('broken')
    await expectWhole(await resume(upload.url!))
  })

  it('is deleted when its client terminates it', async () => {
    const { promise: aborted, resolve: giveUp } = Promise.withResolvers<void>()
    const { upload } = send(source, {
      chunkSize: 10_000_000,
      onChunkComplete: () => upload.abort(true).then(giveUp),
    })
    await aborted
    const { status } = await fetch(upload.url!, { method: 'HEAD', headers: version })
    expect(status).toBe(404)
    expect(bucketOf(stack, upload.url!.split('/').at(-1))).toEqual({ keys: [], uploads: [] })
  })

  it('becomes an image, whose thumbnail is the same for thirty concurrent requests', async () => {
    const { data, info } = await sharp(noise(3_000_000), { raw: { width: 1000, height: 1000, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer({ resolveWithObject: true })
    const metadata = { kind: 'image', filename: 'spots.png' }
    const digest = await send(data, { metadata, chunkSize: 1_000_000 }).done
    const { json } = await ask(`${stack.url}/media/image/${digest}/info`)
    expect(json).toMatchObject({ name: 'spots', mimetype: 'image/png', size: info.size, width: 1000, height: 1000 })
    // All requests are sent at once, before a thumbnail exists.
    const requests = Array.from({ length: 30 }, () => bytesOf(`${stack.url}/media/image/${digest}?w=50`))
    const [first, ...others] = await Promise.all(requests)
    expect(await sharp(first).metadata()).toMatchObject({ format: 'png', width: 50, height: 50 })
    for (const other of others) expect(other).toEqual(first)
  })

  it('is rejected and deleted if its content has another type', async () => {
    const metadata = { kind: 'image', filename: 'spots.png' }
    const { upload, done } = send(source.subarray(0, 9_000_000), { metadata })
    await expect(done).rejects.toThrow('unsupported_media_type')
    const { status } = await fetch(upload.url!, { method: 'HEAD', headers: version })
    expect(status).toBe(404)
    expect(bucketOf(stack, upload.url!.split('/').at(-1))).toEqual({ keys: [], uploads: [] })
  })
})
