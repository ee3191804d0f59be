// Operations of media whose cost is measured.
import { readFileSync } from 'node:fs'
import { has } from '../../lib/programs.ts'
import { type Costed, type CostOperation, type CostWorld, many, maxRuns } from './operation.ts'

const photo = readFileSync('docs/samples/photo.jpg')
const clip = readFileSync('docs/samples/clip.mp4')
const data = Buffer.alloc(100_000, 'Lorem ipsum dolor sit amet. ')

const images: string[] = []
const files: string[] = []
const doomed: string[] = []

async function upload({ ask }: CostWorld, kind: string, bytes: Buffer, name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  const answer = await ask('POST', `/media/${kind}`, { body: form })
  return (JSON.parse(answer.bytes.toString()) as { digest: string }).digest
}

const image = (world: CostWorld) => upload(world, 'image', photo, 'photo.jpg')
const thumbnail = (n: number, size: string) => `/media/image/${images[n % images.length]}?${size}&f=webp`

async function uploadInParts({ ask, url }: CostWorld) {
  const tus = { 'tus-resumable': '1.0.0' }
  const about = `kind ${btoa('file')},filename ${btoa('parts.bin')}`
  const begun = { ...tus, 'upload-length': String(data.length), 'upload-metadata': about }
  const { headers } = await ask('POST', '/media/tus', { headers: begun })
  const path = headers.get('location')!.slice(url.length)
  for (const from of [0, 50_000]) {
    const part = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) }
    await ask('PATCH', path, { headers: part, body: data.subarray(from, from + 50_000) })
  }
}

const video: CostOperation = {
  name: 'POST /video, until it is mp4',
  times: 2,
  run: (world) => upload(world, 'video?wait=1', clip, 'clip.mp4'),
}

export const media: Costed = {
  prepare: async (world) => {
    await many(400, async () => files.push(await upload(world, 'file', data, 'data.txt')))
    await many(8, async () => images.push(await image(world)))
    await many(maxRuns, async () => doomed.push(await image(world)))
    await many(images.length, (n) => world.ask('GET', thumbnail(n, 'w=64&h=64')))
  },
  filled: { by: 'POST /file, 100 kB', times: 400 },
  operations: [
    { name: 'POST /file, 100 kB', run: (world) => upload(world, 'file', data, 'data.txt') },
    { name: 'GET /file', run: ({ ask }, n) => ask('GET', `/media/file/${files[n]}`) },
    {
      name: 'GET /file, a range of 1 kB',
      run: ({ ask }, n) => ask('GET', `/media/file/${files[n]}`, { headers: { range: 'bytes=1000-1999' } }),
    },
    { name: 'GET /file/{digest}/info', run: ({ ask }, n) => ask('GET', `/media/file/${files[n]}/info`) },
    { name: 'POST /image, a photo', run: image },
    {
      name: 'GET /image, a thumbnail that is new',
      run: ({ ask }, n) => ask('GET', thumbnail(n, `w=${100 + n}&h=100`)),
    },
    { name: 'GET /image, one that was made', run: ({ ask }, n) => ask('GET', thumbnail(n, 'w=64&h=64')) },
    {
      name: 'POST /image/{digest}/rotate',
      run: ({ ask }, n) => ask('POST', `/media/image/${images[n % images.length]}/rotate`, { body: { d: 90 } }),
    },
    { name: 'DELETE /image', run: ({ ask }, n) => ask('DELETE', `/media/image/${doomed[n]}`) },
    { name: 'tus, 100 kB in two parts', run: uploadInParts },
    ...(has('ffmpeg') ? [video] : []),
  ],
}
