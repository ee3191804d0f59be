// Operations of media in the load of a soak test.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PNG } from 'pngjs'
import { has } from '../../lib/programs.ts'
import type { ComponentMix, SoakOperation, SoakWorld } from './operation.ts'

/**
 * Digests of the newest items, which other operations read. Older items are deleted, so that the storage does not grow.
 */
const kept: Record<'image' | 'file', string[]> = { image: [], file: [] }
const maxKept = 40

const pictures: Buffer[] = []
const photo = readFileSync('docs/samples/photo.jpg')

const tone = readFileSync('docs/samples/tone.mp3')
const clip = readFileSync('docs/samples/clip.mp4')

async function upload(world: SoakWorld, kind: string, bytes: Buffer, name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  const answer = await world.ask('POST', `/media/${kind}`, { body: form })
  return (JSON.parse(answer.bytes.toString()) as { digest: string }).digest
}

/** Stores a digest for other operations, and deletes the oldest item if there are too many. */
async function keep(world: SoakWorld, kind: 'image' | 'file', digest: string) {
  kept[kind].push(digest)
  const oldest = kept[kind].length > maxKept ? kept[kind].shift() : undefined
  if (oldest) await world.ask('DELETE', `/media/${kind}/${oldest}`)
}

/** A random stored item among the newest 20, since another operation may delete the oldest ones meanwhile. */
const oneOf = (kind: 'image' | 'file', { random }: SoakWorld) => kept[kind].at(-random.between(1, Math.min(20, kept[kind].length)))! // biome-ignore format: one line

async function uploadImage(world: SoakWorld) {
  const isPhoto = world.random.share() < 1 / 8
  const picture = isPhoto ? photo : pictures[world.random.between(0, pictures.length - 1)]!
  await keep(world, 'image', await upload(world, 'image', picture, isPhoto ? 'photo.jpg' : 'drawing.png'))
}

const fileOf = ({ random }: SoakWorld) => randomBytes(2 ** random.between(0, 20))

const uploadFile = async (world: SoakWorld) =>
  keep(world, 'file', await upload(world, 'file', fileOf(world), 'data.bin'))

async function makeAnother(world: SoakWorld, path: string, body: object) {
  const { ask } = world
  const { bytes } = await ask('POST', `/media/image/${oneOf('image', world)}/${path}`, { body })
  const { digest } = JSON.parse(bytes.toString()) as { digest: string }
  await ask('DELETE', `/media/image/${digest}`)
}

const images: SoakOperation[] = [
  { name: 'media: store an image', weight: 2, run: uploadImage },
  {
    name: 'media: a thumbnail',
    weight: 6,
    run: async (world) => {
      const { random } = world
      const size = `w=${random.between(1, 10) * 20}&h=${random.between(1, 10) * 20}`
      const how = `m=${random.share() < 1 / 2 ? 'c' : 'r'}&f=${['webp', 'jpeg', 'png'][random.between(0, 2)]}`
      await world.ask('GET', `/media/image/${oneOf('image', world)}?${size}&${how}`)
    },
  },
  { name: 'media: turn an image', weight: 0.5, run: (world) => makeAnother(world, 'rotate', { d: 90 }) },
  {
    name: 'media: cut an image',
    weight: 0.5,
    run: (world) => makeAnother(world, 'crop', { x: 2, y: 2, w: 30, h: 30 }),
  },
]

const files: SoakOperation[] = [
  { name: 'media: store a file', weight: 2, run: uploadFile },
  {
    name: 'media: a range of a file',
    weight: 5,
    run: async (world) => {
      const path = `/media/file/${oneOf('file', world)}`
      const { headers } = await world.ask('HEAD', path)
      const last = Number(headers.get('content-length')) - 1
      const from = world.random.between(0, last)
      const range = `bytes=${from}-${world.random.between(from, last)}`
      const { status } = await world.ask('GET', path, { headers: { range } })
      if (status !== 206) throw new Error(`A range was answered with ${status}`)
    },
  },
  {
    name: 'media: a file, and again unchanged',
    weight: 2,
    run: async (world) => {
      const path = `/media/file/${oneOf('file', world)}`
      const { headers } = await world.ask('GET', path)
      await world.ask('GET', path, { headers: { 'if-none-match': headers.get('etag')! }, but: 304 })
    },
  },
  { name: 'media: a file in parts, by tus', weight: 1, run: uploadInParts },
]

async function uploadInParts(world: SoakWorld) {
  const { ask, url } = world
  const bytes = randomBytes(world.random.between(3, 600_000))
  const tus = { 'tus-resumable': '1.0.0' }
  const about = `kind ${btoa('file')},filename ${btoa('parts.bin')}`
  const begun = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': about }
  const { headers } = await ask('POST', '/media/tus', { headers: begun })
  const path = headers.get('location')!.slice(url.length)
  const third = Math.floor(bytes.length / 3)
  let digest: string | null = null
  for (const [from, to] of [
    [0, third],
    [third, 2 * third],
    [2 * third, bytes.length],
  ] as const) {
    // biome-ignore format: one line
    const part = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) }
    const reply = await ask('PATCH', path, { headers: part, body: bytes.subarray(from, to) })
    digest = reply.headers.get('media-digest')
    if (from === third) await ask('HEAD', path, { headers: tus })
  }
  if (!digest) throw new Error('The last part of an upload gave no digest')
  await keep(world, 'file', digest)
}

const recordings: SoakOperation[] = [
  {
    name: 'media: store audio',
    weight: 0.5,
    run: async (world) => {
      const digest = await upload(world, 'audio', tone, 'tone.mp3')
      await world.ask('GET', `/media/audio/${digest}/info`)
      await world.ask('DELETE', `/media/audio/${digest}`)
    },
  },
  // The video operation needs native ffmpeg: the WebAssembly build would use all cores for a while.
  ...(has('ffmpeg') ? [{ name: 'media: a video, until it is mp4', weight: 0.03, run: transcode }] : []),
]

async function transcode(world: SoakWorld) {
  const { ask, until } = world
  const digest = await upload(world, 'video', clip, 'clip.mp4')
  await until('The mp4 of a video', async () => (await ask('GET', `/media/video/${digest}`)).status === 200)
  await ask('GET', `/media/video/${digest}/preview?w=160`)
  await ask('DELETE', `/media/video/${digest}`)
}

export const media: ComponentMix = {
  prepare: async (world) => {
    for (let n = 0; n < 12; n++) pictures.push(drawn(world.random.between(40, 500), world.random.between(40, 500)))
    for (let n = 0; n < 8; n++) {
      await uploadImage(world)
      await uploadFile(world)
    }
  },
  operations: [...images, ...files, ...recordings],
}

/** A PNG of random pixels, which does not compress to almost nothing. */
function drawn(width: number, height: number): Buffer {
  const png = new PNG({ width, height })
  for (let i = 0; i < png.data.length; i++) png.data[i] = i % 4 === 3 ? 255 : (i * 7 + ((i >> 5) ^ (i >> 11))) & 255
  return PNG.sync.write(png)
}
