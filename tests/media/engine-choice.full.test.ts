// Tests which engine processes an image: the Worker, the media container or Cloudflare Images.
import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import type { Env } from '#media/bindings'
import { containerOf } from '#media/container'
import { containerEngine } from '#media/engines/container-engine'
import type { Header } from '#media/engines/engine'
import { engineFor } from '#media/engines/engine-choice'
import { planThumbnail } from '#media/render-plan'
import { headerOf, picture, rendered, sourceOf } from './pictures.ts'

const { url, token } = inject('mediaContainer')
const withContainer = { ...env, MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token } as unknown as Env
const alone = { ...env, MEDIA_CONTAINER: undefined } as unknown as Env

const refused = (code: string) => expect.objectContaining({ name: 'Failure', code })
const small: Header = { format: 'jpeg', width: 100, height: 100, orientation: 1 }

describe('the engine for an image', () => {
  it('is the Worker for a small image', async () => {
    const source = sourceOf(await picture('photo/jpeg', 600, 400))
    const engine = engineFor(alone, source.header, source.size, 'webp')
    await engine.check(source)
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 60, m: 'r' }, 4096, 'webp'))
    expect(headerOf(file)).toEqual({ format: 'webp', width: 60, height: 40, orientation: 1 })
  })

  const sizes = [
    [3000, 2000],
    [4000, 3000],
    [6000, 4000],
    [8000, 6000],
  ] as const
  const large = ['photo/jpeg-420', 'ramp/png', 'ramp/webp'].flatMap((kind) =>
    sizes.map((size) => [kind, ...size] as const),
  )

  it.each(large)('is the container for a %s of %i x %i', async (kind, width, height) => {
    const source = sourceOf(await picture(kind, width, height))
    const plan = planThumbnail(source.header, { w: 200, m: 'r' }, 4096, 'jpeg')
    const engine = engineFor(withContainer, source.header, source.size, 'jpeg')
    await engine.check(source)
    expect(headerOf(await rendered(engine, source, plan))).toMatchObject({
      width: 200,
      height: Math.round((200 * height) / width),
    })
    const nothing = engineFor(alone, source.header, source.size, 'jpeg')
    await expect(nothing.check(source)).rejects.toThrow(refused('not_configured'))
    await expect(nothing.render(source, plan)).rejects.toThrow(refused('not_configured'))
  })

  it('is the container for a CMYK image whose conversion takes more memory than the Worker has', async () => {
    const source = sourceOf(await picture('photo/jpeg-cmyk-profile', 2200, 1600))
    const plan = planThumbnail(source.header, { w: 200, m: 'r' }, 4096, 'jpeg')
    await engineFor(alone, source.header, source.size, 'jpeg').check(source)
    const here = engineFor(alone, source.header, source.size, 'jpeg').render(source, plan)
    await expect(here).rejects.toThrow(refused('not_configured'))
    const file = await rendered(engineFor(withContainer, source.header, source.size, 'jpeg'), source, plan)
    expect(headerOf(file)).toMatchObject({ width: 200, height: 145 })
  })

  it('is the container for a WebP that takes more memory than its size suggests', async () => {
    const file = await picture('ramp/webp-lossless', 4000, 3000)
    const source = sourceOf(file, { format: 'webp', width: 100, height: 75, orientation: 1 })
    const engine = engineFor(withContainer, source.header, source.size, 'webp')
    await engine.check(source)
    const plan = planThumbnail(source.header, { w: 20, m: 'r' }, 4096, 'webp')
    expect(headerOf(await rendered(engine, source, plan))).toMatchObject({ width: 20, height: 15 })
    const nothing = engineFor(alone, source.header, source.size, 'webp')
    await expect(nothing.check(source)).rejects.toThrow(refused('not_configured'))
  })

  it('is the container for AVIF', async () => {
    const source = sourceOf(await picture('photo/jpeg', 60, 40))
    const plan = planThumbnail(source.header, { w: 20, m: 'r' }, 4096, 'avif')
    const file = await rendered(engineFor(withContainer, source.header, source.size, 'avif'), source, plan)
    expect(new TextDecoder().decode(file.subarray(4, 12))).toBe('ftypavif')
    const nothing = engineFor(alone, source.header, source.size, 'avif')
    await expect(nothing.render(source, plan)).rejects.toThrow(refused('not_configured'))
  })

  it('is none for an image with too many pixels', () => {
    const bomb = { ...small, width: 50_000, height: 50_000 }
    expect(() => engineFor(withContainer, bomb, 100, 'jpeg')).toThrow(refused('payload_too_large'))
    const few = { ...withContainer, IMAGE_MAX_PIXELS: '9999' }
    expect(() => engineFor(few, small, 100, 'jpeg')).toThrow(refused('payload_too_large'))
    expect(engineFor({ ...few, IMAGE_MAX_PIXELS: '10000' }, small, 100, 'jpeg')).toBeDefined()
  })
})

describe('the container engine', () => {
  const answering = (status: number, headers: Record<string, string> = {}) =>
    containerEngine({ fetch: async () => new Response('no', { status, headers }) })

  it.each([
    [400, 'validation_failed'],
    [401, 'media_container_failed'],
    [413, 'payload_too_large'],
    [415, 'validation_failed'],
    [500, 'media_container_failed'],
    [503, 'unavailable'],
    [507, 'unavailable'],
  ])('turns a reply of %i into %s', async (status, code) => {
    const source = sourceOf(await picture('photo/jpeg', 60, 40))
    await expect(answering(status).check(source)).rejects.toThrow(refused(code))
  })

  it('passes Retry-After on', async () => {
    const source = sourceOf(await picture('photo/jpeg', 60, 40))
    await expect(answering(503, { 'retry-after': '7' }).check(source)).rejects.toThrow(
      expect.objectContaining({ headers: { 'retry-after': '7' } }),
    )
  })

  it('throws unavailable if the container cannot be reached', async () => {
    const source = sourceOf(await picture('photo/jpeg', 60, 40))
    const gone = containerOf({ MEDIA_CONTAINER_URL: 'http://127.0.0.1:1' })!
    await expect(containerEngine(gone).check(source)).rejects.toThrow(refused('unavailable'))
  })

  it('sends the token that the container requires', async () => {
    const source = sourceOf(await picture('photo/jpeg', 60, 40))
    const stranger = containerOf({ MEDIA_CONTAINER_URL: `${url}/`, MEDIA_CONTAINER_TOKEN: 'other' })!
    await expect(containerEngine(stranger).check(source)).rejects.toThrow(refused('media_container_failed'))
    await containerEngine(containerOf({ MEDIA_CONTAINER_URL: `${url}/`, MEDIA_CONTAINER_TOKEN: token })!).check(source)
  })

  it('uses the bound container unless a URL is configured', async () => {
    const bound = { fetch: async () => new Response('bound') } as unknown as Fetcher
    expect(await (await containerOf({ MEDIA_CONTAINER: bound })!.fetch('/health')).text()).toBe('bound')
    expect((await containerOf({ MEDIA_CONTAINER: bound, MEDIA_CONTAINER_URL: url })!.fetch('/health')).status).toBe(200)
    expect(containerOf({})).toBeUndefined()
  })
})
