// The frame that stands for a video.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessExit } from '../ffmpeg/child-process.ts'
import { takeStill } from '../ffmpeg/frame.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import { lightOf } from '../image.ts'
import type { MediaSettings } from '../settings.ts'
import { names } from './file-names.ts'
import { kindOf, TranscodingError } from './transcoding-error.ts'

/** Where to look, in parts of the duration: most begin with black, and some end with it. */
const places = [0.1, 0.2, 0.35, 0.5, 0.75, 0.05, 0]

/** A frame with less than this between light and dark shows nothing. */
const leastDeviation = 8

interface Where {
  folder: string
  tools: Tools
  settings: MediaSettings
  signal: AbortSignal
}

/** Writes the first frame that shows something, else the lightest. */
export async function makePreview({ folder, tools, settings, signal }: Where, duration: number) {
  const from = join(folder, names.video)
  const to = join(folder, 'still.jpg')
  let lightest = -1
  let ending: ProcessExit | undefined
  for (const place of places) {
    ending = await takeStill({ from, to, seconds: place * duration }, tools, settings, signal)
    if (ending) continue
    const { mean, deviation } = await lightOf(to)
    const shows = deviation >= leastDeviation
    if (shows || mean > lightest) await rename(to, join(folder, names.preview))
    if (shows) return
    lightest = Math.max(lightest, mean)
  }
  await rm(to, { force: true })
  if (lightest < 0) throw new TranscodingError(ending ? kindOf(ending, 'unreadable') : 'unreadable')
}
