// Handles POST /frame, which extracts one frame of the video in the body.
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { disconnectSignal, readBody } from '../shared/body.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { sendBytes } from '../shared/reply.ts'
import type { Semaphore } from '../shared/semaphore.ts'
import type { Exchange } from './exchange.ts'
import { extractFrame, type FrameRequest } from './ffmpeg/frame.ts'
import type { JobContext } from './videos/job.ts'

const maxBodyBytes = 64_000_000
const frameTimeoutMs = 60_000

/** Replies with the frame at `t` seconds of the video in the body, as a JPEG. */
export async function sendFrame({ request, response, query }: Exchange, semaphore: Semaphore, context: JobContext) {
  const seconds = Number(query.get('t') ?? 0)
  if (!Number.isFinite(seconds) || seconds < 0) throw invalid('t')
  const gone = disconnectSignal(response)
  const frame = await semaphore.run(gone, async () => {
    const from = join(context.folder, randomUUID())
    const to = `${from}.jpg`
    try {
      await writeFile(from, await readBody(request, maxBodyBytes))
      return await readFrame({ from, to, seconds }, context, gone)
    } finally {
      await Promise.all([from, to].map((path) => rm(path, { force: true })))
    }
  })
  sendBytes(response, 'image/jpeg', frame)
}

async function readFrame(frame: FrameRequest, { tools, settings }: JobContext, gone: AbortSignal) {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(noFrame()), frameTimeoutMs)
  try {
    const failed = await extractFrame(frame, tools, settings, AbortSignal.any([gone, timeout.signal]))
    if (failed) throw noFrame()
    return await readFile(frame.to)
  } finally {
    clearTimeout(timer)
  }
}

const noFrame = () => new HttpError(422, 'media_failed', 'The video has no frame at the time t')
