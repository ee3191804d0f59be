// Client of the transcoding jobs in the media container; containers/media/README.md describes the protocol.
import type { Container } from '#core/outgoing/container'
import { unavailable } from './container.ts'
import { type ContainerJob, JobReply } from './contract/container.ts'
import { failure } from './errors.ts'

/** Parameters of a new job. */
export interface NewJob {
  /** Size of the source in bytes. */
  size: number
  /** Whether ffmpeg can read the source front to back, without seeking. */
  is_streamable: boolean
  /** Whether the streams are H.264 and AAC already. ffmpeg then copies them, which is faster and loses no quality. */
  may_copy: boolean
  /** Maximum length of the longer side of the mp4, in pixels. */
  max_dimension: number
  /** Duration of the source in seconds, if its header has one. The container computes the progress from this duration. */
  duration?: number
}

const stateTimeoutMs = 15_000
const transferTimeoutMs = 300_000

/**
 * The job operations of a container. Each throws 503 `unavailable` if the container is down or full, so that the caller retries.
 */
export const jobClient = (container: Container) => ({
  /** Creates a job. Returns the existing job if the id is taken, so that a repeat after a crash starts no second job. */
  begin: (id: string, job: NewJob) => request(container, `/jobs/${id}`, { method: 'PUT', body: JSON.stringify(job) }),

  /** Reads the state of a job; undefined if the container does not know the job, because it restarted or the job was deleted. */
  find: (id: string) => requestIfKnown(container, `/jobs/${id}`, { method: 'GET' }),

  /**
   * Sends the next bytes of the source, from `offset`. If the container expects another offset, it stores nothing, and the returned
   * job has the offset to send next.
   */
  send: (id: string, offset: number, bytes: ReadableStream) =>
    requestIfKnown(container, `/jobs/${id}/source?offset=${offset}`, { method: 'PUT', body: bytes }, transferTimeoutMs),

  /** Reads `length` bytes of the mp4 from `offset`. */
  fetchPart: async (id: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` }
    const bytes = new Uint8Array(await get(container, `/jobs/${id}/result`, headers))
    if (bytes.length !== length) throw unavailable()
    return bytes
  },

  fetchPreview: (id: string) => get(container, `/jobs/${id}/preview`),

  /** Cancels and deletes a job. */
  end: async (id: string) => {
    const signal = AbortSignal.timeout(stateTimeoutMs)
    const response = await container.fetch(`/jobs/${id}`, { method: 'DELETE', signal })
    await response.body?.cancel()
  },
})

async function get(container: Container, path: string, headers: Record<string, string> = {}): Promise<ArrayBuffer> {
  const response = await container.fetch(path, { headers, signal: AbortSignal.timeout(transferTimeoutMs) })
  const bytes = await response.arrayBuffer().catch((cause) => {
    throw unavailable(cause)
  })
  if (response.ok) return bytes
  throw unavailable()
}

async function request(container: Container, path: string, init: RequestInit): Promise<ContainerJob> {
  const job = await requestIfKnown(container, path, init)
  if (job) return job
  throw failed(404)
}

async function requestIfKnown(
  container: Container,
  path: string,
  init: RequestInit,
  timeoutMs = stateTimeoutMs,
): Promise<ContainerJob | undefined> {
  const response = await container.fetch(path, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  const reply = JobReply.safeParse(await response.json().catch(() => undefined))
  // A 409 is not an error here: the container expects another offset, which the job in its reply has.
  if ((response.ok || response.status === 409) && reply.success) return reply.data.job
  if (response.status === 404) return undefined
  if (response.status === 413)
    throw failure('payload_too_large', 'The file is larger than the media container accepts.')
  if (response.status === 503 || response.status === 507) throw unavailable(undefined, retryAfterOf(response))
  throw failed(response.status)
}

const failed = (status: number) => failure('media_container_failed', `The media container answered with ${status}.`)

const retryAfterOf = ({ headers }: Response) => Number(headers.get('retry-after')) || undefined
