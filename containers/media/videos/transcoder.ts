// One video from its source to the mp4.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '../ffmpeg/child-process.ts'
import { inputOf } from '../ffmpeg/input.ts'
import { type MediaProbe, startProbe, type VideoStream } from '../ffmpeg/probe.ts'
import type { Tools } from '../ffmpeg/tools.ts'
import { planFor, type Wishes } from '../ffmpeg/transcoding-args.ts'
import type { MediaSettings } from '../settings.ts'
import { names } from './file-names.ts'
import { makePreview } from './preview.ts'
import type { VideoSource } from './source.ts'
import { kindOf, TranscodingError } from './transcoding-error.ts'

interface Work extends Wishes {
  source: VideoSource
  folder: string
  tools: Tools
  settings: MediaSettings
  signal: AbortSignal
  /** Seconds of the mp4 that are there, of how many where that is known; and its bytes. */
  onProgress: (seconds: number, duration: number | undefined, bytes: number) => void
}

/** What the mp4 is. */
export interface TranscodedFile {
  size: number
  width: number
  height: number
  duration: number
}

type Video = MediaProbe & { video: VideoStream }

/** Makes the mp4 and its preview in the folder; throws `TranscodingError`, or what the signal says. */
export async function transcode(work: Work): Promise<TranscodedFile> {
  const probe = await look(work)
  await make(work, probe)
  const path = join(work.folder, names.video)
  const { video, duration = 0 } = await lookAt(path, work)
  await makePreview(work, duration)
  return { size: (await stat(path)).size, width: video.width, height: video.height, duration }
}

/** What is in the source: of a stream, as far as its beginning tells. */
async function look({ source, tools, settings, signal }: Work): Promise<Video> {
  const { stdin, found } = startProbe(source.input, tools, settings, signal)
  source.attach(stdin, true)
  const { ending, probe } = await found
  signal.throwIfAborted()
  if (hasVideo(probe)) return checked(probe, settings)
  throw new TranscodingError(kindOf(ending, otherwise(source)))
}

async function lookAt(path: string, { tools, settings, signal }: Work): Promise<Video> {
  const { stdin, found } = startProbe(`file:${path}`, tools, settings, signal)
  stdin.end()
  const { ending, probe } = await found
  signal.throwIfAborted()
  if (hasVideo(probe)) return probe
  throw new TranscodingError(kindOf(ending, 'unreadable'))
}

const hasVideo = (probe: MediaProbe | undefined): probe is Video => probe?.video !== undefined

function checked(probe: Video, { maxPixels }: MediaSettings): Video {
  if (probe.video.width * probe.video.height > maxPixels) throw new TranscodingError('unreadable')
  return probe
}

/** Makes the mp4; of a file that is not fit for that, without copying, and if need be without its audio. */
async function make(work: Work, probe: Video): Promise<void> {
  try {
    await runFfmpeg(work, probe)
  } catch (error) {
    const isOver = !(error instanceof TranscodingError) || error.kind !== 'unreadable' || !(work.mayCopy || probe.audio)
    if (isOver) throw error
    await (work.mayCopy ? make({ ...work, mayCopy: false }, probe) : make(work, { ...probe, audio: undefined }))
  }
}

async function runFfmpeg(work: Work, probe: Video) {
  const { source, folder, tools, settings, signal, onProgress } = work
  const { memory, threads } = tools
  const args = [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-y', '-max_alloc', String(settings.maxMemory)],
    ...['-progress', 'pipe:1', '-stats_period', '0.25', '-threads', String(threads)],
    ...inputOf(source.input, settings),
    ...planFor(probe, work, tools).args,
    `file:${join(folder, names.video)}`,
  ]
  const said: Record<string, string> = {}
  const child = startChild(tools.ffmpeg, args, { memory, signal }, (line) => {
    const [key = '', value = ''] = line.split('=')
    said[key] = value.trim()
    if (key === 'progress')
      onProgress(Number(said.out_time_us) / 1e6 || 0, probe.duration, Number(said.total_size) || 0)
  })
  source.attach(child.stdin, false)
  const ending = await child.ended
  signal.throwIfAborted()
  const kind = kindOf(ending, otherwise(source))
  // A disk that is full at the last moment is no reason for ffmpeg to fail.
  if (ending.code !== 0 || kind === 'out_of_disk') throw new TranscodingError(kind)
}

/** A file may be read where its stream cannot: backwards, and more than once. */
const otherwise = ({ input }: VideoSource) => (input === 'pipe:0' ? 'stream' : 'unreadable')
