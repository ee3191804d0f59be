import type { Container } from '#core/outgoing/container'
import { unavailable } from './container.ts'
import { type ContainerJob, JobReply } from './contract/container.ts'
import { failure } from './errors.ts'

/** What a job begins with. */
export interface NewJob {
  /** Bytes of the source. */
  size: number
  is_streamable: boolean
  may_copy: boolean
  /** Pixels. */
  max_dimension: number
  /** Seconds. */
  duration?: number
}

const patience = { state: 15_000, bytes: 300_000 }

/** The jobs of a container; 503 where it is down or full. */
export const jobClient = (container: Container) => ({
  /** Begins a job, or says how the one of that id is. */
  begin: (id: string, job: NewJob) => ask(container, `/jobs/${id}`, { method: 'PUT', body: JSON.stringify(job) }),

  /** How a job is; nothing where the container does not know it, as after a restart. */
  find: (id: string) => seek(container, `/jobs/${id}`, { method: 'GET' }),

  /** Sends the next bytes of the source, which begin at `offset`; where it has others by then, that is told. */
  send: (id: string, offset: number, bytes: ReadableStream) =>
    seek(container, `/jobs/${id}/source?offset=${offset}`, { method: 'PUT', body: bytes }, patience.bytes),

  /** Bytes `offset` to `offset + length` of the mp4. */
  fetchPart: async (id: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` }
    const bytes = new Uint8Array(await get(container, `/jobs/${id}/result`, headers))
    if (bytes.length !== length) throw unavailable()
    return bytes
  },

  fetchPreview: (id: string) => get(container, `/jobs/${id}/preview`),

  /** Ends a job and forgets it. */
  end: async (id: string) => {
    const signal = AbortSignal.timeout(patience.state)
    const response = await container.fetch(`/jobs/${id}`, { method: 'DELETE', signal })
    await response.body?.cancel()
  },
})

async function get(container: Container, path: string, headers: Record<string, string> = {}): Promise<ArrayBuffer> {
  const response = await container.fetch(path, { headers, signal: AbortSignal.timeout(patience.bytes) })
  const bytes = await response.arrayBuffer().catch((cause) => {
    throw unavailable(cause)
  })
  if (response.ok) return bytes
  throw unavailable()
}

async function ask(container: Container, path: string, init: RequestInit): Promise<ContainerJob> {
  const job = await seek(container, path, init)
  if (job) return job
  throw failed(404)
}

async function seek(
  container: Container,
  path: string,
  init: RequestInit,
  time = patience.state,
): Promise<ContainerJob | undefined> {
  const response = await container.fetch(path, { ...init, signal: AbortSignal.timeout(time) })
  const reply = JobReply.safeParse(await response.json().catch(() => undefined))
  // 409 has the job with the offset that it is at.
  if ((response.ok || response.status === 409) && reply.success) return reply.data.job
  if (response.status === 404) return undefined
  if (response.status === 413) throw failure('payload_too_large', 'The file is larger than the media container takes.')
  if (response.status === 503 || response.status === 507) throw unavailable(undefined, retryAfterOf(response))
  throw failed(response.status)
}

const failed = (status: number) => failure('media_container_failed', `The media container answered with ${status}.`)

const retryAfterOf = ({ headers }: Response) => Number(headers.get('retry-after')) || undefined
