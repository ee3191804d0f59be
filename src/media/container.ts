import { Failure } from '#core/failure'
import type { Env } from './env.ts'

type ContainerEnv = Pick<Env, 'MEDIA_CONTAINER' | 'MEDIA_CONTAINER_URL' | 'MEDIA_CONTAINER_TOKEN'>

/** The media container, with what authorises us there. */
export interface Container {
  /** Its answer, whatever the status is; 503 `unavailable` where it cannot be reached, or the signal ends it first. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Seconds after which what the container could not do now is worth a repeat: that is how long it takes to start. */
export const soon = 5

/** The container at `MEDIA_CONTAINER_URL`, else the one that is bound, else none. */
export function containerOf(env: ContainerEnv): Container | undefined {
  const { MEDIA_CONTAINER: bound, MEDIA_CONTAINER_URL: url } = env
  const base = url ? url.replace(/\/+$/, '') : 'http://media-container'
  const service: Pick<Fetcher, 'fetch'> | undefined = url ? { fetch: (...sent) => fetch(...sent) } : bound
  if (!service) return undefined
  return {
    fetch: async (path, init) => {
      const { headers, ...rest } = init ?? {}
      try {
        return await service.fetch(base + path, { redirect: 'manual', ...rest, headers: withToken(env, headers) })
      } catch (cause) {
        throw unavailable(cause)
      }
    },
  }
}

/** Resolves when the container is up. It is not started for that. */
export async function probeContainer(container: Container): Promise<void> {
  const response = await container.fetch('/health')
  await response.body?.cancel()
  if (!response.ok) throw unavailable()
}

/** The container; 503 where none is configured. */
export function requireContainer(env: ContainerEnv): Container {
  const container = containerOf(env)
  if (container) return container
  throw new Failure('not_configured', 'Deploy the media container, or set MEDIA_CONTAINER_URL', { retryAfter: 60 })
}

/** 503: the container is down, or full. */
export const unavailable = (cause?: unknown, retryAfter = soon) =>
  new Failure('unavailable', 'The media container is not available', { retryAfter, cause })

function withToken({ MEDIA_CONTAINER_TOKEN: token }: ContainerEnv, given: HeadersInit | undefined): Headers {
  const headers = new Headers(given)
  if (token) headers.set('authorization', `Bearer ${token}`)
  return headers
}
