// POST /frame.
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { disconnectSignal, readBody } from '../shared/body.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { sendBytes } from '../shared/reply.ts'
import type { Semaphore } from '../shared/semaphore.ts'
import type { Exchange } from './exchange.ts'
import { type Still, takeStill } from './ffmpeg/frame.ts'
import type { JobContext } from './videos/job.ts'

const mostBytes = 64_000_000
const patience = 60_000

/** The frame of the body's video at a second. */
export async function takeFrame({ request, response, query }: Exchange, line: Semaphore, place: JobContext) {
  const seconds = Number(query.get('t') ?? 0)
  if (!Number.isFinite(seconds) || seconds < 0) throw invalid('t')
  const gone = disconnectSignal(response)
  const frame = await line.run(gone, async () => {
    const from = join(place.folder, randomUUID())
    const to = `${from}.jpg`
    try {
      await writeFile(from, await readBody(request, mostBytes))
      return await readFrame({ from, to, seconds }, place, gone)
    } finally {
      await Promise.all([from, to].map((path) => rm(path, { force: true })))
    }
  })
  sendBytes(response, 'image/jpeg', frame)
}

async function readFrame(still: Still, { tools, settings }: JobContext, gone: AbortSignal) {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(noFrame()), patience)
  try {
    const failed = await takeStill(still, tools, settings, AbortSignal.any([gone, slow.signal]))
    if (failed) throw noFrame()
    return await readFile(still.to)
  } finally {
    clearTimeout(timer)
  }
}

const noFrame = () => new HttpError(422, 'media_failed', 'There is no frame at that second')
