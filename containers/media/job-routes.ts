// Handles the routes under /jobs: creates a transcoding job, receives its source, and sends its state, mp4 and preview.
import { join } from 'node:path'
import { integer, readBody } from '../shared/body.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { sendJson } from '../shared/reply.ts'
import type { Exchange } from './exchange.ts'
import { sendFile } from './file-response.ts'
import { fileNames } from './videos/file-names.ts'
import type { NewTranscodingJob } from './videos/job.ts'
import type { Jobs } from './videos/jobs.ts'

export async function beginJob({ request, response, id }: Exchange, jobs: Jobs) {
  const job = await jobs.begin(id, readNewJob(await readBody(request, 10_000)))
  sendJson(response, { job: job.view() })
}

export async function receiveSource({ request, response, query, id }: Exchange, jobs: Jobs) {
  const job = jobs.find(id)
  const announced = Number(request.headers['content-length'] ?? 0)
  await job.receive(integer(query, 'offset', 0, Number.MAX_SAFE_INTEGER, 0), announced, request)
  sendJson(response, { job: job.view() })
}

export function showJob({ response, id }: Exchange, jobs: Jobs) {
  sendJson(response, { job: jobs.find(id).view() })
}

export async function removeJob({ response, id }: Exchange, jobs: Jobs) {
  await jobs.remove(id)
  sendJson(response)
}

export const sendResult = (exchange: Exchange, jobs: Jobs) => sendOutput(exchange, jobs, fileNames.video, 'video/mp4')

export const sendPreview = (exchange: Exchange, jobs: Jobs) =>
  sendOutput(exchange, jobs, fileNames.preview, 'image/jpeg')

async function sendOutput({ request, response, id }: Exchange, jobs: Jobs, name: string, type: string) {
  const job = jobs.find(id)
  if (!job.isReady) throw new HttpError(409, 'conflict', 'The job must be ready', { content: { job: job.view() } })
  await sendFile(request, response, join(job.folder, name), type)
}

/** Parses the parameters of a new job. Throws 400 if one is invalid. */
function readNewJob(body: Buffer): NewTranscodingJob {
  const { size, is_streamable, may_copy, max_dimension, duration } = parse(body)
  if (!isNumber(size) || !Number.isSafeInteger(size)) throw invalid('size')
  if (typeof is_streamable !== 'boolean') throw invalid('is_streamable')
  if (typeof may_copy !== 'boolean') throw invalid('may_copy')
  if (!isNumber(max_dimension) || max_dimension < 2) throw invalid('max_dimension')
  if (duration !== undefined && duration !== null && !isNumber(duration)) throw invalid('duration')
  const parameters = { size, isStreamable: is_streamable, mayCopy: may_copy, maxDimension: max_dimension }
  return { ...parameters, duration: duration || undefined }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Text that is not JSON stays undefined, and gets the same error as any value that is not an object.
  }
  throw new HttpError(400, 'invalid_json', 'The body must be a JSON object')
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
