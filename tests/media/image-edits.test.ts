// Tests the rotation and the cropping of images.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { blue, distance, green, headerOf, picture, red, shown, white } from './pictures.ts'
import { invalidParameters, mediaOn, nothing, refusal } from './support.ts'

const base = 'http://media.test'

describe.each(databases)('an image on $dialect', (database) => {
  const media = mediaOn({ DB: undefined as never, ...database })
  const store = async (path = 'corners/png', orientation = 0) => {
    const bytes = await picture(path, 120, 80, orientation)
    return (await media.upload('image', bytes, { filename: 'Corners.png' })).json.digest
  }
  const rotate = (digest: string, d?: unknown) => media.ask('POST', `/image/${digest}/rotate`, { d })
  const crop = (digest: string, x: unknown, y: unknown, w: unknown, h: unknown) =>
    media.ask('POST', `/image/${digest}/crop`, { x, y, w, h })
  /** Returns the colours of an image's corners, clockwise from the upper left. */
  const cornersOf = async (digest: string) => {
    const { width, height, at } = shown(await media.bytesOf(`/file/${digest}`))
    const [right, bottom] = [width - 3, height - 3]
    return [at(2, 2), at(right, 2), at(right, bottom), at(2, bottom)].map((pixel) =>
      Object.keys(colours).find((name) => distance(pixel, colours[name as keyof typeof colours]) < 40),
    )
  }
  const colours = { red, green, blue, white }

  it.each([
    [90, 80, 120, ['blue', 'red', 'green', 'white']],
    [-270, 80, 120, ['blue', 'red', 'green', 'white']],
    [450, 80, 120, ['blue', 'red', 'green', 'white']],
    ['90', 80, 120, ['blue', 'red', 'green', 'white']],
    [180, 120, 80, ['white', 'blue', 'red', 'green']],
    [270, 80, 120, ['green', 'white', 'blue', 'red']],
    [-90, 80, 120, ['green', 'white', 'blue', 'red']],
    [0, 120, 80, ['red', 'green', 'white', 'blue']],
    [360_000_000, 120, 80, ['red', 'green', 'white', 'blue']],
  ])('rotated by %s is a new image of %i x %i', async (d, width, height, corners) => {
    const parent = await store()
    const { status, json } = await rotate(parent, d)
    const { digest } = json
    expect(digest).not.toBe(parent)
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        ...{ status: true, digest, name: 'Corners', extension: 'png', mimetype: 'image/png', size: expect.any(Number) },
        ...{ download: `${base}/file/${digest}`, thumbnail: `${base}/image/${digest}`, width, height },
      },
    })
    expect(await cornersOf(digest)).toEqual(corners)
    const download = await media.fetch(`/file/${digest}`)
    expect([download.headers.get('content-type'), (await download.bytes()).length]).toEqual(['image/png', json.size])
    expect((await media.ask('GET', `/image/${digest}/info`)).json).toEqual(json)
  })

  it('rotated by a multiple of 360 degrees is a copy of the file with its metadata', async () => {
    const parent = await store('corners/jpeg-exif', 6)
    const bytes = await media.bytesOf(`/file/${parent}`)
    for (const d of [0, 360, -720]) {
      const { json } = await rotate(parent, d)
      expect(json).toMatchObject({ status: true, width: 80, height: 120, size: bytes.length, mimetype: 'image/jpeg' })
      expect(await media.bytesOf(`/file/${json.digest}`)).toEqual(bytes)
      const { json: turned } = await rotate(json.digest, 90)
      expect(await cornersOf(turned.digest)).toEqual(['white', 'blue', 'red', 'green'])
    }
  })

  it('has exactly the cropped part', async () => {
    const parent = await store()
    const { json } = await crop(parent, 60, 0, 60, 40)
    expect(json).toMatchObject({ status: true, width: 60, height: 40, name: 'Corners' })
    expect(await cornersOf(json.digest)).toEqual(Array(4).fill('green'))
    expect(await cornersOf((await crop(parent, '0', '0', '120', '80')).json.digest)).toEqual(await cornersOf(parent))
    expect((await crop(parent, 119, 79, 1, 1)).json).toMatchObject({ width: 1, height: 1 })
  })

  it('is cropped and rotated in its upright orientation', async () => {
    const parent = await store('corners/jpeg-exif', 6)
    const turned = (await rotate(parent, 90)).json
    expect(turned).toMatchObject({ width: 120, height: 80, mimetype: 'image/jpeg' })
    expect(await cornersOf(turned.digest)).toEqual(['white', 'blue', 'red', 'green'])
    const part = (await crop(parent, 0, 0, 40, 60)).json
    expect(part).toMatchObject({ width: 40, height: 60 })
    expect(await cornersOf(part.digest)).toEqual(Array(4).fill('blue'))
  })

  it('may be derived from a derived image, and survives its deletion', async () => {
    const parent = await store()
    const turned = (await rotate(parent, 90)).json.digest
    expect((await media.ask('DELETE', `/image/${parent}`)).status).toBe(200)
    const cut = (await crop(turned, 0, 0, 40, 60)).json.digest
    expect((await media.ask('DELETE', `/image/${turned}`)).status).toBe(200)
    const last = (await rotate(cut, 180)).json
    expect(last).toMatchObject({ status: true, width: 40, height: 60 })
    expect(await cornersOf(last.digest)).toEqual(Array(4).fill('blue'))
    expect(headerOf(await media.bytesOf(`/file/${cut}`))).toMatchObject({ width: 40, height: 60 })
  })

  it.each([45, 1, -89, 90.5, '45', 'x', true, null, undefined, [], 2 ** 60])('is not turned by %s', async (d) => {
    const digest = await store()
    const kept = await media.left()
    expect(await rotate(digest, d)).toMatchObject(invalidParameters('d'))
    expect(await media.left()).toEqual(kept)
  })

  it.each([
    [[-1, 0, 10, 10], 'x'],
    [[0, -1, 10, 10], 'y'],
    [[120, 0, 1, 1], 'x'],
    [[0, 80, 1, 1], 'y'],
    [[0, 0, 121, 80], 'w'],
    [[0, 0, 120, 81], 'h'],
    [[1, 0, 120, 80], 'w'],
    [[0, 0, 0, 10], 'w'],
    [[0, 0, 10, 0], 'h'],
    [[0, 0, 10, -10], 'h'],
    [[0.5, 0, 10, 10], 'x'],
    [['a', 0, 10, 10], 'x'],
    [[0, 0, 10, null], 'h'],
    [[0, 0, Number.MAX_SAFE_INTEGER, 10], 'w'],
    [[Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER, 10], 'x'],
  ])('is not cropped by %j', async ([x, y, w, h], field) => {
    const digest = await store()
    const kept = await media.left()
    expect(await crop(digest, x, y, w, h)).toMatchObject(invalidParameters(field))
    expect(await media.left()).toEqual(kept)
  })

  it('is derived only from an image', async () => {
    const media = mediaOn({ DB: undefined as never, ...database })
    const { digest } = (await media.upload('file', await picture('corners/png', 120, 80))).json
    const unknown = refusal(404, 'image_not_found')
    expect(await media.ask('POST', `/image/${digest}/rotate`, { d: 90 })).toMatchObject(unknown)
    expect(await media.ask('POST', `/image/${digest}/crop`, { x: 0, y: 0, w: 1, h: 1 })).toMatchObject(unknown)
    expect(await media.left()).toEqual({ ...nothing, items: [digest], objects: [`${digest}/file`] })
  })
})
