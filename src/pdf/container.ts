import { Failure } from '#core/failure'
import type { Env } from './env.ts'

type ContainerEnv = Pick<Env, 'CHROMIUM_CONTAINER' | 'CHROMIUM_CONTAINER_URL' | 'CHROMIUM_CONTAINER_TOKEN'>

/** The Chromium container, with what authorises us there. */
export interface Container {
  /** Its answer, whatever the status is; 503 `unavailable` where it cannot be reached. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Seconds after which what the container could not do now is worth a repeat: that is how long it takes to start. */
export const soon = 5

/** The container at `CHROMIUM_CONTAINER_URL`, else the one that is bound, else none. */
export function containerOf(env: ContainerEnv): Container | undefined {
  const { CHROMIUM_CONTAINER: bound, CHROMIUM_CONTAINER_URL: url, CHROMIUM_CONTAINER_TOKEN: token } = env
  const base = url ? url.replace(/\/+$/, '') : 'http://chromium-container'
  const service: Pick<Fetcher, 'fetch'> | undefined = url ? { fetch: (...sent) => fetch(...sent) } : bound
  if (!service) return undefined
  const authorization = token && { authorization: `Bearer ${token}` }
  return {
    fetch: async (path, { headers, ...rest } = {}) => {
      try {
        return await service.fetch(base + path, {
          redirect: 'manual',
          ...rest,
          headers: { ...Object.fromEntries(new Headers(headers)), ...authorization },
        })
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
  throw new Failure('not_configured', 'Deploy the Chromium container, or set CHROMIUM_CONTAINER_URL', {
    retryAfter: 60,
  })
}

/** 503: the container is down, or full. */
export const unavailable = (cause?: unknown, retryAfter = soon) =>
  new Failure('unavailable', 'The browser that prints is not available', { retryAfter, cause })
