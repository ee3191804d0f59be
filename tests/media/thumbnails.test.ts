// Tests the thumbnails of images: size, format, orientation, storage and deletion.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, inject, it } from 'vitest'
import type { Env } from '#media/bindings'
import { newDigest } from '#media/digest'
import { colourModelOf, readColourProfile } from '#media/headers/colour-profile'
import { addItem, seekItem } from '#media/items'
import { fileKey, previewKey } from '#media/r2-keys'
import type { Renditions } from '#media/renditions'
import { sweepPendingUploads } from '#media/sweep'
import { joined } from '../support/media/recipes.ts'
import { headerOf, picture } from './pictures.ts'
import { matrixProfile, withProfile } from './profiles.ts'
import { bound, invalidParameters, mediaOn, otherwise, refusal } from './support.ts'

const { url, token } = inject('mediaContainer')

const scopes = { flat: { image_max_dimension: 16 } }
const media = mediaOn({ UPLOAD_SCOPES: JSON.stringify(scopes) })

const store = async (path = 'corners/jpeg', scope?: string) => {
  const bytes = await picture(path, 120, 80)
  const { json } = await media.upload('image', bytes, { filename: 'Holiday €.jpg', ...(scope && { scope }) })
  return json.digest
}

const get = async (digest: string, query = '', headers: HeadersInit = {}, method = 'GET') => {
  const response = await media.fetch(`/image/${digest}?${query}`, { headers, method })
  const bytes = await response.bytes()
  return { status: response.status, headers: response.headers, bytes }
}

const sizeOf = ({ bytes }: { bytes: Uint8Array }) => {
  const { format, width, height } = headerOf(bytes)
  return [format, width, height]
}

/** Replaces bindings in the durable object of an item, which renders its thumbnails. */
const makingWith = (digest: string, responses: Partial<Env>) =>
  runInDurableObject(bound.RENDITIONS.getByName(digest), (object: Renditions) => {
    Object.assign(object, { env: { ...bound, ...responses } })
  })

/** A namespace binding that returns the same object for every item. */
const renditions = (asked: object) => ({ getByName: () => asked }) as unknown as Env['RENDITIONS']

const objectsOf = async (digest: string) =>
  (await bound.FILES.list({ prefix: `${digest}/` })).objects.map(({ key }) => key)

describe('a thumbnail', () => {
  it.each(['jpeg-low', 'jpeg-low-exif', 'png-small', 'webp-low', 'webp-low-exif'])(
    'of a %s in its own size is no larger than the original, and has no metadata',
    async (kind) => {
      const bytes = await picture(`noise/${kind}`, 300, 200)
      const { digest } = (await media.upload('image', bytes)).json
      for (const query of ['', 'm=c', 'w=300']) {
        const made = await get(digest, query)
        expect(made.bytes.length).toBeLessThanOrEqual(bytes.length)
        expect(sizeOf(made).slice(1)).toEqual([300, 200])
        expect(new TextDecoder('latin1').decode(made.bytes)).not.toContain('secret place')
      }
    },
  )

  it('of a JPEG in its own size has no previews of the camera, which are metadata', async () => {
    const bytes = await picture('noise/jpeg-low', 300, 200)
    const segment = Uint8Array.from([0xff, 0xe2, 0, 18, ...new TextEncoder().encode('MPF\0secret place')])
    const { digest } = (await media.upload('image', joined(bytes.subarray(0, 2), segment, bytes.subarray(2)))).json
    expect((await get(digest)).bytes).toEqual(bytes)
  })

  it.each(['jpeg-low', 'png-small', 'webp-low'])('of a %s with a profile in its own size is in sRGB', async (kind) => {
    const bytes = withProfile(await picture(`noise/${kind}`, 300, 200), matrixProfile('RGB ', 2.2))
    const { digest } = (await media.upload('image', bytes)).json
    const made = await get(digest)
    expect(readColourProfile(bytes, headerOf(bytes).format)).toBeDefined()
    expect(readColourProfile(made.bytes, headerOf(made.bytes).format)).toBeUndefined()
  })

  it('of a CMYK JPEG in its own size is in sRGB', async () => {
    const bytes = await picture('noise/jpeg-cmyk-low', 300, 200)
    const { digest } = (await media.upload('image', bytes)).json
    expect([colourModelOf(bytes, 'jpeg'), colourModelOf((await get(digest)).bytes, 'jpeg')]).toEqual(['cmyk', 'rgb'])
  })

  it.each([
    ['', 120, 80],
    ['w=60', 60, 40],
    ['h=20', 30, 20],
    ['w=60&h=20', 30, 20],
    ['w=60&h=20&m=r', 30, 20],
    ['w=60&h=20&m=c', 60, 20],
    ['w=20&h=20&m=c', 20, 20],
    ['w=20&m=c', 20, 80],
    ['h=20&m=c', 120, 20],
    ['m=c', 120, 80],
    ['w=1000', 120, 80],
    ['w=1000&h=1000&m=c', 120, 80],
    ['w=9007199254740991&h=40', 60, 40],
    ['w=1', 1, 1],
  ])('of ?%s has the size %i x %i', async (query, width, height) => {
    const responses = await get(await store(), query)
    expect([responses.status, ...sizeOf(responses)]).toEqual([200, 'jpeg', width, height])
  })

  it.each([
    ['w=0', 'w'],
    ['w=-1', 'w'],
    ['w=1.5', 'w'],
    ['w=wide', 'w'],
    ['h=0', 'h'],
    ['h=1e3', 'h'],
    ['w=99999999999999999999', 'w'],
    ['m=x', 'm'],
    ['m=R', 'm'],
    ['f=bmp', 'f'],
    ['f=', 'f'],
  ])('of ?%s is rejected', async (query, field) => {
    expect(await media.ask('GET', `/image/${await store()}?${query}`)).toMatchObject(invalidParameters(field))
  })

  it.each(['image/webp,*/*', 'image/avif'])(
    'has the format of the image if %s would need the container while it is down',
    async (accept) => {
      const { json } = await media.upload('image', await picture('photo/jpeg', 1200, 800), { filename: 'a.jpg' })
      const responses = await get(json.digest, '', { accept })
      expect([responses.status, responses.headers.get('vary'), ...sizeOf(responses)]).toEqual([
        200,
        'Accept',
        'jpeg',
        1200,
        800,
      ])
      expect(await objectsOf(json.digest)).toEqual([fileKey(json.digest), `${json.digest}/rendition/xr.own`])
      for (const f of ['webp', 'avif']) expect((await get(json.digest, `f=${f}`)).status).toBe(503)
    },
  )

  it('is a JPEG for both jpg and jpeg', async () => {
    const digest = await store('corners/png')
    expect((await get(digest, 'f=jpg')).bytes).toEqual((await get(digest, 'f=jpeg')).bytes)
  })

  it('is no larger than its scope allows', async () => {
    const digest = await store('corners/jpeg', 'flat')
    for (const query of ['', 'w=100']) expect(sizeOf(await get(digest, query))).toEqual(['jpeg', 16, 11])
    expect(sizeOf(await get(digest, 'w=100&h=100&m=c'))).toEqual(['jpeg', 16, 16])
    expect(await media.ask('GET', `/image/${digest}/info`)).toMatchObject({ json: { width: 120, height: 80 } })
  })

  it('has the EXIF orientation applied', async () => {
    const bytes = await picture('corners/jpeg-exif', 120, 80, 6)
    const { json } = await media.upload('image', bytes, { filename: 'a.jpg' })
    expect(json).toMatchObject({ width: 80, height: 120 })
    expect(sizeOf(await get(json.digest, 'w=40'))).toEqual(['jpeg', 40, 60])
  })

  it.each([
    ['corners/png', 'png'],
    ['corners/webp', 'webp'],
    ['corners/gif', 'gif'],
  ])('of %s has the same format unless another is requested', async (path, kind) => {
    const digest = await store(path)
    expect(sizeOf(await get(digest, 'w=30'))).toEqual([kind, 30, 20])
    expect(sizeOf(await get(digest, 'w=30&f=jpeg'))).toEqual(['jpeg', 30, 20])
    expect(sizeOf(await get(digest, 'w=30&f=png'))).toEqual(['png', 30, 20])
  })

  it('has the accepted format, and Vary: Accept', async () => {
    const digest = await store()
    await makingWith(digest, { MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token })
    const cases = [
      [{}, '', 'image/jpeg', 'Accept'],
      [{ accept: '*/*' }, '', 'image/jpeg', 'Accept'],
      [{ accept: 'image/*' }, '', 'image/jpeg', 'Accept'],
      [{ accept: 'image/webp,*/*' }, '', 'image/webp', 'Accept'],
      [{ accept: 'image/webp;q=0' }, '', 'image/jpeg', 'Accept'],
      [{ accept: 'image/avif' }, '', 'image/avif', 'Accept'],
      [{ accept: 'image/webp' }, 'f=png', 'image/png', null],
    ] as const
    for (const _ of ['made', 'kept'])
      for (const [headers, query, type, vary] of cases) {
        const responses = await get(digest, `w=20&${query}`, headers)
        expect([headers, responses.status, responses.headers.get('content-type'), responses.headers.get('vary')]).toEqual([headers, 200, type, vary]) // biome-ignore format: one line
      }
    expect(await objectsOf(digest)).toHaveLength(5)
  })

  it('supports ranges and validators', async () => {
    const digest = await store()
    const first = await get(digest, 'w=30')
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-disposition': `inline; filename="Holiday ?.jpg"; filename*=UTF-8''Holiday%20%E2%82%AC.jpg`,
      'content-length': `${first.bytes.length}`,
      'x-content-type-options': 'nosniff',
    })
    const etag = first.headers.get('etag')!
    expect((await get(digest, 'w=30', { 'if-none-match': etag })).status).toBe(304)
    const part = await get(digest, 'w=30', { range: 'bytes=2-5' })
    expect([part.status, part.bytes]).toEqual([206, first.bytes.slice(2, 6)])
    const head = await get(digest, 'w=31', {}, 'HEAD')
    expect([head.status, Number(head.headers.get('content-length')) > 0, head.bytes.length]).toEqual([200, true, 0])
  })

  it('is rendered once for concurrent requests', async () => {
    const digest = await store()
    const puts: string[] = []
    const put: R2Bucket['put'] = async (key: string, ...rest: unknown[]) => {
      puts.push(key)
      return bound.FILES.put(key, ...(rest as [never])) as never
    }
    await makingWith(digest, { FILES: otherwise(bound.FILES, { put }) })

    const responses = await Promise.all(Array.from({ length: 20 }, () => get(digest, 'w=50')))
    responses.push(await get(digest, 'w=50'))

    expect(responses.map(({ status }) => status)).toEqual(Array(21).fill(200))
    expect(puts).toHaveLength(1)
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  })

  it('is deleted with its image, and a running rendering is not stored', async () => {
    const digest = await store()
    await get(digest, 'w=10')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const put: R2Bucket['put'] = async (key: string, ...rest: unknown[]) => {
      await released
      return bound.FILES.put(key, ...(rest as [never])) as never
    }
    await makingWith(digest, { FILES: otherwise(bound.FILES, { put }) })
    const late = get(digest, 'w=20')
    await expect.poll(() => runInDurableObject(bound.RENDITIONS.getByName(digest), (_: Renditions, { storage }) => storage.kv.get('kept'))).toBe(2) // biome-ignore format: one line

    const item = (await seekItem(media.store, digest))!
    const refused = Promise.withResolvers<unknown>()
    const stub = bound.RENDITIONS.getByName(digest)
    const remove = (...given: [string]) => {
      const removed = stub.remove(...given)
      // This call is sent on the same stub after `remove`, so the durable object receives it after the deletion has begun.
      stub.make(item, 'later', { of: 'image', m: 'r' }).then(refused.reject, refused.resolve)
      return removed
    }
    const deleted = mediaOn({ RENDITIONS: renditions({ remove }) }).ask('DELETE', `/image/${digest}`)
    expect(await refused.promise).toMatchObject({ code: 'image_not_found' })
    release()

    expect((await deleted).status).toBe(200)
    expect([200, 404]).toContain((await late).status)
    expect(await objectsOf(digest)).toEqual([])
    for (const query of ['w=10', 'w=20', '']) expect((await get(digest, query)).status).toBe(404)
    await sweepPendingUploads(media.env)
    expect(await objectsOf(digest)).toEqual([])
  })

  it.each([
    ['before it was removed', ''],
    ['after that', 'Network connection lost.'],
  ])('is deleted with its image when a deletion that failed %s is repeated', async (_, lost) => {
    const digest = await store()
    await get(digest, 'w=8')
    const remove = async (...given: [string]) => {
      if (lost) await bound.RENDITIONS.getByName(digest).remove(...given)
      throw new Error(lost)
    }
    const failing = mediaOn({ RENDITIONS: renditions({ remove }) })
    expect((await failing.ask('DELETE', `/image/${digest}`)).status).toBe(500)

    expect((await media.ask('DELETE', `/image/${digest}`)).status).toBe(200)
    for (const query of ['w=8', 'w=9']) expect((await get(digest, query)).status).toBe(404)
    expect(await objectsOf(digest)).toEqual([])
    expect((await media.ask('DELETE', `/image/${digest}`)).status).toBe(404)
  })

  it('is 503 if it needs the container while that is down', async () => {
    const digest = await store()
    const unavailable = refusal(503, 'unavailable')
    const answer = await media.ask('GET', `/image/${digest}?f=avif`)
    expect(answer).toMatchObject(unavailable)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await objectsOf(digest)).toEqual([fileKey(digest)])
  })
})

describe('a preview', () => {
  const addVideo = async (state: 'ready' | 'failed') => {
    const digest = newDigest()
    await addItem(media.store, {
      ...{ digest, kind: 'video', name: 'film', extension: 'mp4', mimetype: 'video/mp4', size: 1, state },
      ...{ width: 120, height: 80, duration: 10, orientation: null, max_dimension: null },
      ...{ charset: null, failure: null },
    })
    await bound.FILES.put(previewKey(digest), await picture('corners/jpeg', 120, 80))
    return digest
  }

  it('is the default frame, with GET and POST', async () => {
    const digest = await addVideo('ready')
    for (const send of [{ path: '?w=30' }, { path: '', method: 'POST', body: '{"w":30}' }]) {
      const response = await media.fetch(`/video/${digest}/preview${send.path}`, send)
      expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([200, 'image/jpeg', null]) // biome-ignore format: one line
      expect(sizeOf({ bytes: await response.bytes() })).toEqual(['jpeg', 30, 20])
    }
  })

  it('ignores ranges and conditions in a POST', async () => {
    const path = `/video/${await addVideo('ready')}/preview?w=30`
    const whole = await (await media.fetch(path)).bytes()
    for (const headers of [
      { range: 'bytes=0-9' },
      { 'if-none-match': '*' },
      { 'if-modified-since': new Date().toUTCString() },
    ]) {
      const response = await media.fetch(path, { method: 'POST', headers: headers as HeadersInit })
      expect([response.status, await response.bytes()]).toEqual([200, whole])
    }
  })

  it('does not exist for an image, and vice versa', async () => {
    const [video, image] = [await addVideo('ready'), await store()]
    for (const query of ['w=30&f=jpeg', 'w=30', 'f=jpeg']) {
      await (await media.fetch(`/video/${video}/preview?${query}`)).bytes()
      await get(image, query)
      expect(await media.ask('GET', `/image/${video}?${query}`)).toMatchObject(refusal(404, 'image_not_found'))
      expect(await media.ask('GET', `/video/${image}/preview?${query}`)).toMatchObject(refusal(404, 'video_not_found'))
    }
  })

  it.each(['t=-1', 't=10', 't=1e9', 't=x', 'w=0', 'm=x'])('of ?%s is rejected', async (query) => {
    const field = query.slice(0, 1)
    expect(await media.ask('GET', `/video/${await addVideo('ready')}/preview?${query}`)).toMatchObject(
      invalidParameters(field),
    )
  })

  it('is 422 for a video that could not be decoded, and so is the video', async () => {
    const digest = await addVideo('failed')
    for (const path of [`/video/${digest}/preview`, `/video/${digest}`, `/file/${digest}`])
      expect(await media.ask('GET', path)).toMatchObject(refusal(422, 'media_failed'))
    expect(await media.ask('GET', `/video/${digest}/info`)).toMatchObject({ json: { state: 'failed', progress: 0 } })
  })
})
