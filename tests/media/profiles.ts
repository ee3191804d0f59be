// Makes ICC colour profiles, and embeds them into image files, for the tests of colours.
import { deflateSync } from 'node:zlib'
import { headerOf } from './pictures.ts'

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** Encodes a number in the 15.16 fixed-point format of ICC profiles. */
const fixed = (value: number) => Math.round(value * 65_536)

/** The primaries of Adobe RGB (1998), adapted to the white point D50. */
const primaries = {
  rXYZ: [0.60974, 0.31111, 0.01947],
  gXYZ: [0.20528, 0.62567, 0.06087],
  bXYZ: [0.14919, 0.06322, 0.74457],
}
const d50 = [0.9642, 1, 0.82491]

/** Makes a display profile (ICC.1:2001): RGB with the primaries above, or grey, and one gamma exponent. */
export function matrixProfile(space: 'RGB ' | 'GRAY', gamma: number): Uint8Array<ArrayBuffer> {
  const xyz = (values: number[]) => {
    const bytes = new Uint8Array(20)
    bytes.set(ascii('XYZ '))
    const view = new DataView(bytes.buffer)
    for (const [i, value] of values.entries()) view.setInt32(8 + 4 * i, fixed(value))
    return bytes
  }
  const curve = new Uint8Array(16)
  curve.set(ascii('curv'))
  new DataView(curve.buffer).setUint32(8, 1)
  new DataView(curve.buffer).setUint16(12, Math.round(gamma * 256))
  const tags: [string, Uint8Array][] =
    space === 'GRAY'
      ? [
          ['wtpt', xyz(d50)],
          ['kTRC', curve],
        ]
      : [
          ...Object.entries(primaries).map(([name, values]): [string, Uint8Array] => [name, xyz(values)]),
          ['rTRC', curve],
          ['gTRC', curve],
          ['bTRC', curve],
          ['wtpt', xyz(d50)],
        ]
  const start = 128 + 4 + 12 * tags.length
  const file = new Uint8Array(start + tags.reduce((sum, [, content]) => sum + content.length, 0))
  const view = new DataView(file.buffer)
  view.setUint32(0, file.length)
  view.setUint32(8, 0x02400000)
  file.set(ascii('mntr'), 12)
  file.set(ascii(space), 16)
  file.set(ascii('XYZ '), 20)
  file.set(ascii('acsp'), 36)
  for (const [i, value] of d50.entries()) view.setInt32(68 + 4 * i, fixed(value))
  view.setUint32(128, tags.length)
  let at = start
  for (const [i, [name, content]] of tags.entries()) {
    file.set(ascii(name), 132 + 12 * i)
    view.setUint32(136 + 12 * i, at)
    view.setUint32(140 + 12 * i, content.length)
    file.set(content, at)
    at += content.length
  }
  return file
}

/** Embeds a profile into an image file that has none. */
export function withProfile(file: Uint8Array, profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const { format, width, height } = headerOf(file)
  if (format === 'jpeg') return jpegWith(file, profile)
  if (format === 'png') return pngWith(file, deflateSync(profile))
  return webpWith(file, profile, width, height)
}

/** Makes a PNG whose colour profile inflates to `bytes` bytes of zeros. */
export const bombOf = async (png: Uint8Array, bytes = 2 ** 28) => {
  const zeros = new Uint8Array(2 ** 20)
  const packing = new CompressionStream('deflate')
  const writer = packing.writable.getWriter()
  const packed = new Response(packing.readable).bytes()
  for (let written = 0; written < bytes; written += zeros.length) await writer.write(zeros)
  await writer.close()
  return pngWith(png, await packed)
}

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

function jpegWith(file: Uint8Array, profile: Uint8Array) {
  const segment = new Uint8Array(18 + profile.length)
  segment.set([0xff, 0xe2])
  new DataView(segment.buffer).setUint16(2, segment.length - 2)
  segment.set(ascii('ICC_PROFILE\0'), 4)
  segment.set([1, 1], 16)
  segment.set(profile, 18)
  return joined(file.subarray(0, 2), segment, file.subarray(2))
}

function pngWith(file: Uint8Array, packed: Uint8Array) {
  const content = joined(ascii('iCCPa\0\0'), packed)
  const [length, sum] = [new Uint8Array(4), new Uint8Array(4)]
  new DataView(length.buffer).setUint32(0, content.length - 4)
  new DataView(sum.buffer).setUint32(0, crcOf(content))
  return joined(file.subarray(0, 33), length, content, sum, file.subarray(33))
}

function crcOf(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

function webpWith(file: Uint8Array, profile: Uint8Array, width: number, height: number) {
  const head = new Uint8Array(12 + 18 + 8)
  const view = new DataView(head.buffer)
  head.set(ascii('RIFF'))
  head.set(ascii('WEBPVP8X'), 8)
  view.setUint32(16, 10, true)
  view.setUint8(20, 0x20)
  view.setUint32(24, width - 1, true)
  view.setUint16(27, height - 1, true)
  head.set(ascii('ICCP'), 30)
  view.setUint32(34, profile.length, true)
  const whole = joined(head, profile, new Uint8Array(profile.length % 2), file.subarray(12))
  new DataView(whole.buffer).setUint32(4, whole.length - 8, true)
  return whole
}
