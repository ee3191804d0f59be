import type { CropBox, ImageSize, Orientation } from './engine.ts'

/** Whether width and height change places. */
export const swapsAxes = (orientation: Orientation) => orientation >= 5

/** The stored pixels that are shown in a part of the picture; the size is the stored one. */
export function storedBox(orientation: Orientation, { x, y, width, height }: CropBox, size: ImageSize): CropBox {
  const box = swapsAxes(orientation) ? { x: y, y: x, width: height, height: width } : { x, y, width, height }
  return {
    ...box,
    x: isFromRight(orientation) ? size.width - box.x - box.width : box.x,
    y: isFromBottom(orientation) ? size.height - box.y - box.height : box.y,
  }
}

/** Where the stored pixels of a picture go: pixel (x, y) to place `start + x * right + y * down` of what is shown. */
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

/** What is stored at the left or at the top is shown at the other end. */
const isFromRight = (orientation: Orientation) => [2, 3, 7, 8].includes(orientation)
const isFromBottom = (orientation: Orientation) => [3, 4, 6, 7].includes(orientation)
