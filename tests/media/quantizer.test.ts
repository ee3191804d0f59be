// Tests the reduction of images to a palette.
import { expect, it } from 'vitest'
import { quantized } from '#media/engines/quantizer'

it.each([
  [0, 16],
  [255, 240],
])('keeps an alpha of %i separate from one of %i', (alpha, other) => {
  const pixels = Uint8Array.from([10, 20, 30, alpha, 10, 20, 30, other, 10, 20, 30, other])
  const { index, colours } = quantized(pixels, 256)
  expect(Array.from(index, (number) => colours[number]![3])).toEqual([alpha, other, other])
})
