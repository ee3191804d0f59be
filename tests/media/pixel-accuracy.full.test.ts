// Tests that decoded and encoded pixels are as accurate as those of libwebp and libvips.
import { describe, expect, inject, it } from 'vitest'
import { containerOf } from '#media/container'
import { containerEngine } from '#media/engines/container-engine'
import type { Engine, RenderPlan } from '#media/engines/engine'
import { workerEngine } from '#media/engines/worker-engine'
import { planThumbnail } from '#media/render-plan'
import { byLibvips, headerOf, picture, psnr, rendered, sourceOf } from './pictures.ts'

const { url, token } = inject('mediaContainer')
const service = containerOf({ MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token })!

const asPng = async (file: Uint8Array<ArrayBuffer>, w?: number, engine: Engine = workerEngine) => {
  const source = sourceOf(file)
  return rendered(engine, source, planThumbnail(source.header, { w, m: 'r' }, 4096, 'png'))
}

describe('a lossy WebP', () => {
  const files: [path: string, width: number, height: number][] = [
    ['photo/webp-segment', 451, 300],
    ['photo/webp-80', 451, 300],
    ['flat/webp-80', 200, 100],
    ['flat/webp-80', 1000, 600],
    ['banner/webp-80', 1200, 630],
    ['mist/webp', 301, 199],
  ]
  if (inject('mediaClips').hasFfmpeg) files.push(['photo/webp-vpx', 451, 300])

  it.each(files)('of %s, %i x %i, is decoded like with libwebp', async (path, width, height) => {
    const file = await picture(path, width, height)
    const ours = await byLibvips('pixels', await asPng(file))
    expect(psnr(ours, await byLibvips('pixels', file))).toBeGreaterThan(60)
  })
})

describe.each([
  ['the Worker', workerEngine],
  ['the container', containerEngine(service)],
])('a PNG of %s', (_, engine) => {
  it.each([
    ['page/png-palette', 911, 'png', 'palette'],
    ['page/png-palette', 600, 'png', 'palette'],
    ['page/png-palette', 300, 'png', 'palette'],
    ['photo/png-palette', 300, 'png', 'palette'],
    ['page/png', 400, 'png', ''],
    ['photo/png', 911, 'png', ''],
    ['photo/png-grey', 400, 'png-grey', ''],
    ['page/png-grey', 400, 'png-grey', ''],
    ['mist/png', 400, 'png', ''],
    ['edge/png', 400, 'png', ''],
    ['photo/jpeg', 400, 'png', ''],
  ])('of %s, %i wide, is at most 1.3 times the size that libvips gives it', async (path, w, as, kind) => {
    const file = await picture(path, 911, 700)
    const ours = await asPng(file, w, engine)
    const theirs = await byLibvips(as, file, { width: `${w}`, kind })
    expect(ours.length).toBeLessThan(1.3 * theirs.length)
    expect(psnr(await byLibvips('pixels', ours), await byLibvips('pixels', file, { width: `${w}` }))).toBeGreaterThan(
      30,
    )
  })

  it('with few colours keeps each of them', async () => {
    for (const path of ['corners/png-palette', 'edge/png', 'ramp/png']) {
      const file = await picture(path, 120, 80)
      const ours = await asPng(file, undefined, engine)
      expect(await byLibvips('pixels', ours)).toEqual(await byLibvips('pixels', file))
      expect(headerOf(ours)).toMatchObject({ width: 120, height: 80 })
    }
  })
})

describe('a JPEG', () => {
  it('is smaller than that of libvips at the same quality', async () => {
    const file = await picture('banner/png', 1200, 630)
    const source = sourceOf(file)
    const plan: RenderPlan = planThumbnail(source.header, { w: 600, m: 'r' }, 4096, 'jpeg')
    const ours = await rendered(workerEngine, source, plan)
    const theirs = await byLibvips('jpeg', file, { width: '600' })
    const truth = await byLibvips('pixels', file, { width: '600' })
    expect(ours.length).toBeLessThan(theirs.length)
    expect(psnr(await byLibvips('pixels', ours), truth)).toBeGreaterThan(
      psnr(await byLibvips('pixels', theirs), truth) - 1,
    )
  })
})
