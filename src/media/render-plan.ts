// Plans the orientation, crop, size and format of a rendition. An engine then renders the image by the plan.
import { invalid } from '#core/failure'
import type { CropBox, Header, ImageFormat, ImageSize, Orientation, RenderPlan } from './engines/engine.ts'
import { swapsAxes } from './engines/orientation.ts'

/** Requested size of a thumbnail. Mode `r` keeps the whole image, `c` crops it to the aspect ratio of w x h. */
interface ThumbnailSize {
  w?: number | undefined
  h?: number | undefined
  m: 'r' | 'c'
}

/** Returns the size of an image as displayed: EXIF orientations with a quarter turn swap width and height. */
export const displayed = ({ width, height, orientation }: Omit<Header, 'format'>): ImageSize =>
  swapsAxes(orientation) ? { width: height, height: width } : { width, height }

/**
 * Plans a thumbnail. With `r` it is the largest that fits into w x h; a missing side is unbounded. With `c` it is
 * min(w, width) x min(h, height) from the middle; a missing side is that of the image. Without w and h it is the whole image. No side
 * is larger than that of the image, larger than `max`, or less than a pixel.
 */
export function planThumbnail(
  header: Header,
  { w, h, m }: ThumbnailSize,
  max: number,
  format: ImageFormat,
): RenderPlan {
  const image = displayed(header)
  const { orientation } = header
  const isUnbounded = w === undefined && h === undefined
  if (m === 'r' || isUnbounded) {
    const within = { width: Math.min(w ?? max, max), height: Math.min(h ?? max, max) }
    return { orientation, ...fitted(image, within), format }
  }
  const width = Math.min(w ?? image.width, image.width, max)
  const height = Math.min(h ?? image.height, image.height, max)
  return { orientation, crop: middle(image, { width, height }), width, height, format }
}

/** Plans a clockwise rotation of the whole image. Throws 400 unless `degrees` is a multiple of 90. */
export function planRotation(header: Header, degrees: number): RenderPlan {
  if (degrees % 90 !== 0) throw invalid('d', 'Must be a multiple of 90')
  const quarters = (((degrees / 90) % 4) + 4) % 4
  const orientation = composed(header.orientation, rotations[quarters]!)
  return { orientation, ...displayed({ ...header, orientation }), format: header.format, quality: 'high' }
}

/** Plans a crop of the upright image. Throws 400 if the box is empty or not inside the image. */
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

/** Returns the orientation that has the effect of `first` followed by `second`, so that one transform replaces two. */
export function composed(first: Orientation, second: Orientation): Orientation {
  const [before, after] = [motionOf(first), motionOf(second)]
  // A mirror reverses the direction of all rotations before it, so their quarter turns are subtracted.
  const quarters = after.quarters + (after.isMirrored ? 4 - before.quarters : before.quarters)
  return (before.isMirrored === after.isMirrored ? rotations : mirrors)[quarters % 4]!
}

/** EXIF orientations without a mirror, by the number of clockwise quarter turns. */
const rotations: readonly Orientation[] = [1, 6, 3, 8]

/** EXIF orientations that mirror horizontally and then rotate, by the number of quarter turns. */
const mirrors: readonly Orientation[] = [2, 7, 4, 5]

function motionOf(orientation: Orientation) {
  const isMirrored = mirrors.includes(orientation)
  return { isMirrored, quarters: (isMirrored ? mirrors : rotations).indexOf(orientation) }
}

function fitted(image: ImageSize, within: ImageSize): ImageSize {
  const scale = Math.min(1, within.width / image.width, within.height / image.height)
  return { width: pixels(image.width * scale), height: pixels(image.height * scale) }
}

/** Returns the largest part in the middle of the image that has the aspect ratio of `shape`. */
function middle(image: ImageSize, shape: ImageSize): CropBox {
  const scale = Math.max(shape.width / image.width, shape.height / image.height)
  const width = Math.min(image.width, pixels(shape.width / scale))
  const height = Math.min(image.height, pixels(shape.height / scale))
  const x = Math.floor((image.width - width) / 2)
  const y = Math.floor((image.height - height) / 2)
  return { x, y, width, height }
}

const pixels = (length: number) => Math.max(1, Math.round(length))

function assertWithin([start, side]: [string, string], from: number, length: number, total: number) {
  if (!(from >= 0 && from < total)) throw invalid(start, `Must be between 0 and ${total - 1}`)
  if (!(length >= 1 && from + length <= total)) throw invalid(side, `Must be between 1 and ${total - from}`)
}
