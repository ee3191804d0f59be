// Chooses the preview of a video: a frame that shows something.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessExit } from '../ffmpeg/child-process.ts'
import { extractFrame } from '../ffmpeg/frame.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import { brightnessOf } from '../image.ts'
import type { MediaSettings } from '../settings.ts'
import { fileNames } from './file-names.ts'
import { failureKindOf, TranscodingError } from './transcoding-error.ts'

/**
 * Positions of the candidate frames, as fractions of the duration. The beginning and the end come last, since they are
 * often black.
 */
const positions = [0.1, 0.2, 0.35, 0.5, 0.75, 0.05, 0]

/** Minimum standard deviation of the brightness. A frame with less shows nothing, such as a black screen. */
const minDeviation = 8

interface PreviewContext {
  folder: string
  tools: Tools
  settings: MediaSettings
  signal: AbortSignal
}

/**
 * Writes the first candidate frame with enough variation in brightness, else the brightest one. Throws if no frame can
 * be decoded.
 */
export async function makePreview({ folder, tools, settings, signal }: PreviewContext, duration: number) {
  const from = join(folder, fileNames.video)
  const to = join(folder, 'frame.jpg')
  let brightest = -1
  let ending: ProcessExit | undefined
  for (const position of positions) {
    ending = await extractFrame({ from, to, seconds: position * duration }, tools, settings, signal)
    if (ending) continue
    const { mean, deviation } = await brightnessOf(to)
    const isVaried = deviation >= minDeviation
    if (isVaried || mean > brightest) await rename(to, join(folder, fileNames.preview))
    if (isVaried) return
    brightest = Math.max(brightest, mean)
  }
  await rm(to, { force: true })
  if (brightest < 0) throw new TranscodingError(ending ? failureKindOf(ending, 'unreadable') : 'unreadable')
}
