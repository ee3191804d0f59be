// Serves pictures to the tests of media, made by sharp as the path and query say, since workerd cannot run sharp.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import createWebpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions } from '@jsquash/webp/meta.js'
import sharp, { type Sharp } from 'sharp'
import type { TestProject } from 'vitest/node'
import { randomOf } from '../../scripts/lib/random.ts'

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

/** What a picture shows, by the first segment of the path. */
const subjects: Record<string, (size: Size) => Promise<Sharp> | Sharp> = {
  /** Quarters in red, green, blue and white. */
  corners: (size) => pixel(size, 3, (x, y) => corners[Number(x >= size.width / 2) + 2 * Number(y >= size.height / 2)]!),
  /** Soft spots of all colours, with as much detail as a photo. */
  photo: ({ width, height }) => {
    const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)]
    const noise = noiseOf(across, down)
    return sharp(noise, { raw: { width: across, height: down, channels: 3 } }).resize(width, height, { fit: 'fill' })
  },
  /** Noise, which compresses worst. */
  noise: (size) => sharp(noiseOf(size.width, size.height), { raw: { ...size, channels: 3 } }),
  /** Noise in the alpha channel too. */
  mist: ({ width, height }) => {
    const data = noiseOf(width, Math.ceil((height * 4) / 3))
    return sharp(data.subarray(0, width * height * 4), { raw: { width, height, channels: 4 } })
  },
  /** A red left half, and a transparent right half without a colour. */
  edge: (size) => pixel(size, 4, (x) => (x < size.width / 2 ? [255, 0, 0, 255] : [0, 0, 0, 0])),
  /** A red area. */
  flat: (size) => pixel(size, 3, () => corners[0]!),
  /** A drawing like the preview of a shared link: flat colours, sharp edges and letters. */
  banner: ({ width, height }) => sharp(Buffer.from(drawingOf(width, height))).flatten(),
  /** A page of black, grey and blue text on white. */
  page: ({ width, height }) => sharp(Buffer.from(pageOf(width, height))).flatten({ background: '#fff' }),
  /** A gradient from black to white. */
  ramp: (size) => pixel(size, 3, (x) => Array(3).fill(Math.round((255 * x) / Math.max(1, size.width - 1)))),
}

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`

const drawingOf = (width: number, height: number) =>
  svg(
    width,
    height,
    `<rect width="100%" height="100%" fill="#2b6cb0"/><circle cx="${width / 2}" cy="${height / 2}" r="${height / 4}" fill="#fbd38d"/>` +
      `<text x="20" y="${height / 8}" font-size="${height / 12}" fill="#fff">Sale 50%</text>`,
  )

function pageOf(width: number, height: number) {
  const lines = Array.from(
    { length: Math.floor(height / 20) },
    (_, i) =>
      `<text x="20" y="${20 * i + 15}" font-size="14" fill="${i % 7 ? '#222' : '#06c'}">${i} The quick brown fox jumps over the lazy dog, ${(i * 37) % 100} times</text>`,
  )
  return svg(width, height, `<rect width="100%" height="60" y="100" fill="#2b6cb0"/>${lines.join('')}`)
}

/**
 * Gaussian noise with mean 128 and sigma 50. The seed is fixed, so that differences between decoders are the same in
 * each run.
 */
function noiseOf(width: number, height: number): Buffer {
  const { share } = randomOf(1)
  // The sum of twelve uniform numbers has variance 1 (central limit theorem).
  const gaussian = () => Array.from({ length: 12 }, share).reduce((sum, each) => sum + each, -6)
  return Buffer.from(Uint8ClampedArray.from({ length: width * height * 3 }, () => 128 + 50 * gaussian()).buffer)
}

/** The format of the file, by the second segment of the path. */
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
  'jpeg-low': (picture) => picture.jpeg({ quality: 10 }),
  'jpeg-cmyk-low': (picture) => picture.toColourspace('cmyk').jpeg({ quality: 1 }),
  'jpeg-low-exif': (picture) => withPlace(picture).jpeg({ quality: 10 }),
  'png-small': (picture) => picture.threshold().png({ compressionLevel: 9, palette: true, colours: 2 }),
  'webp-low': (picture) => picture.webp({ quality: 1, effort: 6 }),
  'webp-low-exif': (picture) => withPlace(picture).webp({ quality: 1 }),
  'webp-80': (picture) => picture.webp({ quality: 80 }),
  'jpeg-p3': (picture) => picture.withIccProfile('p3').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  'png-p3': (picture) => picture.withIccProfile('p3').png(),
  'webp-p3': (picture) => picture.withIccProfile('p3').webp({ quality: 95 }),
  'jpeg-cmyk-profile': (picture) =>
    picture.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  'jpeg-cmyk-profile-progressive': (picture) =>
    picture.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95, progressive: true }),
}

const withPlace = (picture: Sharp) => picture.withExif({ IFD0: { ImageDescription: 'secret place' } })

/** Encoders of files that sharp cannot write. */
const encoders: Record<string, (picture: Sharp) => Promise<Buffer>> = {
  /** Lossy WebP with one segment, whose segment header is absent. */
  'webp-segment': async (picture) => {
    const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const wasmBinary = await readFile('node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm')
    const encoder = await createWebpEncoder({ wasmBinary })
    return Buffer.from(encoder.encode(data, info.width, info.height, { ...defaultOptions, segments: 1 })!)
  },
  /** WebP from a key frame of libvpx. Needs ffmpeg. */
  'webp-vpx': async (picture) => {
    const png = await picture.png().toBuffer()
    const encode = ['-c:v', 'libvpx', '-pix_fmt', 'yuv420p', '-f', 'ivf', '-']
    const ivf = await new Promise<Buffer>((resolve, reject) => {
      const { stdin } = execFile(
        'ffmpeg',
        ['-v', 'error', '-f', 'png_pipe', '-i', '-', '-frames:v', '1', ...encode],
        { encoding: 'buffer', maxBuffer: 10_000_000 },
        (error, stdout) => (error ? reject(error) : resolve(stdout)),
      )
      stdin!.end(png)
    })
    const frame = ivf.subarray(44, 44 + ivf.readUInt32LE(32))
    return riff('VP8 ', frame)
  },
}

function riff(name: string, content: Buffer) {
  const padding = Buffer.alloc(content.length % 2)
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(12 + content.length + padding.length, 0)
  lengths.writeUInt32LE(content.length, 4)
  const [whole, chunk] = [lengths.subarray(0, 4), lengths.subarray(4)]
  return Buffer.concat([Buffer.from('RIFF'), whole, Buffer.from(`WEBP${name}`), chunk, content, padding])
}

/** The result of libvips for the file in the body, to compare with: its pixels in sRGB, or another file of a width. */
async function answer({ pathname, searchParams }: URL, request: IncomingMessage): Promise<Buffer> {
  const width = Number(searchParams.get('width')) || undefined
  // The profile is set, since without it sharp leaves 16-bit colours in Display P3.
  const picture = sharp(await buffer(request))
    .resize(width && { width })
    .withIccProfile('srgb', { attach: false })
  if (pathname === '/png') return picture.png({ palette: searchParams.get('kind') === 'palette' }).toBuffer()
  if (pathname === '/jpeg') return picture.jpeg({ quality: 82 }).toBuffer()
  if (pathname === '/png-grey') return picture.toColourspace('b-w').png().toBuffer()
  const pixels = await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer()
  // Clears the colour of transparent pixels, which is undefined, so that pictures can be compared.
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] === 0) pixels.fill(0, at, at + 3)
  return pixels
}

/** An animation with three frames: red, green and blue. */
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
  const shown = await subjects[subject]!(size)
  const encode = encoders[writer]
  if (encode) return encode(shown)
  const picture = writers[writer]!(shown)
  return (orientation ? picture.withMetadata({ orientation }) : picture).toBuffer()
}

export default async (project: TestProject) => {
  const made = new Map<string, Promise<Buffer>>()
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const url = new URL(request.url!, 'http://pictures')
    const picture = request.method === 'POST' ? answer(url, request) : (made.get(url.href) ?? make(url))
    if (request.method !== 'POST') made.set(url.href, picture)
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
