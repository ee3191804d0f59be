// Tests that every image engine renders the same thumbnails.
import { describe, expect, inject, it } from 'vitest'
import { containerOf } from '#media/container'
import { containerEngine } from '#media/engines/container-engine'
import { type Engine, formats, type ImageFormat, type Orientation } from '#media/engines/engine'
import { workerEngine } from '#media/engines/worker-engine'
import { planCrop, planRotation, planThumbnail } from '#media/render-plan'
import { blue, distance, green, headerOf, picture, red, rendered, shown, sourceOf, white } from './pictures.ts'

const { url, token } = inject('mediaContainer')
const service = containerOf({ MEDIA_CONTAINER_URL: url, MEDIA_CONTAINER_TOKEN: token })!

const engines: { name: string; engine: Engine; makes: readonly ImageFormat[] }[] = [
  { name: 'Photon', engine: workerEngine, makes: formats.filter((format) => format !== 'avif') },
  { name: 'the container', engine: containerEngine(service), makes: formats },
]

const kinds = [
  ...['jpeg', 'jpeg-420', 'jpeg-progressive', 'jpeg-exif'],
  ...['png', 'png-16', 'png-palette', 'png-interlaced', 'webp', 'webp-lossless', 'gif'],
]

/**
 * The colours of the displayed corners, clockwise from the upper left, of an image whose stored corners are red, green, white and
 * blue.
 */
const displayed: Record<Orientation, (readonly number[])[]> = {
  1: [red, green, white, blue],
  2: [green, red, blue, white],
  3: [white, blue, red, green],
  4: [blue, white, green, red],
  5: [red, blue, white, green],
  6: [blue, red, green, white],
  7: [white, green, red, blue],
  8: [green, white, blue, red],
}

const cornersOf = (file: Uint8Array) => {
  const { width, height, at } = shown(file)
  const [right, bottom] = [width - 4, height - 4]
  return [at(3, 3), at(right, 3), at(right, bottom), at(3, bottom)]
}

const far = (corners: number[][], expected: (readonly number[])[]) =>
  Math.max(...corners.map((corner, i) => distance(corner, expected[i]!)))

const refused = (slug: string) => expect.objectContaining({ name: 'Failure', code: slug })

describe.each(engines)('$name', ({ engine, makes }) => {
  it.each(kinds)('renders a thumbnail of a %s', async (kind) => {
    const source = sourceOf(await picture(`corners/${kind}`, 120, 80))
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 60, m: 'r' }, 4096, 'png'))
    expect(headerOf(file)).toEqual({ format: 'png', width: 60, height: 40, orientation: 1 })
    expect(far(cornersOf(file), displayed[1])).toBeLessThan(25)
  })

  it('renders a thumbnail of a CMYK JPEG with inverted values', async () => {
    const source = sourceOf(await picture('corners/jpeg-cmyk', 120, 80))
    await engine.check(source)
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 60, m: 'r' }, 4096, 'png'))
    const [first, second, third] = cornersOf(file)
    expect(distance(first!, red)).toBeLessThan(40)
    expect(second![1]).toBeGreaterThan(200)
    expect(distance(third!, white)).toBeLessThan(10)
  })

  it.each(makes)('encodes %s', async (format) => {
    const source = sourceOf(await picture('corners/png', 120, 80))
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 60, m: 'r' }, 4096, format))
    if (format === 'avif') return expect(new TextDecoder().decode(file.subarray(4, 12))).toBe('ftypavif')
    expect(headerOf(file)).toEqual({ format, width: 60, height: 40, orientation: 1 })
    expect(far(cornersOf(file), displayed[1])).toBeLessThan(25)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as const)(
    'displays orientation %i upright: scaled, cropped and in full size',
    async (n) => {
      const source = sourceOf(await picture('corners/jpeg', 120, 80, n))
      expect(source.header.orientation).toBe(n)
      const [width, height] = n > 4 ? [80, 120] : [120, 80]
      const plans = [
        planThumbnail(source.header, { w: width / 2, m: 'r' }, 4096, 'png'),
        planThumbnail(source.header, { w: 64, h: 64, m: 'c' }, 4096, 'png'),
        planRotation(source.header, 0),
      ]
      for (const plan of plans) {
        const file = await rendered(engine, source, plan)
        expect(headerOf(file)).toMatchObject({ width: plan.width, height: plan.height, orientation: 1 })
        expect(far(cornersOf(file), displayed[n])).toBeLessThan(25)
      }
      const part = { x: width / 2, y: 0, width: width / 2, height: height / 2 }
      const cut = await rendered(engine, source, planCrop(source.header, part))
      expect(far(cornersOf(cut), Array(4).fill(displayed[n][1]))).toBeLessThan(25)
    },
  )

  it.each([
    [90, [blue, red, green, white]],
    [180, [white, blue, red, green]],
    [270, [green, white, blue, red]],
  ] as const)('turns by %i degrees, clockwise', async (degrees, corners) => {
    const source = sourceOf(await picture('corners/png', 120, 80))
    const file = await rendered(engine, source, planRotation(source.header, degrees))
    expect(cornersOf(file)).toEqual(corners)
  })

  it('leaves no dark fringe next to transparent pixels', async () => {
    const source = sourceOf(await picture('edge/png', 101, 40))
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 20, m: 'r' }, 4096, 'png'))
    const { at, width } = shown(file)
    const row = Array.from({ length: width }, (_, x) => at(x, 4))
    expect(row[0]).toEqual([255, 0, 0, 255])
    expect(row.at(-1)![3]).toBe(0)
    for (const [r, , , alpha] of row) if (alpha! > 10) expect(r).toBeGreaterThan(235)
  })

  it('draws transparent pixels on white in a JPEG', async () => {
    const source = sourceOf(await picture('edge/png', 100, 40))
    const { at } = shown(await rendered(engine, source, planThumbnail(source.header, { w: 50, m: 'r' }, 4096, 'jpeg')))
    expect(distance(at(45, 10), white)).toBeLessThan(10)
    expect(distance(at(4, 10), red)).toBeLessThan(10)
  })

  it('keeps transparency in a GIF and a WebP', async () => {
    const source = sourceOf(await picture('edge/png', 100, 40))
    for (const format of ['gif', 'webp'] as const) {
      const { at } = shown(
        await rendered(engine, source, planThumbnail(source.header, { w: 50, m: 'r' }, 4096, format)),
      )
      expect(at(45, 10)[3]).toBe(0)
      expect(distance(at(4, 10), red)).toBeLessThan(10)
    }
  })

  it.each(['gif', 'webp'])('takes the first frame of an animated %s', async (format) => {
    const source = sourceOf(await picture(`animated/${format}`, 40, 30))
    await engine.check(source)
    const file = await rendered(engine, source, planThumbnail(source.header, { w: 20, m: 'r' }, 4096, 'png'))
    expect(distance(shown(file).at(10, 7), red)).toBeLessThan(25)
  })

  it.each(kinds)('renders a %s of a single pixel', async (kind) => {
    const source = sourceOf(await picture(`ramp/${kind}`, 1, 1))
    for (const format of makes) {
      const file = await rendered(engine, source, planThumbnail(source.header, { w: 9, h: 9, m: 'c' }, 4096, format))
      if (format !== 'avif') expect(headerOf(file)).toMatchObject({ width: 1, height: 1 })
    }
  })

  it.each(kinds)('accepts a complete %s, and rejects a truncated one', async (kind) => {
    const file = await picture(`photo/${kind}`, 120, 80)
    await engine.check(sourceOf(file))
    const header = headerOf(file)
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      const cut = sourceOf(file.slice(0, Math.floor(file.length * part)), header)
      await expect(engine.check(cut)).rejects.toThrow(refused('validation_failed'))
    }
  })

  it.each(['png', 'webp-lossless'])('refuses a %s whose pixels are damaged', async (kind) => {
    const file = (await picture(`photo/${kind}`, 120, 80)).slice()
    file.fill(0xaa, 200, 1200)
    const source = sourceOf(file)
    await expect(engine.check(source)).rejects.toThrow(refused('validation_failed'))
    const plan = planThumbnail(source.header, { w: 20, m: 'r' }, 4096, 'jpeg')
    await expect(engine.render(source, plan)).rejects.toThrow(refused('validation_failed'))
  })
})
