// Tests the images that the media container renders: orientation, crop, size and format.
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { ask, download, useServer } from './server.ts'

const server = useServer()

const image = (file: Buffer, query: string) => download(server, 'POST', `/image?${query}`, new Uint8Array(file))

const [red, green, blue, white, black] = ['#f00', '#0f0', '#00f', '#fff', '#000'] as const
const colours: Record<string, string> = {
  '255,0,0': 'red',
  '0,255,0': 'green',
  '0,0,255': 'blue',
  '255,255,255': 'white',
}

const plain = (width: number, height: number, background: string, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background } })

/** A picture whose corners have the colours red, green, blue and white, in reading order from the top left. */
async function marked(width = 120, height = 80): Promise<Sharp> {
  const at = async (left: number, top: number, colour: string) => ({
    input: await plain(width / 2, height / 2, colour)
      .png()
      .toBuffer(),
    left,
    top,
  })
  const corners = [at(0, 0, red), at(width / 2, 0, green), at(0, height / 2, blue), at(width / 2, height / 2, white)]
  return plain(width, height, black).composite(await Promise.all(corners))
}

/** The colours at the middles of the four quarters of a picture. */
async function cornersOf(file: Buffer): Promise<string[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const places = [
    [1, 1],
    [3, 1],
    [1, 3],
    [3, 3],
  ] as const
  return places.map(([x, y]) => colourAt(data, info, (info.width * x) / 4, (info.height * y) / 4))
}

function colourAt(
  data: Buffer,
  { width, channels }: { width: number; channels: number },
  x: number,
  y: number,
): string {
  const at = (Math.floor(y) * width + Math.floor(x)) * channels
  const near = [...data.subarray(at, at + 3)].map((value) => (value > 200 ? 255 : value < 55 ? 0 : value))
  return colours[near.join()] ?? near.join()
}

describe('an orientation', () => {
  const turned: [number, string[]][] = [
    [1, ['red', 'green', 'blue', 'white']],
    [2, ['green', 'red', 'white', 'blue']],
    [3, ['white', 'blue', 'green', 'red']],
    [4, ['blue', 'white', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'white']],
    [6, ['blue', 'red', 'white', 'green']],
    [7, ['white', 'green', 'blue', 'red']],
    [8, ['green', 'white', 'red', 'blue']],
  ]

  it.each(turned)('applies orientation %i', async (orientation, corners) => {
    const file = await (await marked()).png().toBuffer()
    const made = await image(file, `orientation=${orientation}&format=png`)
    const { width, height } = await sharp(made).metadata()
    expect([width, height]).toEqual(orientation < 5 ? [120, 80] : [80, 120])
    expect(await cornersOf(made)).toEqual(corners)
  })

  it.each(turned)('agrees with libvips on orientation %i', async (orientation) => {
    const file = await (await marked()).withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer()
    const theirs = await sharp(file).autoOrient().png().toBuffer()
    expect(await cornersOf(await image(file, `orientation=${orientation}&format=png`))).toEqual(await cornersOf(theirs))
  })

  it.each(turned)('crops and scales after applying orientation %i', async (orientation, corners) => {
    const file = await (await marked()).png().toBuffer()
    const [width, height] = orientation < 5 ? [120, 80] : [80, 120]
    for (const [at, x, y] of [
      [0, 0, 0],
      [1, width / 2, 0],
      [2, 0, height / 2],
      [3, width / 2, height / 2],
    ] as const) {
      const crop = `x=${x}&y=${y}&crop_width=${width / 2}&crop_height=${height / 2}`
      const made = await image(file, `orientation=${orientation}&${crop}&width=16&height=12&format=png`)
      expect(await sharp(made).metadata()).toMatchObject({ width: 16, height: 12 })
      expect(new Set(await cornersOf(made))).toEqual(new Set([corners[at]]))
    }
  })

  it('ignores the orientation in the file', async () => {
    const file = await (await marked()).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer()
    const made = await image(file, 'format=png')
    expect(await sharp(made).metadata()).toMatchObject({ width: 120, height: 80 })
    expect(await cornersOf(made)).toEqual(['red', 'green', 'blue', 'white'])
  })

  it('scales to exactly the requested size', async () => {
    const file = await (await marked(1200, 800)).jpeg().toBuffer()
    for (const [width, height] of [
      [7, 300],
      [600, 400],
      [150, 100],
      [1, 1],
      [2400, 30],
    ])
      expect(await sharp(await image(file, `width=${width}&height=${height}`)).metadata()).toMatchObject({
        width,
        height,
      })
  })
})

describe('formats', () => {
  const kinds = ['jpeg', 'png', 'webp', 'gif'] as const
  const written = ['jpeg', 'png', 'webp', 'gif', 'avif']

  it.each(kinds.flatMap((from) => written.map((to) => [from, to] as const)))('converts %s to %s', async (from, to) => {
    const file = await (await marked())[from]().toBuffer()
    const response = await fetch(`${server.url}/image?format=${to}&width=60&height=40`, {
      method: 'POST',
      body: new Uint8Array(file),
    })
    expect(response.headers.get('content-type')).toBe(`image/${to}`)
    const made = Buffer.from(await response.arrayBuffer())
    const { format, width, height, compression } = await sharp(made).metadata()
    expect({ format: compression === 'av1' ? 'avif' : format, width, height }).toEqual({
      format: to,
      width: 60,
      height: 40,
    })
    expect(await cornersOf(made)).toEqual(['red', 'green', 'blue', 'white'])
  })

  it('encodes JPEG by default', async () => {
    const made = await image(await (await marked()).png().toBuffer(), '')
    expect((await sharp(made).metadata()).format).toBe('jpeg')
  })

  it('converts CMYK to sRGB', async () => {
    const file = await plain(40, 40, '#c03020').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect((await sharp(file).metadata()).space).toBe('cmyk')
    const made = await image(file, 'format=png')
    expect((await sharp(made).metadata()).space).toBe('srgb')
    const [r, g, b] = (await sharp(made).stats()).channels.map(({ mean }) => mean)
    expect([Math.abs(r! - 192) < 40, Math.abs(g! - 48) < 40, Math.abs(b! - 32) < 40]).toEqual([true, true, true])
  })

  it('converts 16 bits to 8', async () => {
    const file = await plain(20, 20, '#80c040').toColourspace('rgb16').png().toBuffer()
    expect((await sharp(file).metadata()).depth).toBe('ushort')
    const made = await image(file, 'format=png')
    expect(await sharp(made).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb' })
    expect((await sharp(made).stats()).channels.map(({ mean }) => Math.round(mean))).toEqual([128, 192, 64])
  })

  it('reads a progressive JPEG', async () => {
    const file = await (await marked()).jpeg({ progressive: true }).toBuffer()
    expect(await cornersOf(await image(file, 'format=png&width=40&height=40'))).toEqual([
      'red',
      'green',
      'blue',
      'white',
    ])
  })

  it.each(['gif', 'webp'] as const)('uses the first frame of an animated %s', async (kind) => {
    const frames = Buffer.concat(
      await Promise.all([red, green, blue].map((colour) => plain(30, 30, colour).raw().toBuffer())),
    )
    const raw = { width: 30, height: 90, channels: 3, pageHeight: 30 } as const
    const file = await sharp(frames, { raw })
      [kind]({ delay: [100, 100, 100] })
      .toBuffer()
    expect((await sharp(file).metadata()).pages).toBe(3)
    const made = await image(file, 'format=png')
    expect(await sharp(made).metadata()).toMatchObject({ width: 30, height: 30 })
    expect(await cornersOf(made)).toEqual(['red', 'red', 'red', 'red'])
  })

  it('draws transparent pixels on white in a JPEG, and keeps them in other formats', async () => {
    const file = await plain(30, 30, 'rgba(0,0,0,0)', 4).png().toBuffer()
    expect(await cornersOf(await image(file, 'format=jpeg'))).toEqual(['white', 'white', 'white', 'white'])
    for (const format of ['png', 'webp', 'gif', 'avif'])
      expect((await sharp(await image(file, `format=${format}`)).stats()).isOpaque).toBe(false)
  })

  it('keeps no metadata', async () => {
    const file = await plain(30, 30, red)
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const { exif, icc, xmp } = await sharp(await image(file, 'format=jpeg')).metadata()
    expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined])
  })
})

it('checks a valid image', async () => {
  const file = await (await marked()).webp().toBuffer()
  expect(await ask(server, 'POST', '/image/check', new Uint8Array(file))).toMatchObject({
    status: true,
    width: 120,
    height: 80,
  })
})
