// Tests that no byte of a tus upload is lost or duplicated when connections break or the server crashes.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { fileKey } from '#media/r2-keys'
import { partBytes as part } from '#media/stream-upload'
import type { TusUpload } from '#media/tus-upload'
import { bound, mediaOn, noise, nothing, sha } from './support.ts'
import { digestOf, objectOf, pathOf, tusClient, uploadStateOf } from './tus-client.ts'

const fresh = (given = {}) => {
  const media = mediaOn(given)
  return { media, ...tusClient(media) }
}

/** Returns a request body that sends some bytes, and then breaks or never ends. */
const unended = (bytes: Uint8Array, then: 'breaks' | 'hangs') => {
  const pieces = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)]
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces.shift()
        if (piece) controller.enqueue(piece)
        else if (then === 'breaks') controller.error(new Error('gone'))
        else return new Promise<void>(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

type Client = ReturnType<typeof tusClient>

/** Resumes an upload: asks for the offset, and sends the remaining bytes. */
async function goOn({ head, patch }: Client, path: string, bytes: Uint8Array) {
  const offset = Number((await head(path)).headers.get('upload-offset'))
  return { offset, answer: await patch(path, offset, bytes.subarray(offset)) }
}

describe('the bytes of a tus upload', () => {
  it.each([
    ['a byte at a time', [1, 1, 1]],
    ['a part less a byte', [part - 1, 1, 1]],
    ['a part', [part, 1]],
    ['a part and a byte', [part + 1, part - 1]],
    ['two parts', [part, part]],
    ['pieces across parts', [part - 1, 2, part, 3 * part + 5, 7]],
    ['20 MB and a little', [20_000_000, 1, 5_000_000]],
    ['all at once', [2 * part + 3]],
  ])('sent in %s are stored unchanged', async (_, sizes) => {
    const { media, begin, patch } = fresh()
    const size = sizes.reduce((sum, piece) => sum + piece, 0)
    const bytes = noise(size, size)
    const path = await begin(size, { filename: 'a.bin' })
    const digest = digestOf(path)
    let offset = 0
    for (const piece of sizes) {
      const answer = await patch(path, offset, bytes.subarray(offset, offset + piece))
      offset += piece
      const isWhole = offset === size
      expect(uploadStateOf(answer)).toEqual({ status: 204, offset: `${offset}`, digest: isWhole ? digest : null })
    }
    expect(await sha(await media.bytesOf(`/file/${digest}`))).toBe(await sha(bytes))
    expect(await media.left()).toMatchObject({ items: [digest], pendingUploads: [], objects: [fileKey(digest)] })
  })

  it.each([10, part, part + 10])('are kept up to the break of a connection after %i bytes', async (arriving) => {
    const { media, ...client } = fresh()
    const bytes = noise(arriving + 1000)
    const path = await client.begin(bytes.length)
    await client.patch(path, 0, unended(bytes.subarray(0, arriving), 'breaks')).catch(() => undefined)

    const { offset, answer } = await goOn(client, path, bytes)

    expect(offset).toBe(arriving)
    expect(uploadStateOf(answer)).toMatchObject({ status: 204, digest: digestOf(path) })
    expect(await sha(await media.bytesOf(`/file/${digestOf(path)}`))).toBe(await sha(bytes))
  })

  it('are taken from a new connection while an earlier one hangs', async () => {
    const { media, ...client } = fresh()
    const bytes = noise(part + 1000)
    const path = await client.begin(bytes.length)
    const hanging = client.patch(path, 0, unended(bytes.subarray(0, part + 10), 'hangs'))
    // Waits until the hanging request has sent enough bytes for a part.
    await expect.poll(() => partsOf(path)).toBe(1)

    const { offset, answer } = await goOn(client, path, bytes)

    expect(offset).toBeGreaterThanOrEqual(part)
    expect((await hanging).headers.get('upload-offset')).toBe(`${offset}`)
    expect(uploadStateOf(answer)).toMatchObject({ status: 204, digest: digestOf(path) })
    expect(await sha(await media.bytesOf(`/file/${digestOf(path)}`))).toBe(await sha(bytes))
  })

  it('have one writer at a time', async () => {
    const { media, ...client } = fresh()
    const bytes = noise(100_000)
    const path = await client.begin(bytes.length)
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.patch(path, 0, bytes)))
    for (const { status } of answers) expect([204, 409]).toContain(status)
    await goOn(client, path, bytes)
    expect(await sha(await media.bytesOf(`/file/${digestOf(path)}`))).toBe(await sha(bytes))
  })

  it.each([
    ['is evicted', (path: string) => evictDurableObject(objectOf(path))],
    ['dies', () => abortAllDurableObjects()],
  ])('resume after the durable object %s between two requests', async (_, end) => {
    const { media, ...client } = fresh()
    const bytes = noise(2 * part + 100)
    const path = await client.begin(bytes.length)
    for (const [from, to] of [
      [0, 10],
      [10, part + 10],
      [part + 10, 2 * part],
    ] as const) {
      expect((await client.patch(path, from, bytes.subarray(from, to))).status).toBe(204)
      await end(path)
    }
    expect(uploadStateOf((await goOn(client, path, bytes)).answer)).toMatchObject({ digest: digestOf(path) })
    await end(path)
    expect(uploadStateOf(await client.head(path))).toEqual({
      status: 200,
      offset: `${bytes.length}`,
      digest: digestOf(path),
    })
    expect(await sha(await media.bytesOf(`/file/${digestOf(path)}`))).toBe(await sha(bytes))
  })

  it.each([
    ['that its item is there', 'isAdmitted'],
    ['that its bytes are there', 'isStored'],
  ])('resume after a crash before %s was stored', async (_, lost) => {
    const { media, ...client } = fresh()
    const bytes = noise(part + 100)
    const path = await client.begin(bytes.length)
    await client.patch(path, 0, bytes.subarray(0, part + 1))
    await client.patch(path, part + 1, bytes.subarray(part + 1))
    await runInDurableObject(objectOf(path), (_: TusUpload, { storage: { kv } }) => {
      const { [lost]: __, isAdmitted: ___, ...upload } = kv.get<Record<string, unknown>>('upload')!
      kv.put('upload', upload)
    })
    // Restores the tail of the upload. At a crash before `isStored` was saved, R2 has the complete object and may still have the
    // tail.
    if (lost === 'isStored') await bound.FILES.put(`${digestOf(path)}/tail/${bytes.length}`, bytes.subarray(part))

    expect(uploadStateOf(await client.head(path))).toEqual({
      status: 200,
      offset: `${bytes.length}`,
      digest: digestOf(path),
    })
    expect(await media.left()).toMatchObject({ items: [digestOf(path)], objects: [fileKey(digestOf(path))] })
    expect(await sha(await media.bytesOf(`/file/${digestOf(path)}`))).toBe(await sha(bytes))
  })

  it.each([0, 10, part, part + 10])('are deleted when the upload expires after %i bytes', async (arrived) => {
    const { media, create, head } = fresh()
    const offsets = { 'content-type': 'application/offset+octet-stream' }
    const path = pathOf(await create(part * 2, {}, arrived ? offsets : {}, arrived ? noise(arrived) : undefined))
    const upload = await uploadOf(path)
    expect(await media.left()).toMatchObject({ pendingUploads: [digestOf(path)] })

    expect(await runDurableObjectAlarm(objectOf(path))).toBe(true)

    expect((await head(path)).status).toBe(404)
    expect(await media.left()).toEqual(nothing)
    const resumed = bound.FILES.resumeMultipartUpload(fileKey(digestOf(path)), upload ?? 'none')
    await expect(resumed.uploadPart(1, 'x')).rejects.toThrow()
    expect(await runDurableObjectAlarm(objectOf(path))).toBe(false)
  })

  it('are deleted when the upload expires, while its item stays', async () => {
    const { media, begin, patch, head } = fresh({ UPLOAD_LIFETIME: '3600' })
    const path = await begin(5)
    expect(Date.parse((await patch(path, 0, 'hello')).headers.get('upload-expires')!)).toBeLessThanOrEqual(
      Date.now() + 3_600_000,
    )
    await runDurableObjectAlarm(objectOf(path))
    expect((await head(path)).status).toBe(404)
    expect((await media.ask('GET', `/file/${digestOf(path)}/info`)).status).toBe(200)
  })

  it.each([
    ['a version that is not spoken', 412, { 'tus-resumable': '0.1' }],
    ['a type that it is not of', 415, { 'content-type': 'text/plain' }],
    ['another offset', 409, { 'upload-offset': '7' }],
  ])('are read to the end when rejected for %s', async (_, status, headers) => {
    const { begin, patch } = fresh()
    const path = await begin(1_000_000)
    let left = 50
    const body = new ReadableStream({
      type: 'bytes',
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(10_000)) : controller.close()),
    })
    expect((await patch(path, 0, body, headers as Record<string, string>)).status).toBe(status)
    expect(left).toBeLessThanOrEqual(0)
  })

  it('expire after the configured lifetime', async () => {
    for (const UPLOAD_LIFETIME of ['0', 'x']) expect((await fresh({ UPLOAD_LIFETIME }).create(5)).status).toBe(503)
  })
})

const kept = (path: string) =>
  runInDurableObject(objectOf(path), (_: TusUpload, { storage }) =>
    storage.kv.get<{ parts: unknown[]; upload?: string }>('upload'),
  )

const partsOf = async (path: string) => (await kept(path))?.parts.length
const uploadOf = async (path: string) => (await kept(path))?.upload
