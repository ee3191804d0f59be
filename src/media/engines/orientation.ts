// Maps boxes and pixels of an upright image to its stored pixels, by the EXIF orientation, so that an image is rotated while it is
// written.
import type { CropBox, ImageSize, Orientation } from './engine.ts'

/** Whether an orientation swaps width and height. */
export const swapsAxes = (orientation: Orientation) => orientation >= 5

/** Converts a box of the upright image to the box of stored pixels that it shows. `size` is the size in the file. */
export function storedBox(orientation: Orientation, { x, y, width, height }: CropBox, size: ImageSize): CropBox {
  const box = swapsAxes(orientation) ? { x: y, y: x, width: height, height: width } : { x, y, width, height }
  return {
    ...box,
    x: isFromRight(orientation) ? size.width - box.x - box.width : box.x,
    y: isFromBottom(orientation) ? size.height - box.y - box.height : box.y,
  }
}

/**
 * Describes where the stored pixels are in the upright image: pixel (x, y) of the file has the index `start + x * right + y *
 * down`.
 */
export function pixelLayout(orientation: Orientation, { width, height }: ImageSize) {
  const [right, down] = swapsAxes(orientation) ? [height, 1] : [1, width]
  const fromRight = isFromRight(orientation)
  const fromBottom = isFromBottom(orientation)
  return {
    start: (fromRight ? (width - 1) * right : 0) + (fromBottom ? (height - 1) * down : 0),
    right: fromRight ? -right : right,
    down: fromBottom ? -down : down,
  }
}

/** Whether the left edge of the file is displayed at the far end of its axis. `isFromBottom` says the same about the top edge. */
const isFromRight = (orientation: Orientation) => [2, 3, 7, 8].includes(orientation)
const isFromBottom = (orientation: Orientation) => [3, 4, 6, 7].includes(orientation)
