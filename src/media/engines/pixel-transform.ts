// Applies a render plan to decoded pixels: crops, scales and rotates them in the media Worker.
import type { RenderPlan } from './engine.ts'
import { pixelLayout, storedBox, swapsAxes } from './orientation.ts'
import type { Pixels } from './photon-codec.ts'
import { scaleRows } from './row-scaler.ts'

/**
 * Crops, scales and rotates decoded pixels by a plan. For a JPEG, which has no transparency, transparent pixels are drawn on white.
 */
export function transformPixels(source: Pixels<Uint8Array>, plan: RenderPlan): Pixels<Uint8ClampedArray<ArrayBuffer>> {
  const { orientation, width, height, format } = plan
  const data = new Uint8ClampedArray(width * height * 4)
  const all = swapsAxes(orientation)
    ? { x: 0, y: 0, width: source.height, height: source.width }
    : { x: 0, y: 0, width: source.width, height: source.height }
  const box = storedBox(orientation, plan.crop ?? all, source)
  // Scales in the orientation of the file, and rotates while the scaled pixels are written. Rotating first would move more pixels.
  const size = swapsAxes(orientation) ? { width: height, height: width } : { width, height }
  const { start, right, down } = pixelLayout(orientation, size)
  const writePixel = format === 'jpeg' ? writeOnWhite : writeTransparent
  scaleRows(source, box, size, (row, y) => {
    let to = (start + y * down) * 4
    for (let from = 0; from < row.length; from += 4, to += right * 4) writePixel(row, from, data, to)
  })
  return { data, width, height }
}

type WritePixel = (row: Float32Array, from: number, data: Uint8ClampedArray, to: number) => void

/** Writes a pixel with transparency: divides the colours by alpha, since the scaler returns them premultiplied. */
const writeTransparent: WritePixel = (row, from, data, to) => {
  const alpha = row[from + 3]!
  if (alpha < 0.5) return
  const factor = alpha > 254.5 ? 1 : 255 / alpha
  data[to] = row[from]! * factor
  data[to + 1] = row[from + 1]! * factor
  data[to + 2] = row[from + 2]! * factor
  data[to + 3] = alpha
}

const writeOnWhite: WritePixel = (row, from, data, to) => {
  const white = 255 - row[from + 3]!
  data[to] = row[from]! + white
  data[to + 1] = row[from + 1]! + white
  data[to + 2] = row[from + 2]! + white
  data[to + 3] = 255
}
