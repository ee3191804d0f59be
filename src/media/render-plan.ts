import { invalid } from '#core/failure'
import type { CropBox, Header, ImageFormat, ImageSize, Orientation, RenderPlan } from './engines/engine.ts'
import { swapsAxes } from './engines/orientation.ts'

/** A thumbnail as it is asked for: `r` keeps all of the picture, `c` cuts off what has another shape. */
interface Asked {
  w?: number | undefined
  h?: number | undefined
  m: 'r' | 'c'
}

/** A picture's size as it is shown. */
export const displayed = ({ width, height, orientation }: Omit<Header, 'format'>): ImageSize =>
  swapsAxes(orientation) ? { width: height, height: width } : { width, height }

/**
 * With `r` the largest that fits into w x h, any side that is missing; with `c` min(w, width) x min(h, height) from the
 * middle, the picture's own side where one is missing. All of the picture where neither is given. No side is ever
 * larger than the picture's, or than `max`, or less than a pixel.
 */
export function planThumbnail(header: Header, { w, h, m }: Asked, max: number, format: ImageFormat): RenderPlan {
  const picture = displayed(header)
  const { orientation } = header
  const isFree = w === undefined && h === undefined
  if (m === 'r' || isFree) {
    const within = { width: Math.min(w ?? max, max), height: Math.min(h ?? max, max) }
    return { orientation, ...fitted(picture, within), format }
  }
  const width = Math.min(w ?? picture.width, picture.width, max)
  const height = Math.min(h ?? picture.height, picture.height, max)
  return { orientation, crop: middle(picture, { width, height }), width, height, format }
}

/** The whole picture, turned clockwise; 400 unless by a multiple of 90. */
export function planRotation(header: Header, degrees: number): RenderPlan {
  if (degrees % 90 !== 0) throw invalid('d', 'Must be a multiple of 90')
  const quarters = (((degrees / 90) % 4) + 4) % 4
  const orientation = composed(header.orientation, turns[quarters]!)
  return { orientation, ...displayed({ ...header, orientation }), format: header.format, quality: 'high' }
}

/** A part of the picture as it is shown; 400 where that is empty, or not all of it is in the picture. */
export function planCrop(header: Header, box: CropBox): RenderPlan {
  const { width, height } = displayed(header)
  assertWithin(['x', 'w'], box.x, box.width, width)
  assertWithin(['y', 'h'], box.y, box.height, height)
  return {
    orientation: header.orientation,
    crop: box,
    width: box.width,
    height: box.height,
    format: header.format,
    quality: 'high',
  }
}

/** The orientation that does what the first does, and then what the second does. */
export function composed(first: Orientation, second: Orientation): Orientation {
  const [before, after] = [motionOf(first), motionOf(second)]
  // A mirror turns the sense of every turn that was made before it.
  const quarters = after.quarters + (after.isMirrored ? 4 - before.quarters : before.quarters)
  return (before.isMirrored === after.isMirrored ? turns : mirrors)[quarters % 4]!
}

/** By clockwise quarters of a turn. */
const turns: readonly Orientation[] = [1, 6, 3, 8]

/** The same, of what was mirrored from left to right before. */
const mirrors: readonly Orientation[] = [2, 7, 4, 5]

function motionOf(orientation: Orientation) {
  const isMirrored = mirrors.includes(orientation)
  return { isMirrored, quarters: (isMirrored ? mirrors : turns).indexOf(orientation) }
}

function fitted(picture: ImageSize, within: ImageSize): ImageSize {
  const scale = Math.min(1, within.width / picture.width, within.height / picture.height)
  return { width: pixels(picture.width * scale), height: pixels(picture.height * scale) }
}

/** The largest part of the picture that has the shape, from its middle. */
function middle(picture: ImageSize, shape: ImageSize): CropBox {
  const scale = Math.max(shape.width / picture.width, shape.height / picture.height)
  const width = Math.min(picture.width, pixels(shape.width / scale))
  const height = Math.min(picture.height, pixels(shape.height / scale))
  const x = Math.floor((picture.width - width) / 2)
  const y = Math.floor((picture.height - height) / 2)
  return { x, y, width, height }
}

const pixels = (length: number) => Math.max(1, Math.round(length))

function assertWithin([start, side]: [string, string], from: number, length: number, whole: number) {
  if (!(from >= 0 && from < whole)) throw invalid(start, `Must be between 0 and ${whole - 1}`)
  if (!(length >= 1 && from + length <= whole)) throw invalid(side, `Must be between 1 and ${whole - from}`)
}
