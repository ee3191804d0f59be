// Reduces an image to a palette of at most 256 colours, for PNG thumbnails.

/** An image as palette indexes. */
export interface Indexed {
  /** Palette index of each pixel. */
  index: Uint8Array
  /** The palette as RGBA. */
  colours: number[][]
}

/** Indexes an image by its exact colours. Returns undefined if there are more than `maxColours`. */
export function exactColours(data: Uint8Array | Uint8ClampedArray, maxColours: number): Indexed | undefined {
  const index = new Uint8Array(data.length / 4)
  const numbers = new Map<number, number>()
  let [last, number] = [-1, 0]
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const colour = ((data[at]! << 24) | (data[at + 1]! << 16) | (data[at + 2]! << 8) | data[at + 3]!) >>> 0
    if (colour !== last) {
      number = numbers.get(colour) ?? numbers.size
      if (number === maxColours) return undefined
      numbers.set(colour, number)
      last = colour
    }
    index[i] = number
  }
  const colours = [...numbers.keys()].map((colour) => [24, 16, 8, 0].map((shift) => (colour >>> shift) & 255))
  return { index, colours }
}

/**
 * Reduces an image to at most `maxColours` colours: median cut by variance (Wu) over a histogram, then one step of k-means, as
 * libimagequant does. There is no dithering, since it compresses badly.
 */
export function quantized(data: Uint8Array | Uint8ClampedArray, maxColours: number): Indexed {
  const histogram = histogramOf(data)
  const boxes = medianCut(histogram, maxColours)
  const colours = boxes.map((bins) => meanOf(histogram, bins))
  const numbers = new Uint8Array(histogram.bins)
  for (const [number, bins] of boxes.entries()) for (const bin of bins) numbers[bin] = number
  const palette = histogram.bins <= maxRefinedBins ? refined(histogram, colours, numbers) : colours
  const index = new Uint8Array(data.length / 4)
  for (let i = 0, at = 0; at < data.length; i++, at += 4) index[i] = numbers[histogram.binAt[slotAt(data, at)]! - 1]!
  return { index, colours: palette.map((colour) => colour.map((value) => Math.round(value))) }
}

/** Maximum number of bins for the k-means step, which would otherwise take longer than all other steps together. */
const maxRefinedBins = 40_000

interface Histogram {
  /** Number of the bin of each slot, plus one; 0 if no pixel is in the slot. */
  binAt: Int32Array
  bins: number
  /** For each bin, five numbers: the sums of red, green, blue and alpha, and the number of pixels. */
  sums: Float64Array
}

const fields = 5

/** Returns the slot of the histogram for a pixel: five bits each of red, green and blue, and three of alpha. */
const slotAt = (data: Uint8Array | Uint8ClampedArray, at: number) =>
  ((data[at]! >> 3) << 13) | ((data[at + 1]! >> 3) << 8) | ((data[at + 2]! >> 3) << 3) | alphaSlot(data[at + 3]!)

/**
 * Returns the alpha part of a slot. Fully transparent and fully opaque pixels have separate slots, so that averaging makes neither
 * translucent.
 */
const alphaSlot = (alpha: number) => (alpha === 0 ? 0 : alpha === 255 ? 7 : 1 + ((alpha * 6) >> 8))

const slots = 2 ** 18

function histogramOf(data: Uint8Array | Uint8ClampedArray): Histogram {
  const binAt = new Int32Array(slots)
  let bins = 0
  for (let at = 0; at < data.length; at += 4) {
    const slot = slotAt(data, at)
    if (binAt[slot] === 0) binAt[slot] = ++bins
  }
  const sums = new Float64Array(bins * fields)
  for (let at = 0; at < data.length; at += 4) {
    const to = (binAt[slotAt(data, at)]! - 1) * fields
    for (let part = 0; part < 4; part++) sums[to + part]! += data[at + part]!
    sums[to + 4]!++
  }
  return { binAt, bins, sums }
}

/** Median cut: splits the box with the largest error again and again, each time at the point that reduces the error most. */
function medianCut(histogram: Histogram, maxColours: number): Uint32Array[] {
  const boxes = [
    boxOf(
      histogram,
      Uint32Array.from({ length: histogram.bins }, (_, bin) => bin),
    ),
  ]
  while (boxes.length < maxColours) {
    let widest = 0
    for (let i = 1; i < boxes.length; i++) if (boxes[i]!.error > boxes[widest]!.error) widest = i
    const box = boxes[widest]!
    if (box.bins.length < 2 || box.error <= 0) break
    boxes.splice(widest, 1, ...split(histogram, box))
  }
  return boxes.map(({ bins }) => bins)
}

interface Box {
  bins: Uint32Array
  /**
   * The component (red, green, blue or alpha) that varies most in the box. `error` is its sum of squared differences from the mean.
   */
  axis: number
  error: number
}

function boxOf({ sums }: Histogram, bins: Uint32Array): Box {
  let [axis, error] = [0, -1]
  for (let part = 0; part < 4; part++) {
    let [sum, squares, count] = [0, 0, 0]
    for (const bin of bins) {
      const [value, pixels] = [sums[bin * fields + part]!, sums[bin * fields + 4]!]
      sum += value
      squares += (value * value) / pixels
      count += pixels
    }
    const spread = squares - (sum * sum) / count
    if (spread > error) [axis, error] = [part, spread]
  }
  return { bins, axis, error }
}

function split(histogram: Histogram, { bins, axis }: Box): [Box, Box] {
  const { sums } = histogram
  const value = (bin: number) => sums[bin * fields + axis]! / sums[bin * fields + 4]!
  const sorted = bins.slice().sort((one, other) => value(one) - value(other))
  let [total, pixels] = [0, 0]
  for (const bin of sorted) {
    total += sums[bin * fields + axis]!
    pixels += sums[bin * fields + 4]!
  }
  let [sum, count, best, at] = [0, 0, -1, 1]
  for (let i = 0; i < sorted.length - 1; i++) {
    sum += sums[sorted[i]! * fields + axis]!
    count += sums[sorted[i]! * fields + 4]!
    // The variance between both halves. The point that maximises it minimises the error that remains in the halves.
    const between = (sum * sum) / count + (total - sum) ** 2 / (pixels - count)
    if (between > best) [best, at] = [between, i + 1]
  }
  return [boxOf(histogram, sorted.subarray(0, at)), boxOf(histogram, sorted.subarray(at))]
}

function meanOf({ sums }: Histogram, bins: Uint32Array): number[] {
  const mean = [0, 0, 0, 0, 0]
  for (const bin of bins) for (let field = 0; field < fields; field++) mean[field]! += sums[bin * fields + field]!
  return mean.slice(0, 4).map((sum) => sum / mean[4]!)
}

/** One step of k-means: assigns the nearest colour to each bin, then sets each colour to the mean of its bins. */
function refined(histogram: Histogram, colours: number[][], numbers: Uint8Array): number[][] {
  const { sums, bins } = histogram
  const flat = Float64Array.from(colours.flat())
  const means = new Float64Array(colours.length * fields)
  for (let bin = 0; bin < bins; bin++) {
    const pixels = sums[bin * fields + 4]!
    const [red, green, blue, alpha] = [0, 1, 2, 3].map((part) => sums[bin * fields + part]! / pixels) as Four
    let [nearest, least] = [0, Number.POSITIVE_INFINITY]
    for (let number = 0, at = 0; at < flat.length; number++, at += 4) {
      const distance =
        (flat[at]! - red) ** 2 +
        (flat[at + 1]! - green) ** 2 +
        (flat[at + 2]! - blue) ** 2 +
        (flat[at + 3]! - alpha) ** 2
      if (distance < least) [nearest, least] = [number, distance]
    }
    numbers[bin] = nearest
    for (let field = 0; field < fields; field++) means[nearest * fields + field]! += sums[bin * fields + field]!
  }
  return colours.map((colour, number) => {
    const pixels = means[number * fields + 4]!
    return pixels === 0 ? colour : colour.map((_, part) => means[number * fields + part]! / pixels)
  })
}

type Four = [number, number, number, number]
