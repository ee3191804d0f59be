// Test images, and functions that compare images. The server tests/support/media-pictures.ts generates the images with sharp.
import { inject } from 'vitest'
import type { Engine, Header, ImageSource, RenderPlan } from '#media/engines/engine'
import { openPhoton } from '#media/engines/photon-codec'
import { readHeader } from '#media/image-header'

const made = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** Returns a generated image, for example `picture('photo/jpeg', 400, 300)`. */
export function picture(path: string, width: number, height: number, orientation = 0) {
  const url = `${inject('picturesUrl')}/${path}?${new URLSearchParams({ width: `${width}`, height: `${height}`, orientation: `${orientation}` })}`
  const bytes = made.get(url) ?? load(url)
  // Only small images are cached. Large ones would not leave enough memory for the images that the tests decode.
  if (width * height < 100_000) made.set(url, bytes)
  return bytes
}

async function load(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  return new Uint8Array(await response.arrayBuffer())
}

export function headerOf(bytes: Uint8Array): Header {
  const header = readHeader(bytes)
  if (header === undefined || header === 'more') throw new Error('That is no whole picture')
  return header
}

export const sourceOf = (bytes: Uint8Array<ArrayBuffer>, header = headerOf(bytes)): ImageSource => ({
  header,
  size: bytes.length,
  bytes: async () => bytes,
  stream: async () => new Blob([bytes]).stream(),
})

interface DecodedImage {
  width: number
  height: number
  /** The components red, green, blue and alpha of a pixel. */
  at(x: number, y: number): number[]
}

/** Decodes a file to its pixels as stored, before the orientation is applied. */
export const shown = (file: Uint8Array): DecodedImage =>
  openPhoton().decode([file], ({ data, width, height }) => {
    const copy = data.slice()
    return { width, height, at: (x, y) => [...copy.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] }
  })

export const [red, green, blue, white] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
] as const

/** Returns the largest difference of two colours in one component. */
export const distance = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((part, i) => Math.abs(part - other[i]!)))

/** Renders a file with libvips, for comparison: as `pixels` in sRGB with alpha, or as `png`. */
export async function byLibvips(path: string, file: Uint8Array<ArrayBuffer>, query: Record<string, string> = {}) {
  const response = await fetch(`${inject('picturesUrl')}/${path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body: file,
  })
  if (!response.ok) throw new Error(await response.text())
  return new Uint8Array(await response.arrayBuffer())
}

/** Returns the peak signal-to-noise ratio of two images in dB. Above 50 dB, no difference is visible. */
export function psnr(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new Error('The pictures have different sizes')
  const sum = one.reduce((sum, byte, i) => sum + (byte - other[i]!) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (sum / one.length))
}

/** Renders an image with an engine, and returns the file. */
export const rendered = async (engine: Engine, source: ImageSource, plan: RenderPlan) =>
  new Uint8Array(await new Response(await engine.render(source, plan)).arrayBuffer())
