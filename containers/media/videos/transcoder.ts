// Transcodes one video: probes the source, makes the mp4, probes the mp4, and chooses the preview.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '../ffmpeg/child-process.ts'
import { inputOf } from '../ffmpeg/input.ts'
import { type MediaProbe, startProbe, type VideoStream } from '../ffmpeg/probe.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import { type TranscodingOptions, transcodingArgs } from '../ffmpeg/transcoding-args.ts'
import type { MediaSettings } from '../settings.ts'
import { fileNames } from './file-names.ts'
import { makePreview } from './preview.ts'
import type { VideoSource } from './source.ts'
import { failureKindOf, TranscodingError } from './transcoding-error.ts'

interface TranscodingTask extends TranscodingOptions {
  source: VideoSource
  folder: string
  tools: Tools
  settings: MediaSettings
  signal: AbortSignal
  /**
   * Called while ffmpeg works, with the transcoded seconds, the total seconds if known, and the size of the mp4 so far.
   */
  onProgress: (seconds: number, duration: number | undefined, bytes: number) => void
}

/** Size, duration and dimensions of the finished mp4, as the API returns them. */
export interface TranscodedFile {
  size: number
  width: number
  height: number
  duration: number
}

type ProbedVideo = MediaProbe & { video: VideoStream }

/** Writes the mp4 and its preview to the folder. Throws `TranscodingError`, or the reason of the signal. */
export async function transcode(task: TranscodingTask): Promise<TranscodedFile> {
  const probe = await probeSource(task)
  await makeMp4(task, probe)
  const path = join(task.folder, fileNames.video)
  const { video, duration = 0 } = await probeFile(path, task)
  await makePreview(task, duration)
  return { size: (await stat(path)).size, width: video.width, height: video.height, duration }
}

/** Probes the source with ffprobe. Of a stream, ffprobe reads only the beginning. */
async function probeSource({ source, tools, settings, signal }: TranscodingTask): Promise<ProbedVideo> {
  const { stdin, result } = startProbe(source.input, tools, settings, signal)
  source.attach(stdin, true)
  const { ending, probe } = await result
  signal.throwIfAborted()
  if (hasVideo(probe)) return checked(probe, settings)
  throw new TranscodingError(failureKindOf(ending, rejectionOf(source)))
}

async function probeFile(path: string, { tools, settings, signal }: TranscodingTask): Promise<ProbedVideo> {
  const { stdin, result } = startProbe(`file:${path}`, tools, settings, signal)
  stdin.end()
  const { ending, probe } = await result
  signal.throwIfAborted()
  if (hasVideo(probe)) return probe
  throw new TranscodingError(failureKindOf(ending, 'unreadable'))
}

const hasVideo = (probe: MediaProbe | undefined): probe is ProbedVideo => probe?.video !== undefined

function checked(probe: ProbedVideo, { maxPixels }: MediaSettings): ProbedVideo {
  if (probe.video.width * probe.video.height > maxPixels) throw new TranscodingError('unreadable')
  return probe
}

/** Makes the mp4. If ffmpeg rejects the source, tries again without copying streams, then without audio. */
async function makeMp4(task: TranscodingTask, probe: ProbedVideo): Promise<void> {
  try {
    await runFfmpeg(task, probe)
  } catch (error) {
    const isFinal =
      !(error instanceof TranscodingError) || error.kind !== 'unreadable' || !(task.mayCopy || probe.audio)
    if (isFinal) throw error
    await (task.mayCopy ? makeMp4({ ...task, mayCopy: false }, probe) : makeMp4(task, { ...probe, audio: undefined }))
  }
}

async function runFfmpeg(task: TranscodingTask, probe: ProbedVideo) {
  const { source, folder, tools, settings, signal, onProgress } = task
  const { memory, threads } = tools
  const args = [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-y', '-max_alloc', String(settings.maxMemory)],
    ...['-progress', 'pipe:1', '-stats_period', '0.25', '-threads', String(threads)],
    ...inputOf(source.input, settings),
    ...transcodingArgs(probe, task, tools),
    `file:${join(folder, fileNames.video)}`,
  ]
  const progress: Record<string, string> = {}
  const child = startChild(tools.ffmpeg, args, { memory, signal }, (line) => {
    const [key = '', value = ''] = line.split('=')
    progress[key] = value.trim()
    if (key === 'progress')
      onProgress(Number(progress.out_time_us) / 1e6 || 0, probe.duration, Number(progress.total_size) || 0)
  })
  source.attach(child.stdin, false)
  const ending = await child.ended
  signal.throwIfAborted()
  const kind = failureKindOf(ending, rejectionOf(source))
  // Checks the kind of failure too, since ffmpeg exits with 0 if the disk becomes full at the very end.
  if (ending.code !== 0 || kind === 'out_of_disk') throw new TranscodingError(kind)
}

/**
 * The kind of failure if ffmpeg rejects the source. One that fails as a stream may still be readable as a file, so that
 * another attempt makes sense.
 */
const rejectionOf = ({ input }: VideoSource) => (input === 'pipe:0' ? 'stream' : 'unreadable')
