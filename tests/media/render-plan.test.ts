// Tests the planned size, crop and orientation of renditions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formats, type Header, kinds, type Orientation } from '#media/engines/engine'
import { composed, displayed, planCrop, planRotation, planThumbnail } from '#media/render-plan'

const side = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20_000 }))
const orientation = fc.integer({ min: 1, max: 8 }) as fc.Arbitrary<Orientation>
const header: fc.Arbitrary<Header> = fc.record({
  format: fc.constantFrom(...kinds),
  width: side,
  height: side,
  orientation,
})
const max = fc.integer({ min: 1, max: 5000 })
const format = fc.constantFrom(...formats)
const maybe = fc.option(side, { nil: undefined })
const photo: Header = { format: 'jpeg', width: 4000, height: 3000, orientation: 1 }
const upright: Header = { ...photo, orientation: 6 }

describe('a thumbnail with mode r', () => {
  it('fits into the requested size, and is never larger than the image or the maximum', () => {
    fc.assert(
      fc.property(header, maybe, maybe, max, format, (header, w, h, max, format) => {
        const { width, height, crop } = planThumbnail(header, { w, h, m: 'r' }, max, format)
        const picture = displayed(header)
        expect(width).toBeLessThanOrEqual(Math.min(w ?? max, max, picture.width))
        expect(height).toBeLessThanOrEqual(Math.min(h ?? max, max, picture.height))
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
        expect(crop).toBeUndefined()
      }),
    )
  })

  it('has the aspect ratio of the image, rounded to pixels', () => {
    fc.assert(
      fc.property(header, maybe, maybe, max, format, (header, w, h, max, format) => {
        const { width, height } = planThumbnail(header, { w, h, m: 'r' }, max, format)
        const picture = displayed(header)
        const difference = Math.abs(width * picture.height - height * picture.width)
        if (Math.min(width, height) > 1)
          expect(difference).toBeLessThanOrEqual(Math.max(picture.width, picture.height) / 2)
      }),
    )
  })

  it('is as large as possible', () => {
    fc.assert(
      fc.property(header, maybe, maybe, max, format, (header, w, h, max, format) => {
        const { width, height } = planThumbnail(header, { w, h, m: 'r' }, max, format)
        const picture = displayed(header)
        const touches = [
          width === Math.min(w ?? max, max),
          height === Math.min(h ?? max, max),
          width === picture.width && height === picture.height,
        ]
        expect(touches).toContain(true)
      }),
    )
  })

  it.each([
    [photo, { w: 400, m: 'r' }, 400, 300],
    [photo, { h: 300, m: 'r' }, 400, 300],
    [photo, { w: 400, h: 400, m: 'r' }, 400, 300],
    [upright, { w: 400, h: 400, m: 'r' }, 300, 400],
    [photo, { w: 9000, h: 9000, m: 'r' }, 2048, 1536],
    [photo, { m: 'r' }, 2048, 1536],
    [photo, { m: 'c' }, 2048, 1536],
    [{ ...photo, width: 10_000, height: 1 }, { w: 100, m: 'r' }, 100, 1],
  ] as const)('%o as %o is %i x %i', (header, requested, width, height) => {
    expect(planThumbnail(header, requested, 2048, 'webp')).toEqual({
      orientation: header.orientation,
      width,
      height,
      format: 'webp',
    })
  })
})

describe('a thumbnail with mode c', () => {
  const requested = fc.tuple(maybe, maybe).filter(([w, h]) => w !== undefined || h !== undefined)

  it('has exactly the requested size if the image and the maximum allow it', () => {
    fc.assert(
      fc.property(header, requested, max, format, (header, [w, h], max, format) => {
        const { width, height } = planThumbnail(header, { w, h, m: 'c' }, max, format)
        const picture = displayed(header)
        expect(width).toBe(Math.min(w ?? picture.width, picture.width, max))
        expect(height).toBe(Math.min(h ?? picture.height, picture.height, max))
      }),
    )
  })

  it('has the middle of the image, and all of one of its sides', () => {
    fc.assert(
      fc.property(header, requested, max, format, (header, [w, h], max, format) => {
        const { crop } = planThumbnail(header, { w, h, m: 'c' }, max, format)
        const { x, y, width, height } = crop!
        const picture = displayed(header)
        expect([0, 1]).toContain(picture.width - width - 2 * x)
        expect([0, 1]).toContain(picture.height - height - 2 * y)
        expect(width === picture.width || height === picture.height).toBe(true)
      }),
    )
  })

  it('is never enlarged', () => {
    fc.assert(
      fc.property(header, requested, max, format, (header, [w, h], max, format) => {
        const { crop, width, height } = planThumbnail(header, { w, h, m: 'c' }, max, format)
        expect(crop!.width).toBeGreaterThanOrEqual(width)
        expect(crop!.height).toBeGreaterThanOrEqual(height)
      }),
    )
  })

  it('crops the longer side', () => {
    expect(planThumbnail(photo, { w: 300, h: 300, m: 'c' }, 4096, 'jpeg')).toMatchObject({
      crop: { x: 500, y: 0, width: 3000, height: 3000 },
      width: 300,
      height: 300,
    })
  })
})

describe('orientations', () => {
  it('are a group under composition', () => {
    fc.assert(
      fc.property(orientation, orientation, orientation, (a, b, c) => {
        expect(composed(composed(a, b), c)).toBe(composed(a, composed(b, c)))
        expect(composed(1, a)).toBe(a)
        expect(composed(a, 1)).toBe(a)
      }),
    )
  })

  it.each([
    [6, 6, 3],
    [6, 8, 1],
    [2, 2, 1],
    [2, 6, 7],
    [6, 2, 5],
    [2, 3, 4],
    [5, 5, 1],
    [7, 7, 1],
    [4, 4, 1],
  ] as const)('%i and then %i is %i', (first, second, both) => {
    expect(composed(first, second)).toBe(both)
  })
})

describe('a rotation', () => {
  it('four times by the same quarter turns restores the image', () => {
    fc.assert(
      fc.property(header, fc.integer({ min: -1000, max: 1000 }), (header, quarters) => {
        const turned = [1, 2, 3, 4].reduce(
          (header) => ({ ...header, orientation: planRotation(header, quarters * 90).orientation }),
          header,
        )
        expect(turned).toEqual(header)
      }),
    )
  })

  it('by a quarter turn swaps the sides', () => {
    expect(planRotation(upright, -90)).toEqual({
      orientation: 1,
      width: 4000,
      height: 3000,
      format: 'jpeg',
      quality: 'high',
    })
    expect(planRotation(photo, 450)).toEqual({
      orientation: 6,
      width: 3000,
      height: 4000,
      format: 'jpeg',
      quality: 'high',
    })
  })

  it.each([1, 89, -45, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d degrees', (degrees) => {
    expect(() => planRotation(photo, degrees)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('a crop', () => {
  it('is planned in the upright image, without scaling', () => {
    const box = { x: 2900, y: 3900, width: 100, height: 100 }
    expect(planCrop(upright, box)).toEqual({
      orientation: 6,
      crop: box,
      width: 100,
      height: 100,
      format: 'jpeg',
      quality: 'high',
    })
    expect(() => planCrop(photo, box)).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('is rejected only if empty or outside of the image', () => {
    const number = fc.integer({ min: -30, max: 60 })
    fc.assert(
      fc.property(orientation, number, number, number, number, (orientation, x, y, width, height) => {
        const header: Header = { format: 'png', width: 20, height: 30, orientation }
        const picture = displayed(header)
        const isInside =
          x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= picture.width && y + height <= picture.height
        const plan = () => planCrop(header, { x, y, width, height })
        if (isInside) expect(plan()).toMatchObject({ width, height })
        else expect(plan).toThrow(expect.objectContaining({ status: 400 }))
      }),
    )
  })
})
