// A server that makes the pictures of the media tests, as their path and query say: workerd has no sharp.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp, { type Sharp } from 'sharp'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    picturesUrl: string
  }
}

interface Size {
  width: number
  height: number
}

const pixel = (size: Size, channels: 3 | 4, colour: (x: number, y: number) => number[]) => {
  const data = new Uint8Array(size.width * size.height * channels)
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) data.set(colour(x, y), (y * size.width + x) * channels)
  return sharp(data, { raw: { ...size, channels } })
}

const corners = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
]

/** What a picture shows, by the first part of its path. */
const subjects: Record<string, (size: Size) => Promise<Sharp> | Sharp> = {
  /** Red, green, blue and white quarters. */
  corners: (size) => pixel(size, 3, (x, y) => corners[Number(x >= size.width / 2) + 2 * Number(y >= size.height / 2)]!),
  /** Soft spots of all colours, as detailed as a photo. */
  photo: async ({ width, height }) => {
    const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)]
    const noise = await spots(across, down)
    return sharp(noise, { raw: { width: across, height: down, channels: 3 } }).resize(width, height, { fit: 'fill' })
  },
  /** What compresses worst. */
  noise: async (size) => sharp(await spots(size.width, size.height), { raw: { ...size, channels: 3 } }),
  /** Noise in alpha too. */
  mist: async ({ width, height }) => {
    const data = await spots(width, Math.ceil((height * 4) / 3))
    return sharp(data.subarray(0, width * height * 4), { raw: { width, height, channels: 4 } })
  },
  /** A red left half; the right one has no colour and is transparent. */
  edge: (size) => pixel(size, 4, (x) => (x < size.width / 2 ? [255, 0, 0, 255] : [0, 0, 0, 0])),
  /** From black to white. */
  ramp: (size) => pixel(size, 3, (x) => Array(3).fill(Math.round((255 * x) / Math.max(1, size.width - 1)))),
}

const spots = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })
    .raw()
    .toBuffer()

/** How it is written, by the second part. */
const writers: Record<string, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }),
  'jpeg-420': (picture) => picture.jpeg(),
  'jpeg-progressive': (picture) => picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  'jpeg-grey': (picture) => picture.greyscale().jpeg(),
  'jpeg-cmyk': (picture) => picture.toColourspace('cmyk').jpeg({ quality: 95 }),
  'jpeg-cmyk-progressive': (picture) => picture.toColourspace('cmyk').jpeg({ progressive: true }),
  'jpeg-exif': (picture) =>
    picture
      .withExif({ IFD0: { ImageDescription: 'x'.repeat(60_000) } })
      .withIccProfile('srgb')
      .jpeg(),
  png: (picture) => picture.png(),
  'png-16': (picture) => picture.toColourspace('rgb16').png(),
  'png-palette': (picture) => picture.png({ palette: true }),
  'png-grey': (picture) => picture.greyscale().png(),
  'png-interlaced': (picture) => picture.png({ progressive: true }),
  webp: (picture) => picture.webp({ quality: 90 }),
  'webp-lossless': (picture) => picture.webp({ lossless: true }),
  gif: (picture) => picture.gif(),
}

/** Frames of different colours: red, then green, then blue. */
async function animated(size: Size, format: 'gif' | 'webp') {
  const frames = corners.slice(0, 3).map((colour) =>
    pixel(size, 3, () => colour)
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })[format]({ loop: 0, delay: [100, 100, 100] })
}

async function make({ pathname, searchParams }: URL): Promise<Buffer> {
  const [, subject = '', writer = ''] = pathname.split('/')
  const size = { width: Number(searchParams.get('width')), height: Number(searchParams.get('height')) }
  if (subject === 'animated') return (await animated(size, writer as 'gif' | 'webp')).toBuffer()
  const orientation = Number(searchParams.get('orientation') ?? 0)
  const picture = writers[writer]!(await subjects[subject]!(size))
  return (orientation ? picture.withMetadata({ orientation }) : picture).toBuffer()
}

export default async (project: TestProject) => {
  const made = new Map<string, Promise<Buffer>>()
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url!, 'http://pictures')
    const picture = made.get(url.href) ?? make(url)
    made.set(url.href, picture)
    picture.then(
      (bytes) => response.end(bytes),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  project.provide('picturesUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
