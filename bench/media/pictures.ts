// Generates pictures for benchmarks that are as expensive as photographs: large shapes, grain, and no two equal blocks.
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'

interface Size {
  width: number
  height: number
}

const whole = { width: 4000, height: 3000 }

/**
 * Size of each picture, by file name. Smaller ones are decoded in the Worker itself, which is limited to about 3 or 4
 * megapixels.
 */
const files: Record<string, Size> = {
  '100kp.jpg': { width: 400, height: 300 },
  '100kp.png': { width: 400, height: 300 },
  '1mp.jpg': { width: 1200, height: 850 },
  '3mp.png': { width: 2000, height: 1500 },
  '4mp.jpg': { width: 2400, height: 1800 },
  '12mp.jpg': whole,
  '48mp.jpg': { width: 8000, height: 6000 },
}

/** Writes the same picture in all sizes. The JPEGs have 0.25 to 0.33 bytes per pixel, as photographs do. */
export async function makePictures(folder: string) {
  const layers = await Promise.all(details.map(noise))
  const data = await sharp(sky).composite(layers).removeAlpha().raw().toBuffer()
  for (const [name, { width, height }] of Object.entries(files)) {
    const picture = sharp(data, { raw: { ...whole, channels: 3 } }).resize(width, height, { fit: 'fill' })
    await picture
      .jpeg({ quality: 92 })
      .toFormat(name.endsWith('png') ? 'png' : 'jpeg')
      .toFile(join(folder, name))
  }
}

/** The layers of noise: the size of their spots in pixels, and their strength. */
const details = [
  { spot: 256, sigma: 60 },
  { spot: 32, sigma: 40 },
  { spot: 4, sigma: 30 },
  { spot: 1, sigma: 10 },
]

async function noise({ spot, sigma }: (typeof details)[number]): Promise<OverlayOptions> {
  const small = { width: Math.ceil(whole.width / spot), height: Math.ceil(whole.height / spot), channels: 3 } as const
  const grain = { type: 'gaussian', mean: 128, sigma } as const
  const spots = await sharp({ create: { ...small, background: 'black', noise: grain } })
    .raw()
    .toBuffer()
  const input = await sharp(spots, { raw: small }).resize(whole.width, whole.height, { fit: 'fill' }).raw().toBuffer()
  return { input, raw: { ...whole, channels: 3 }, blend: 'soft-light' }
}

const sky = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${whole.width}" height="${whole.height}">
  <linearGradient id="sky" x2="0.3" y2="1"><stop stop-color="#36c"/><stop offset="0.6" stop-color="#fc9"/>
    <stop offset="1" stop-color="#352"/></linearGradient>
  <radialGradient id="sun" cx="0.7" cy="0.4"><stop stop-color="#fff8"/><stop offset="1" stop-color="#0006"/></radialGradient>
  <rect width="100%" height="100%" fill="url(#sky)"/><rect width="100%" height="100%" fill="url(#sun)"/>
</svg>`)
