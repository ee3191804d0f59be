// Tests of the image engine that uses Cloudflare Images, with the simulation of the local runtime.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#media/bindings'
import { cloudflareImages, transformsFor } from '#media/engines/cloudflare-images'
import type { Header, Orientation } from '#media/engines/engine'
import { engineFor } from '#media/engines/engine-choice'
import { planCrop, planRotation, planThumbnail } from '#media/render-plan'
import type { Renditions } from '#media/renditions'
import { blue, distance, green, headerOf, picture, red, rendered, shown, sourceOf, white } from './pictures.ts'
import { bound, mediaOn } from './support.ts'

// The simulation of Cloudflare Images in the local runtime. It neither trims nor flips, and writes no GIF, so only the planned
// transforms of these are tested.
const { LOCAL_IMAGES } = env as unknown as { LOCAL_IMAGES: ImagesBinding }
const local = cloudflareImages(LOCAL_IMAGES)

const header: Header = { format: 'jpeg', width: 120, height: 80, orientation: 1 }
const refused = (code: string) => expect.objectContaining({ name: 'Failure', code })

const cornersOf = (file: Uint8Array) => {
  const { width, height, at } = shown(file)
  return [at(3, 3), at(width - 4, 3), at(width - 4, height - 4), at(3, height - 4)]
}

const far = (file: Uint8Array, expected: (readonly number[])[]) =>
  Math.max(...cornersOf(file).map((corner, i) => distance(corner, expected[i]!)))

it.each(['jpeg', 'png', 'webp'] as const)('makes a thumbnail as %s', async (format) => {
  const source = sourceOf(await picture('corners/jpeg', 120, 80))
  await local.check(source)
  const file = await rendered(local, source, planThumbnail(source.header, { w: 60, m: 'r' }, 4096, format))
  expect(headerOf(file)).toEqual({ format, width: 60, height: 40, orientation: 1 })
  expect(far(file, [red, green, white, blue])).toBeLessThan(40)
})

it.each([3, 6, 8] as const)('displays orientation %i upright, and rotates from there', async (orientation) => {
  const source = sourceOf(await picture('corners/jpeg', 120, 80, orientation))
  const upright = {
    3: [white, blue, red, green],
    6: [blue, red, green, white],
    8: [green, white, blue, red],
  }[orientation]
  const file = await rendered(local, source, planThumbnail(source.header, { m: 'r' }, 4096, 'png'))
  expect(far(file, upright)).toBeLessThan(40)
  const turned = await rendered(local, source, { ...planRotation(source.header, 90), format: 'png' })
  expect(far(turned, [upright[3]!, ...upright.slice(0, 3)])).toBeLessThan(40)
})

it('processes images if it is bound', async () => {
  const bound = { ...env, IMAGES: LOCAL_IMAGES, MEDIA_CONTAINER: undefined } as unknown as Env
  const source = sourceOf(await picture('corners/jpeg', 120, 80))
  const file = await rendered(engineFor(bound, source.header, source.size, 'avif'), source, {
    ...{ orientation: 1, width: 60, height: 40, format: 'avif' },
  })
  expect(new TextDecoder().decode(file.subarray(4, 12))).toBe('ftypavif')
})

it.each(['jpeg', 'png', 'webp'])('refuses a %s that ends before its end', async (kind) => {
  const file = await picture(`photo/${kind}`, 120, 80)
  const cut = sourceOf(file.slice(0, file.length / 2), headerOf(file))
  await expect(local.check(cut)).rejects.toThrow(refused('validation_failed'))
})

it.each(['jpeg', 'png'])('makes a thumbnail of a %s without its end, which Images accepts', async (kind) => {
  const cut = (await picture(`photo/${kind}`, 60, 40)).slice(0, -12)
  const larger = await picture(`noise/${kind}`, 120, 80)
  const transformer = {
    transform: () => transformer,
    output: async () => ({ image: () => new Blob([larger]).stream(), contentType: () => `image/${kind}` }),
  }
  const IMAGES = { input: () => transformer } as unknown as ImagesBinding
  const media = mediaOn({ IMAGES })
  const { digest } = (await media.upload('image', cut)).json
  await runInDurableObject(bound.RENDITIONS.getByName(digest), (object: Renditions) => {
    Object.assign(object, { env: { ...bound, IMAGES } })
  })
  const response = await media.fetch(`/image/${digest}`)
  expect([response.status, await response.bytes()]).toEqual([200, larger])
})

it('labels a rendition with the format that Cloudflare Images returned', async () => {
  const jpeg = await picture('corners/jpeg', 120, 80)
  const transformer = {
    transform: () => transformer,
    output: async () => ({ image: () => new Blob([jpeg]).stream(), contentType: () => 'image/jpeg' }),
  }
  const IMAGES = { input: () => transformer } as unknown as ImagesBinding
  const media = mediaOn()
  const { digest } = (await media.upload('image', jpeg)).json
  await runInDurableObject(bound.RENDITIONS.getByName(digest), (object: Renditions) => {
    Object.assign(object, { env: { ...bound, IMAGES } })
  })
  const response = await media.fetch(`/image/${digest}?f=avif`)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('content-disposition')).toContain('.jpg')
  expect(await response.bytes()).toEqual(jpeg)
})

describe('the transforms', () => {
  it('crop and scale the image', () => {
    const box = { x: 10, y: 20, width: 30, height: 40 }
    expect(transformsFor(header, planCrop(header, box))).toEqual([
      { trim: { left: 10, top: 20, width: 30, height: 40 } },
      { width: 30, height: 40, fit: 'squeeze' },
    ])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as Orientation[])(
    'have no rotation for a thumbnail of orientation %i, and one for a rotation',
    (n) => {
      const stored = { ...header, orientation: n }
      expect(transformsFor(stored, planRotation(stored, 0))).toHaveLength(1)
      expect(transformsFor(stored, planRotation(stored, 90))[0]).toEqual({ rotate: 90 })
      expect(transformsFor(stored, planRotation(stored, -90))[0]).toEqual({ rotate: 270 })
    },
  )
})

describe('an error', () => {
  const failing = (code: number) => {
    const error = Object.assign(new Error('no'), { code })
    const transformer = { transform: () => transformer, output: () => Promise.reject(error) }
    return cloudflareImages({ input: () => transformer } as unknown as ImagesBinding)
  }

  it.each([
    [9412, 'validation_failed'],
    [9520, 'validation_failed'],
    [9402, 'payload_too_large'],
    [9413, 'payload_too_large'],
    [9523, 'validation_failed'],
    [9422, 'images_failed'],
  ])('with code %i becomes %s', async (code, slug) => {
    const source = sourceOf(await picture('corners/jpeg', 120, 80))
    await expect(failing(code).check(source)).rejects.toThrow(refused(slug))
  })
})
