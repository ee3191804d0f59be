// The operations of the media component whose memory is measured.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { floor } from '../floor/component.ts'
import { formOf, formOfFile, send, store, take } from './client.ts'
import type { MemoryTask } from './memory.ts'
import { transcode } from './videos.ts'

type Act = MemoryTask['act']

const storeFile: Act = async (origin, form) => (await send(`${origin}/file`, form)).arrayBuffer()

const shrinkImage: Act = async (origin, form) => {
  const { digest } = await store(`${origin}/image`, form)
  await take(`${origin}/image/${digest}?w=300`)
}

/** Makes the tasks, with their files in a folder. Videos need ffmpeg. */
export async function memoryTasks(folder: string, hasFfmpeg: boolean): Promise<MemoryTask[]> {
  const formFor = (name: string) => formOfFile(join(folder, name))
  const task = async (name: string, act: Act, small: string, large: string, withoutContainer = false) => ({
    ...{ name, act, withoutContainer },
    ...{ small: await formFor(small), large: await formFor(large) },
  })
  return [
    {
      ...{ name: 'upload of 100 MB', act: storeFile, withoutContainer: true, floor },
      ...{ small: await formOf(randomBytes(1e5), 'file'), large: await formOf(randomBytes(1e8), 'file') },
    },
    await task('JPEG of 4 MP, in the Worker', shrinkImage, '100kp.jpg', '4mp.jpg', true),
    await task('PNG of 3 MP, in the Worker', shrinkImage, '100kp.png', '3mp.png', true),
    await task('JPEG of 12 MP, in the container', shrinkImage, '100kp.jpg', '12mp.jpg'),
    await task('JPEG of 48 MP, in the container', shrinkImage, '100kp.jpg', '48mp.jpg'),
    ...(hasFfmpeg ? [await task('transcoding', transcode, 'film.mp4', 'film.webm')] : []),
  ]
}
