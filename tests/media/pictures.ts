import { inject } from 'vitest'
import type { Engine, Header, ImageSource, RenderPlan } from '#media/engines/engine'
import { openPhoton } from '#media/engines/photon-codec'
import { readHeader } from '#media/image-header'

const made = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** A picture by `tests/support/media-pictures.ts`: `picture('photo/jpeg', 400, 300)`. */
export function picture(path: string, width: number, height: number, orientation = 0) {
  const url = `${inject('picturesUrl')}/${path}?${new URLSearchParams({ width: `${width}`, height: `${height}`, orientation: `${orientation}` })}`
  const bytes = made.get(url) ?? load(url)
  // Large ones would not leave room for those that are decoded.
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
  /** Red, green, blue and alpha. */
  at(x: number, y: number): number[]
}

/** The pixels of a file, as they are stored. */
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

/** How far two colours are from each other, at most, in one of their parts. */
export const distance = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((part, i) => Math.abs(part - other[i]!)))

/** What libvips makes of a file: `pixels` in sRGB with alpha, or a `png`. */
export async function byLibvips(path: string, file: Uint8Array<ArrayBuffer>, query: Record<string, string> = {}) {
  const response = await fetch(`${inject('picturesUrl')}/${path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body: file,
  })
  if (!response.ok) throw new Error(await response.text())
  return new Uint8Array(await response.arrayBuffer())
}

/** Peak signal-to-noise ratio in dB of two pictures' pixels: above 50 no eye tells them apart. */
export function psnr(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) throw new Error('The pictures have different sizes')
  const sum = one.reduce((sum, byte, i) => sum + (byte - other[i]!) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (sum / one.length))
}

/** The bytes of the picture that an engine makes. */
export const rendered = async (engine: Engine, source: ImageSource, plan: RenderPlan) =>
  new Uint8Array(await new Response(await engine.render(source, plan)).arrayBuffer())
