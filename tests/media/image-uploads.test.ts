// Tests which uploaded images are accepted, also with a media container that is down.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, inject, it } from 'vitest'
import type { Env } from '#media/bindings'
import { fileKey } from '#media/r2-keys'
import type { TusUpload } from '#media/tus-upload'
import { databases } from '../support/databases.ts'
import { picture } from './pictures.ts'
import { bound, invalidParameters, mediaOn, nothing, refusal } from './support.ts'
import { digestOf, objectOf, pathOf, tusClient, uploadStateOf } from './tus-client.ts'

const { url, token } = inject('mediaContainer')
const container = { MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token }

/** Makes a PNG whose header declares another size than its pixels have. */
async function claiming(width: number, height: number) {
  const bytes = (await picture('corners/png', 120, 80)).slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

describe.each(databases)('an image on $dialect', (database) => {
  const fresh = (given: Partial<Env> = {}) => mediaOn({ DB: undefined as never, ...database, ...given })

  it('is rejected above the maximum number of pixels', async () => {
    const media = fresh({ IMAGE_MAX_PIXELS: '9600' })
    const { status, json } = await media.upload('image', await picture('corners/png', 120, 80))
    expect(status).toBe(200)
    const kept = await media.left()
    for (const [width, height] of [
      [121, 80],
      [97, 99],
      [1, 10_000],
    ] as const) {
      const bytes = await claiming(width, height)
      expect(await media.upload('image', bytes)).toMatchObject(refusal(413, 'payload_too_large'))
    }
    expect(await media.left()).toEqual(kept)
    expect(kept.items).toEqual([json.digest])
  })

  it('that only the container can decode is rejected while the container is down, and leaves nothing behind', async () => {
    const media = fresh()
    const answer = await media.upload('image', await claiming(9_000, 9_000))
    expect(answer).toMatchObject(refusal(503, 'unavailable'))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await media.left()).toEqual(nothing)
  })

  it('that the container cannot decode is rejected as broken, and leaves nothing behind', async () => {
    const media = fresh(container)
    expect(await media.upload('image', await claiming(9_000, 9_000))).toMatchObject(invalidParameters('file'))
    expect(await media.left()).toEqual(nothing)
  })

  it('is stored unchanged, with its metadata', async () => {
    const media = fresh()
    const bytes = await picture('corners/jpeg-exif', 120, 80, 6)
    const { json } = await media.upload('image', bytes, { filename: 'a.PNG', type: 'image/png' })
    expect(json).toMatchObject({ mimetype: 'image/jpeg', extension: 'png', size: bytes.length, width: 80, height: 120 })
    expect(await media.bytesOf(`/file/${json.digest}`)).toEqual(new Uint8Array(bytes))
  })

  it('gets its extension from its content if the name has none', async () => {
    const { json } = await fresh().upload('image', await picture('corners/gif', 120, 80), { filename: 'picture' })
    expect(json).toMatchObject({ name: 'picture', extension: 'gif', mimetype: 'image/gif' })
  })
})

it('that was sent by tus while the container was down exists once the container is up', async () => {
  const media = mediaOn()
  const { create, patch, head } = tusClient(media)
  const bytes = await claiming(9_000, 9_000)
  const path = pathOf(await create(bytes.length, { kind: 'image' }))
  expect(await patch(path, 0, bytes)).toMatchObject(refusal(503, 'unavailable'))
  expect((await head(path)).status).toBe(503)
  expect(await media.left()).toMatchObject({ pendingUploads: [digestOf(path)], objects: [fileKey(digestOf(path))] })

  const whole = await picture('noise/png', 120, 80)
  await bound.FILES.put(fileKey(digestOf(path)), whole)
  await runInDurableObject(objectOf(path), (object: TusUpload, { storage: { kv } }) => {
    Object.assign(object, { env: { ...bound, ...container } })
    kv.put('upload', { ...kv.get<object>('upload'), size: whole.length, offset: whole.length })
  })

  expect(uploadStateOf(await head(path))).toMatchObject({ status: 200, digest: digestOf(path) })
  expect(await media.left()).toMatchObject({ items: [digestOf(path)], pendingUploads: [] })
})
