// Compares the transcoding of videos in the media component with ffmpeg alone.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startProbe } from '../../containers/media/ffmpeg/probe.ts'
import { findTools, type Tools } from '../../containers/media/ffmpeg/tools.ts'
import { transcodingArgs } from '../../containers/media/ffmpeg/transcoding-args.ts'
import { readSettings } from '../../containers/media/settings.ts'
import { verdict } from '../../scripts/lib/verdict.ts'
import { line, median } from '../figures.ts'
import { rows, takeTurns, timeOf } from './alternation.ts'
import { type Form, formOfFile, store } from './client.ts'

const seconds = 30
const rounds = 3
const run = promisify(execFile)

const settings = readSettings(process.env)

/** The native ffmpeg that the container uses too; undefined if there is only the WebAssembly build. */
export async function nativeTools(): Promise<Tools | undefined> {
  const tools = await findTools(settings, availableParallelism())
  return tools.kind === 'native' ? tools : undefined
}

/** Input arguments of ffmpeg: a test film in which everything moves, which is expensive to encode. */
const film = [
  ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds},noise=alls=6:allf=t`],
  ...['-f', 'lavfi', '-i', `aevalsrc='0.2*sin(t*(2000+500*sin(t)))|0.1*random(0)':d=${seconds}:s=48000`],
]

const films = {
  'film.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '3M', '-c:a', 'libopus'],
  'film.mp4': [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
  ],
}

/** Writes two films: one that must be transcoded, and one that can be copied. */
export async function makeFilms({ ffmpeg }: Tools, folder: string) {
  for (const [name, codecs] of Object.entries(films))
    await run(ffmpeg[0], ['-v', 'error', '-y', ...film, ...codecs, join(folder, name)])
}

/**
 * Compares the time from an upload until the video is ready with the time that ffmpeg alone takes, with the container's
 * options.
 */
export async function* compareVideos(origin: string, tools: Tools, folder: string): AsyncIterable<string> {
  const [webm, mp4] = [join(folder, 'film.webm'), join(folder, 'film.mp4')]
  const args = await argumentsFor(webm, tools)
  const form = await formOfFile(webm)
  const turns = await takeTurns(
    rounds,
    () => transcode(origin, form),
    () => run(tools.ffmpeg[0], [...args, join(folder, 'made.mp4')]),
  )
  yield* rows(
    `transcoding ${seconds} s of video`,
    'ffmpeg alone',
    turns,
    verdict(turns.ratio <= 1.1, "1.1 times ffmpeg's"),
  )
  const remux = await formOfFile(mp4)
  const times: number[] = []
  for (let n = 0; n < rounds; n++) times.push(await timeOf(() => transcode(origin, remux)))
  const share = median(times) / turns.ours
  const met = verdict(share <= 0.1, '0.1 of transcoding')
  yield line('the same without transcoding', { p50: median(times) }, `${share.toFixed(2)} of it`.padEnd(10), met)
}

/** Uploads a video, and resolves when it is ready. */
export async function transcode(origin: string, form: Form) {
  const { state } = await store(`${origin}/video?wait=1`, form)
  if (state !== 'ready') throw new Error(`The video is ${state} after a minute`)
}

async function argumentsFor(path: string, tools: Tools): Promise<string[]> {
  const { stdin, result } = startProbe(`file:${path}`, tools, settings, AbortSignal.timeout(60_000))
  stdin.end()
  const { probe } = await result
  if (!probe?.video) throw new Error(`${path} is no video`)
  const transcoding = transcodingArgs({ ...probe, video: probe.video }, { mayCopy: false, maxDimension: 1280 }, tools)
  return ['-nostdin', '-v', 'error', '-y', '-threads', String(tools.threads), '-i', path, ...transcoding]
}
