// Encodes GIF thumbnails.
import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import type { Pixels } from './photon-codec.ts'

/** Writes a GIF of one frame: with the exact colours if there are at most 255, else with a reduced palette. */
export function writeGif({ data, width, height }: Pixels<Uint8ClampedArray<ArrayBuffer>>): Uint8Array<ArrayBuffer> {
  const gif = GIFEncoder()
  const { index, palette } = exactColours(data) ?? reducedColours(data)
  // Transparent pixels get an index after the last colour. GIF has no alpha channel, only one transparent index.
  const transparent = palette.length
  gif.writeFrame(index, width, height, {
    palette: [...palette, [0, 0, 0]],
    transparent: index.includes(transparent),
    transparentIndex: transparent,
    repeat: -1,
  })
  gif.finish()
  return gif.bytes()
}

interface IndexedPixels {
  /** Palette index of each pixel. */
  index: Uint8Array
  palette: number[][]
}

const maxColours = 255
const isOpaque = (alpha: number) => alpha >= 128

function exactColours(data: Uint8ClampedArray): IndexedPixels | undefined {
  const index = new Uint8Array(data.length / 4)
  const numbers = new Map<number, number>()
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    if (!isOpaque(data[at + 3]!)) continue
    const colour = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!
    const number = numbers.get(colour) ?? numbers.size
    if (number === maxColours) return undefined
    numbers.set(colour, number)
    index[i] = number
  }
  const palette = [...numbers.keys()].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  return { index: withTransparency(index, data, palette.length), palette }
}

function reducedColours(data: Uint8ClampedArray): IndexedPixels {
  // The 4-bit histogram of `rgb444` keeps this fast. Finer histograms take quadratic time: seconds for a photo.
  const palette = quantize(data, maxColours, { format: 'rgb444' })
  return { index: withTransparency(applyPalette(data, palette, 'rgb565'), data, palette.length), palette }
}

function withTransparency(index: Uint8Array, data: Uint8ClampedArray, transparent: number): Uint8Array {
  for (let i = 0; i < index.length; i++) if (!isOpaque(data[i * 4 + 3]!)) index[i] = transparent
  return index
}
