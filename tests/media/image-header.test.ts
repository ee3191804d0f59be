// Tests that the size, format and orientation of an image are read from its first bytes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ImageKind } from '#media/engines/engine'
import { isCompleteImage, readHeader } from '#media/image-header'
import { runs } from '../support/tier.ts'
import { headerOf, picture } from './pictures.ts'

const written = [
  ...['jpeg', 'jpeg-420', 'jpeg-progressive', 'jpeg-grey', 'jpeg-cmyk', 'jpeg-exif'],
  ...['png', 'png-16', 'png-palette', 'png-grey', 'png-interlaced', 'webp', 'webp-lossless', 'gif'],
]
const kindOf = (kind: string) => kind.split('-')[0] as ImageKind
const broken = expect.objectContaining({ name: 'Failure', status: 400 })

/** Reads a header, and returns the error if the file is broken. */
const reading = (head: Uint8Array) => unlessBroken(() => readHeader(head))

const unlessBroken = <T>(read: () => T) => {
  try {
    return read()
  } catch (error) {
    expect(error).toEqual(broken)
    return 'broken'
  }
}

describe.each(written)('a %s', (kind) => {
  it('has its size in the header', async () => {
    const file = await picture(`photo/${kind}`, 121, 83)
    expect(readHeader(file)).toEqual({ format: kindOf(kind), width: 121, height: 83, orientation: 1 })
  })

  it('needs only the first bytes, and reports if there are too few', async () => {
    const file = await picture(`photo/${kind}`, 121, 83)
    const header = readHeader(file)
    const readings = Array.from({ length: Math.min(file.length, 70_000) }, (_, n) => n).filter(
      (n) => n < 1000 || n % 997 === 0,
    )
    let isEnough = false
    for (const n of readings) {
      const said = readHeader(file.subarray(0, n))
      if (said !== 'more') isEnough = true
      expect(said).toEqual(isEnough ? header : 'more')
    }
  })

  it('is complete, also with trailing bytes, and incomplete without its end', async () => {
    const file = await picture(`photo/${kind}`, 121, 83)
    expect(isCompleteImage(file, kindOf(kind))).toBe(true)
    expect(isCompleteImage(new Uint8Array([...file, 1, 2, 3]), kindOf(kind))).toBe(true)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: file.length - 2 }), (length) => {
        expect(isCompleteImage(file.subarray(0, length), kindOf(kind))).toBe(false)
      }),
    )
  })
})

it.each(['jpeg', 'jpeg-progressive', 'png', 'webp', 'webp-lossless'])('reads the orientation of a %s', async (kind) => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const file = await picture(`photo/${kind}`, 60, 40, orientation)
    expect(headerOf(file)).toEqual({ format: kindOf(kind), width: 60, height: 40, orientation })
  }
})

it.each(['gif', 'webp'])('tells the size of an animated %s', async (kind) => {
  expect(readHeader(await picture(`animated/${kind}`, 40, 30))).toEqual({
    ...{ format: kind, width: 40, height: 30, orientation: 1 },
  })
})

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : part)),
  )
const canvas = (width: number, height: number) =>
  [width - 1, height - 1].flatMap((n) => [n & 255, (n >> 8) & 255, n >> 16])
const vp8 = (width: number, height: number) =>
  bytes('VP8 ', [10, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, width & 255, width >> 8, height & 255, height >> 8])

it('recognises only files that begin like an image', () => {
  const others = [
    '<svg/>',
    'BM',
    '%PDF-1.7',
    'GIF90a',
    '\x89PMG',
    'RIFF\0\0\0\0WAVE',
    'II*\0',
    '\0\0\0\x1cftypavif',
    '{}',
  ]
  for (const other of others) expect(readHeader(bytes(other))).toBeUndefined()
  expect(readHeader(bytes([0xff, 0xd8, 0x00]))).toBeUndefined()
  expect(readHeader(new Uint8Array())).toBe('more')
  expect(readHeader(bytes([0xff]))).toBe('more')
})

it('reads any size that the header declares', () => {
  const png = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 195, 80, 0, 0, 195, 80], '\x08\x06\0\0\0crc_\0\0\0\0IDAT')
  expect(readHeader(png)).toEqual({ format: 'png', width: 50_000, height: 50_000, orientation: 1 })
  const gif = bytes('GIF89a', [255, 255, 255, 255, 0, 0, 0], [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0])
  expect(readHeader(gif)).toEqual({ format: 'gif', width: 65_535, height: 65_535, orientation: 1 })
})

it('rejects files for which decoders would allocate more memory than declared, and empty ones', () => {
  const zero = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 0, 0, 0, 0, 0, 1], '\x08\x06\0\0\0crc_\0\0\0\0IDAT')
  const gif = bytes('GIF89a', [1, 0, 1, 0, 0, 0, 0], [0x2c, 0, 0, 0, 0, 255, 255, 255, 255, 0])
  const extended = bytes('VP8X', [10, 0, 0, 0, 0, 0, 0, 0], canvas(10, 10))
  const webp = bytes('RIFF', [100, 0, 0, 0], 'WEBP', [...extended], [...vp8(9000, 9000)])
  const animated = bytes('RIFF', [100, 0, 0, 0], 'WEBP', [...extended], 'ANMF', [44, 0, 0, 0], Array(16).fill(0), [
    ...vp8(9000, 9000),
  ])
  const noFrame = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9])
  for (const file of [zero, gif, webp, animated, noFrame]) expect(() => readHeader(file)).toThrow(broken)
})

it.each([0xc9, 0xca])('rejects a JPEG with arithmetic coding by name, frame %i', async (marker) => {
  const file = (await picture('photo/jpeg', 60, 40)).slice()
  const frame = file.findIndex((byte, i) => byte === 0xff && file[i + 1] === 0xc0)
  file[frame + 1] = marker
  const errors = { file: expect.stringContaining('arithmetic coding') }
  expect(() => readHeader(file)).toThrow(expect.objectContaining({ name: 'Failure', errors }))
})

it('ignores an EXIF orientation that is not valid', async () => {
  const file = await picture('photo/jpeg', 60, 40, 6)
  const at = file.findIndex((byte, i) => byte === 0x12 && file[i - 1] === 0x01 && file[i + 1] === 0x00)
  const isLittle = at === -1
  const tag = isLittle ? file.findIndex((byte, i) => byte === 0x12 && file[i + 1] === 0x01) : at - 1
  for (const value of [0, 9, 255]) {
    const other = file.slice()
    other[tag + (isLittle ? 8 : 9)] = value
    expect(headerOf(other).orientation).toBe(1)
  }
})

it('never fails for random bytes', async () => {
  const files = await Promise.all([
    ...written.map((kind) => picture(`photo/${kind}`, 60, 40, 3)),
    picture('animated/webp', 9, 9),
  ])
  const beginnings = [
    '',
    '\xff\xd8\xff',
    '\x89PNG\r\n\x1a\n',
    'RIFF\xff\xff\0\0WEBPVP8X',
    'RIFF\0\0\0\0WEBPVP8 ',
    'GIF89a',
  ]
  const random = fc
    .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }))
    .map(([start, rest]) => bytes(start, [...rest]))
  const damaged = fc
    .tuple(fc.constantFrom(...files), fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1 }))
    .map(([file, changes]) => {
      const copy = file.slice()
      for (const [at, byte] of changes) if (at < copy.length) copy[at] = byte
      return copy
    })
  fc.assert(
    fc.property(fc.oneof(random, damaged), (file) => {
      const said = reading(file)
      if (typeof said === 'object') {
        expect(said.width * said.height).toBeGreaterThan(0)
        unlessBroken(() => isCompleteImage(file, said.format))
      }
    }),
    { numRuns: runs(2000) },
  )
})
