// Scales decoded pixels row by row, so that the Worker never holds a second full-size copy of an image.
import type { CropBox, ImageSize } from './engine.ts'
import type { Pixels } from './photon-codec.ts'

/**
 * Scales a part of an image and calls `take` with each row, from the top. Colours are premultiplied RGBA from 0 to 255, so that
 * transparent pixels do not bleed into their neighbours. Averages whole blocks of pixels first, then scales by a Lanczos filter.
 * Only the rows that the filter needs are in memory.
 */
export function scaleRows(
  source: Pixels<Uint8Array>,
  box: CropBox,
  { width, height }: ImageSize,
  take: (row: Float32Array, y: number) => void,
): void {
  const across = blockSize(box.width, width)
  const along = blockSize(box.height, height)
  const columns = tapsOf(box.width / across, width)
  const rows = tapsOf(box.height / along, height)
  const mean = new Float32Array(Math.ceil(box.width / across) * 4)
  const held = Array.from({ length: rows.maxTaps }, () => new Float32Array(width * 4))
  const made = new Float32Array(width * 4)
  for (let from = 0, y = 0; y < height; from++) {
    meanOfBlocks(source, box, from * along, across, along, mean)
    scaleRow(mean, columns, held[from % held.length]!)
    while (y < height && rows.firsts[y]! + rows.counts[y]! <= from + 1) {
      addRows(held, rows, y, made)
      take(made, y)
      y++
    }
  }
}

/**
 * Returns the side of the blocks that are averaged before the filter. The filter still reduces by a factor of at least 1.5, so that
 * its result stays sharp, unless the image is smaller.
 */
const blockSize = (length: number, wanted: number) => Math.max(1, Math.floor(length / wanted / 1.5))

/** Lanczos filter taps of each output pixel: the first input pixel, the number of input pixels, and their weights. */
interface Taps {
  firsts: Int32Array
  counts: Int32Array
  /** `maxTaps` weights for each output pixel. */
  weights: Float32Array
  maxTaps: number
}

const lobes = 3

function tapsOf(length: number, wanted: number): Taps {
  const ratio = length / wanted
  const stretch = Math.max(1, ratio)
  // If the size does not change, each output pixel is its input pixel, without blur.
  const radius = ratio === 1 ? 0 : lobes * stretch
  const last = Math.ceil(length) - 1
  const maxTaps = Math.min(last + 1, Math.ceil(2 * radius) + 1)
  const taps = {
    firsts: new Int32Array(wanted),
    counts: new Int32Array(wanted),
    weights: new Float32Array(wanted * maxTaps),
    maxTaps,
  }
  for (let i = 0; i < wanted; i++) {
    const centre = (i + 0.5) * ratio - 0.5
    const first = Math.max(0, Math.ceil(centre - radius))
    const count = Math.min(last, Math.floor(centre + radius)) - first + 1
    taps.firsts[i] = first
    taps.counts[i] = count
    let sum = 0
    for (let k = 0; k < count; k++) sum += lanczos((first + k - centre) / stretch)
    for (let k = 0; k < count; k++) taps.weights[i * maxTaps + k] = lanczos((first + k - centre) / stretch) / sum
  }
  return taps
}

function lanczos(x: number): number {
  if (Math.abs(x) < 1e-6) return 1
  if (Math.abs(x) >= lobes) return 0
  const angle = Math.PI * x
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / (angle * angle)
}

/** Averages a row of blocks, weighted by alpha. The blocks at the right and at the bottom may be smaller than the others. */
function meanOfBlocks(
  { data, width }: Pixels<Uint8Array>,
  box: CropBox,
  top: number,
  across: number,
  along: number,
  mean: Float32Array,
): void {
  mean.fill(0)
  const bottom = Math.min(top + along, box.height)
  for (let y = top; y < bottom; y++) {
    let at = ((box.y + y) * width + box.x) * 4
    for (let x = 0, to = 0; x < box.width; to += 4) {
      const right = Math.min(x + across, box.width)
      let red = 0
      let green = 0
      let blue = 0
      let alpha = 0
      for (; x < right; x++, at += 4) {
        const weight = data[at + 3]!
        red += data[at]! * weight
        green += data[at + 1]! * weight
        blue += data[at + 2]! * weight
        alpha += weight
      }
      mean[to]! += red
      mean[to + 1]! += green
      mean[to + 2]! += blue
      mean[to + 3]! += alpha
    }
  }
  for (let to = 0, x = 0; to < mean.length; to += 4, x += across) {
    const pixels = Math.min(across, box.width - x) * (bottom - top)
    mean[to]! /= 255 * pixels
    mean[to + 1]! /= 255 * pixels
    mean[to + 2]! /= 255 * pixels
    mean[to + 3]! /= pixels
  }
}

function scaleRow(row: Float32Array, { firsts, counts, weights, maxTaps }: Taps, scaled: Float32Array): void {
  for (let x = 0; x < firsts.length; x++) {
    let red = 0
    let green = 0
    let blue = 0
    let alpha = 0
    for (let k = 0, at = firsts[x]! * 4; k < counts[x]!; k++, at += 4) {
      const weight = weights[x * maxTaps + k]!
      red += row[at]! * weight
      green += row[at + 1]! * weight
      blue += row[at + 2]! * weight
      alpha += row[at + 3]! * weight
    }
    scaled[x * 4] = red
    scaled[x * 4 + 1] = green
    scaled[x * 4 + 2] = blue
    scaled[x * 4 + 3] = alpha
  }
}

function addRows(held: Float32Array[], { firsts, counts, weights, maxTaps }: Taps, y: number, sum: Float32Array): void {
  sum.fill(0)
  for (let k = 0; k < counts[y]!; k++) {
    const row = held[(firsts[y]! + k) % held.length]!
    const weight = weights[y * maxTaps + k]!
    for (let i = 0; i < sum.length; i++) sum[i]! += row[i]! * weight
  }
}
