// Tests that files which are crafted to keep a reader or decoder busy are rejected quickly.
import { describe, expect, it } from 'vitest'
import { probeAudio } from '#media/audio-probe'
import { openPhoton } from '#media/engines/photon-codec'
import { workerEngine } from '#media/engines/worker-engine'
import { readAdts, secondsOfFrames } from '#media/formats/audio-frames'
import { withoutProfiles } from '#media/headers/png'
import { isCompleteImage, readHeader } from '#media/image-header'
import type { RandomAccessFile } from '#media/random-access'
import { probeVideo } from '#media/video-probe'
import { madeUp } from '../support/media/clips.ts'
import { joined } from '../support/media/recipes.ts'
import { picture, sourceOf } from './pictures.ts'

const ebml = [0x1a, 0x45, 0xdf, 0xa3, 0x80]
/** The header of a Matroska segment of unknown size. */
const segment = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]

/** A file that begins with `head` and continues with zeros. `most` is the largest number of bytes that was read at once. */
function fileOf(head: Uint8Array, size = head.length) {
  const file = {
    size,
    most: 0,
    read: async (start: number, end: number) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start))
      file.most = Math.max(file.most, bytes.length)
      bytes.set(head.subarray(Math.min(start, head.length), Math.min(end, head.length)))
      return bytes
    },
  }
  return file satisfies RandomAccessFile
}

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const broken = expect.objectContaining({ name: 'Failure', status: 400 })

/** The header of a Matroska Info element with `size` bytes. */
const info = (size: number) => [0x15, 0x49, 0xa9, 0x66, 0x20 | (size >> 16), (size >> 8) & 255, size & 255]

const little = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]
const chunk = (name: string, content: number[]) => [...ascii(name), ...little(content.length), ...content]
const riff = (...content: number[]) => [...ascii('RIFF'), ...little(content.length + 4), ...ascii('WEBP'), ...content]
const lossless = (side: number) => chunk('VP8L', [0x2f, ...little((side - 1) * 0x4001), 0])
const [small, large] = [lossless(10), lossless(16_000)]
/** The 16 bytes of an animation frame's header: position, size and duration. */
const place = Array<number>(16).fill(0)
const animated = (frame: number[]) => [
  ...chunk('VP8X', [2, 0, 0, 0, 9, 0, 0, 9, 0, 0]),
  ...chunk('ANMF', [...place, ...frame]),
]

/** Computes the CRC-32 that a PNG chunk needs. */
function checksumOf(bytes: Uint8Array): Uint8Array {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  const sum = new Uint8Array(4)
  new DataView(sum.buffer).setInt32(0, ~crc)
  return sum
}

const refused = (reading: Promise<unknown>) => reading.catch((error: Error) => error.name)

describe('a file that is crafted to keep its reader busy', () => {
  it('is rejected: a JPEG with too many scans', () => {
    const scan = [0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x12]
    const frame = (kind: number) => [0xff, kind, 0x00, 0x0b, 0x08, 0x00, 0x01, 0x00, 0x01, 0x01, 0x01, 0x11, 0x00]
    const jpeg = (kind: number, scans: number) =>
      Uint8Array.from([0xff, 0xd8, ...frame(kind), ...Array(scans).fill(scan).flat(), 0xff, 0xd9])
    for (const [kind, most] of [
      [0xc0, 4],
      [0xc2, 50],
    ] as const) {
      expect(isCompleteImage(jpeg(kind, most), 'jpeg')).toBe(true)
      expect(() => isCompleteImage(jpeg(kind, most + 1), 'jpeg')).toThrow(broken)
    }
    expect(() => readHeader(jpeg(0xc3, 1))).toThrow(broken)
  })

  it('may be a PNG with a colour profile of 64 MB', async () => {
    const packed = new Blob([new Uint8Array(64 * 2 ** 20)]).stream().pipeThrough(new CompressionStream('deflate'))
    const profile = joined(ascii('a\0\0'), await new Response(packed).bytes())
    const length = new Uint8Array(4)
    new DataView(length.buffer).setUint32(0, profile.length)
    const png = await picture('photo/png', 20, 10)
    const named = joined(ascii('iCCP'), profile)
    const packet = joined(length, named, checksumOf(named))
    const file = Uint8Array.from(joined(png.subarray(0, 33), packet, png.subarray(33)))
    await workerEngine.check(sourceOf(file))
    const codec = openPhoton()
    codec.decode(withoutProfiles(file), ({ width, height }) => expect([width, height]).toEqual([20, 10]))
    expect(codec.memory).toBeLessThan(8 * 2 ** 20)
    expect(joined(...withoutProfiles(file))).toEqual(png)
  })

  it.each([
    ['after its first frame', (first: number[]) => riff(...animated(first), ...large)],
    ['in a separate frame', (first: number[]) => riff(...animated(first), ...chunk('ANMF', [...place, ...large]))],
    ['after its end', (first: number[]) => [...riff(...animated(first)), ...large]],
    ['behind a frame that claims its bytes', (first: number[]) => riff(...animated(first.with(4, 200)), ...large)],
  ])('is rejected: a WebP with a frame larger than its canvas %s', (_, file) => {
    const bytes = Uint8Array.from(file(small))
    expect(readHeader(bytes)).toMatchObject({ width: 10, height: 10 })
    expect(isCompleteImage(Uint8Array.from(riff(...animated(small))), 'webp')).toBe(true)
    expect(isCompleteImage(bytes, 'webp')).toBe(false)
  })

  it.each([
    ['far to the right', 30, 0],
    ['far below', 0, 30],
    ['partly to the right', 12, 0],
    ['partly below', 0, 12],
  ])('is rejected: an animated WebP whose first frame is %s, outside its canvas', async (_, x, y) => {
    const file = (await picture('animated/webp', 40, 30)).slice()
    const view = new DataView(file.buffer)
    const frame = Buffer.from(file.buffer).indexOf('ANMF') + 8
    // Enlarges the canvas to 60 x 50 pixels, so that the frame is smaller than the canvas.
    for (const [at, value] of [
      [24, 59],
      [27, 49],
    ] as const)
      view.setUint16(at, value, true)
    await workerEngine.check(sourceOf(file))
    view.setUint16(frame, x, true)
    view.setUint16(frame + 3, y, true)
    await expect(workerEngine.check(sourceOf(file))).rejects.toThrow(broken)
  })

  it('may be a FLAC without a frame', async () => {
    const stream = [0, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0xc4, 0x42, 0xf0, ...Array(20).fill(0)]
    const head = Uint8Array.from([...ascii('fLaC'), ...stream])
    const file = madeUp(100_000_000, (bytes, at) =>
      bytes.fill(0xff).set(at === 0 ? head.subarray(0, bytes.length) : []),
    )
    expect(await refused(probeAudio(file))).toBe('Failure')
    expect(file.bytesRead).toBeLessThan(6 * 2 ** 20)
  })

  it('may be AAC with nothing after its header', async () => {
    class Watched extends Uint8Array {
      static parts = 0
      override subarray(start?: number, end?: number) {
        Watched.parts++
        return new Uint8Array(this.buffer, this.byteOffset).subarray(start, end)
      }
    }
    const bytes = new Watched(1_000_000)
    bytes.set([0xff, 0xf1, 0x50, 0x80, 0x01, 0x00, 0xfc])
    const file = { size: bytes.length, read: async () => bytes }
    expect(await secondsOfFrames(file, 0, bytes.length, readAdts)).toBeCloseTo(1024 / 44100)
    expect(Watched.parts).toBe(1)
  })

  it('may be a Matroska with many copies of its header', async () => {
    const described = [...info(0x5000), ...Array(0x5000).fill(0xec)]
    const again = Array.from({ length: 100 }, () => described).flat()
    const head = Uint8Array.from([...ebml, ...segment, ...again])
    const file = madeUp(head.length, (bytes, at) => bytes.set(head.subarray(at, at + bytes.length)))
    expect(await refused(probeAudio(file))).toBe('Failure')
    expect(file.bytesRead).toBeLessThan(100_000)
  })

  it('may be a Matroska with a million empty elements in one', async () => {
    const info = [0x15, 0x49, 0xa9, 0x66, 0x10, 0x1e, 0x84, 0x80]
    const voids = new Uint8Array(2_000_000)
    for (let at = 0; at < voids.length; at += 2) voids.set([0xec, 0x80], at)
    const file = fileOf(Uint8Array.from([...ebml, ...segment, ...info, ...voids]))
    expect(await refused(probeAudio(file))).toBe('Failure')
  })

  it('may be a Matroska with a timestamp of 100 MB', async () => {
    const cluster = [0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
    const time = [0xe7, 0x15, 0xf5, 0xe1, 0x00]
    const track = [0x16, 0x54, 0xae, 0x6b, 0x85, 0xae, 0x83, 0x83, 0x81, 0x02]
    const file = fileOf(Uint8Array.from([...ebml, ...segment, ...track, ...cluster, ...time]), 100_000_000)
    await refused(probeAudio(file))
    await refused(probeVideo(file))
    expect(file.most).toBeLessThanOrEqual(2_000_000)
  })

  it('may be an Ogg without a last page', async () => {
    const identification = [0x01, ...new TextEncoder().encode('vorbis'), 0, 0, 0, 0, 2, 0x44, 0xac, 0, 0]
    const page = [
      ...new TextEncoder().encode('OggS'),
      0,
      2,
      ...Array(8).fill(0),
      1,
      0,
      0,
      0,
      ...Array(8).fill(0),
      1,
      30,
    ]
    const file = fileOf(Uint8Array.from([...page, ...identification, ...Array(14).fill(0)]), 100_000_000)
    expect(await refused(probeAudio(file))).toBe('Failure')
    expect(file.most).toBeLessThanOrEqual(8 * 2 ** 20)
  })
})
