// Benchmark of the media component: uploads, thumbnails, videos and memory, compared with sharp and ffmpeg.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stack } from '../scripts/stack/stack.ts'
import { formOfFile, store, take } from './media/client.ts'
import { compareThumbnails } from './media/images.ts'
import { measureMemory } from './media/memory.ts'
import type { Peer } from './media/peer.ts'
import { makePictures } from './media/pictures.ts'
import { memoryTasks } from './media/tasks.ts'
import { compareUploads } from './media/uploads.ts'
import { compareVideos, makeFilms, nativeTools } from './media/videos.ts'
import type { BenchOperation } from './operation.ts'
import { start } from './queue/remote.ts'

/** Name of the environment variable that passes the digest of the stored image to the load process. */
const variable = 'BENCH_MEDIA_IMAGE'

export const operations: BenchOperation[] = [
  {
    name: 'GET /image, made before',
    request: () => ({ method: 'GET', path: `/image/${process.env[variable]}?w=300` }),
    floor: 'file',
    goal: { ratio: 0.8 },
  },
]

let folder: string
let floor: string

/** Creates the files, and stores the same thumbnail in the bare Worker that is the baseline. */
export async function prepare({ stateDir, origins }: Stack, origin: string) {
  folder = join(stateDir, 'files')
  floor = `${origins.floor}/file`
  await mkdir(folder)
  await makePictures(folder)
  const { digest } = await store(`${origin}/image`, await formOfFile(join(folder, '12mp.jpg')))
  process.env[variable] = digest
  const body = await take(`${origin}/image/${digest}?w=300`)
  await fetch(floor, { method: 'POST', body })
}

export async function* compare(origin: string): AsyncIterable<string> {
  const tools = await nativeTools()
  if (tools) await makeFilms(tools, folder)
  const peer = await start<Peer>('bench/media/peer.ts', folder)
  try {
    const url = await peer.url()
    yield* compareThumbnails(origin, url, folder)
    yield* compareUploads(origin, { 'a pipe to the disk': url, 'R2 by a bare Worker': floor })
  } finally {
    await peer.end()
  }
  if (tools) yield* compareVideos(origin, tools, folder)
  else yield 'without ffmpeg: no video is measured'
  yield* measureMemory(await memoryTasks(folder, tools !== undefined), join(folder, 'memory'))
}
