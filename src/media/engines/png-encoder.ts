// Encodes PNG files without a codec: chooses the smallest colour type, filters the rows, and compresses them with zlib.
import { crc32, deflateSync } from 'node:zlib'
import type { Pixels } from './photon-codec.ts'
import { exactColours, type Indexed, quantized } from './quantizer.ts'

interface PngOptions {
  /** Whether to reduce the image to 256 colours. An image with at most 256 colours is always exact. */
  palette: boolean
}

/**
 * Writes a PNG (W3C PNG, third edition) in the smallest kind that holds its pixels: a palette, grey or full colour, with
 * alpha only if a pixel is transparent.
 */
export function writePng({ data, width, height }: Pixels, { palette }: PngOptions): Uint8Array<ArrayBuffer> {
  const exact = exactColours(data, maxPaletteColours)
  const { isGrey, isOpaque } = kindOf(data)
  const isSmallPalette = exact !== undefined && exact.colours.length <= maxSmallPaletteColours
  if (isSmallPalette || (exact && !(isGrey && isOpaque))) return writeIndexed(exact, width, height)
  if (!exact && palette) return writeIndexed(quantized(data, maxPaletteColours), width, height)
  const samples = isGrey ? (isOpaque ? [0] : [0, 3]) : isOpaque ? [0, 1, 2] : [0, 1, 2, 3]
  const rows = packed(data, samples, width, height)
  const colourType = colourTypes[samples.length as keyof typeof colourTypes]
  return pngFile(header(width, height, 8, colourType), [], compressed(rows, samples.length, width, height))
}

const maxPaletteColours = 256
/** Maximum number of colours with which a palette pixel takes four bits or less. Such a PNG is smaller than one with 8-bit grey. */
const maxSmallPaletteColours = 16

/** PNG colour types by the number of samples of a pixel: grey, grey with alpha, RGB, RGBA. */
const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const
const indexedType = 3

function kindOf(data: Uint8Array | Uint8ClampedArray) {
  let [isGrey, isOpaque] = [true, true]
  for (let at = 0; at < data.length && (isGrey || isOpaque); at += 4) {
    if (data[at + 3] !== 255) isOpaque = false
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) isGrey = false
  }
  return { isGrey, isOpaque }
}

/** Copies the chosen samples of each pixel into rows. The first byte of each row is left for its filter method. */
function packed(data: Uint8Array | Uint8ClampedArray, samples: number[], width: number, height: number): Uint8Array {
  const rows = new Uint8Array((width * samples.length + 1) * height)
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++
    for (let x = 0; x < width; x++, from += 4) for (const sample of samples) rows[to++] = data[from + sample]!
  }
  return rows
}

function writeIndexed({ index, colours }: Indexed, width: number, height: number): Uint8Array<ArrayBuffer> {
  const bits = [1, 2, 4].find((bits) => colours.length <= 2 ** bits) ?? 8
  const rowBytes = Math.ceil((width * bits) / 8)
  const rows = new Uint8Array((rowBytes + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      rows[y * (rowBytes + 1) + 1 + (bit >> 3)]! |= index[y * width + x]! << (8 - bits - (bit & 7))
    }
  const palette = Uint8Array.from(colours.flatMap(([red, green, blue]) => [red!, green!, blue!]))
  const alpha = Uint8Array.from(colours, ([, , , alpha]) => alpha!)
  return pngFile(
    header(width, height, bits, indexedType),
    [chunk('PLTE', palette), ...(alpha.some((value) => value < 255) ? [chunk('tRNS', alpha)] : [])],
    deflateSync(rows, { level: 9 }),
  )
}

/**
 * Compresses the rows, either unfiltered or with a filter chosen for each row. A sample of the rows decides which is smaller, since
 * trying both on the whole image would take twice as long.
 */
function compressed(rows: Uint8Array, pixelBytes: number, width: number, height: number): Uint8Array {
  const rowBytes = width * pixelBytes + 1
  const sampledRows = Math.min(height, Math.max(16, Math.ceil(maxSampleBytes / rowBytes)))
  const start = Math.floor((height - sampledRows) / 2) * rowBytes
  const sample = rows.slice(start, start + sampledRows * rowBytes)
  const unfiltered = deflateSync(sample).length
  filterRows(sample, pixelBytes, rowBytes)
  if (deflateSync(sample).length < unfiltered) filterRows(rows, pixelBytes, rowBytes)
  return deflateSync(rows)
}

const maxSampleBytes = 200_000

/**
 * Filters each row in place by the method with the least sum of absolute differences. Starts at the last row, since a filter reads
 * the unfiltered row above.
 */
function filterRows(rows: Uint8Array, pixelBytes: number, rowBytes: number): void {
  const trials = filters.map(() => new Uint8Array(rowBytes))
  const none = new Uint8Array(rowBytes)
  for (let end = rows.length; end > 0; end -= rowBytes) {
    const row = rows.subarray(end - rowBytes, end)
    const above = end > rowBytes ? rows.subarray(end - 2 * rowBytes, end - rowBytes) : none
    let [best, least] = [0, Number.POSITIVE_INFINITY]
    for (const [method, filter] of filters.entries()) {
      const sum = filter(row, above, pixelBytes, trials[method]!)
      if (sum < least) [best, least] = [method, sum]
    }
    row.set(trials[best]!)
    row[0] = best
  }
}

/** A PNG filter: writes the difference between a row and its prediction, and returns the sum of the absolute values. */
type Filter = (row: Uint8Array, above: Uint8Array, pixelBytes: number, to: Uint8Array) => number

/** Creates a filter from its prediction of a byte from the bytes to the left, above, and above left. */
const filter =
  (predict: (left: number, up: number, corner: number) => number): Filter =>
  (row, above, pixelBytes, to) => {
    let sum = 0
    for (let i = 1; i < row.length; i++) {
      const isFirst = i <= pixelBytes
      const left = isFirst ? 0 : row[i - pixelBytes]!
      const corner = isFirst ? 0 : above[i - pixelBytes]!
      const rest = (row[i]! - predict(left, above[i]!, corner)) & 255
      to[i] = rest
      sum += rest < 128 ? rest : 256 - rest
    }
    return sum
  }

function paeth(left: number, up: number, corner: number): number {
  const fromLeft = Math.abs(up - corner)
  const fromUp = Math.abs(left - corner)
  const fromCorner = Math.abs(left + up - 2 * corner)
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left
  return fromUp <= fromCorner ? up : corner
}

/** Filters by their number in PNG: none, sub, up, average, Paeth. */
const filters = [
  filter(() => 0),
  filter((left) => left),
  filter((_, up) => up),
  filter((left, up) => (left + up) >> 1),
  filter(paeth),
]

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

function header(width: number, height: number, bits: number, colourType: number): Uint8Array {
  const bytes = new Uint8Array(13)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  bytes.set([bits, colourType], 8)
  return chunk('IHDR', bytes)
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, content.length)
  new TextEncoder().encodeInto(type, bytes.subarray(4))
  bytes.set(content, 8)
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)))
  return bytes
}

function pngFile(header: Uint8Array, tables: Uint8Array[], pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts = [signature, header, ...tables, chunk('IDAT', pixels), chunk('IEND', new Uint8Array())]
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    file.set(part, at)
    at += part.length
  }
  return file
}
