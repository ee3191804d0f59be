// Client with which a component calls its companion container: a Node server for work that no Worker can do.
import { failure, notConfigured } from '#core/failure'

/** A configured companion container. Its token is added to each request. */
export interface Container {
  /** Sends a request, and returns the response whatever its status. Throws 503 `unavailable` if the container cannot be reached. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** The address of a companion container: a URL, or a service binding if no URL is set. */
interface ContainerPlace {
  bound: Pick<Fetcher, 'fetch'> | undefined
  url: string | undefined
  token: string | undefined
}

/** Seconds that a container takes to start. Errors have this value as `Retry-After`. */
export const containerStartSeconds = 5

interface ContainerClientOptions<Env> {
  /** The name of the container in errors. */
  label: string
  /** The message if no container is configured: which variable to set. */
  advice: string
  placeOf: (env: Env) => ContainerPlace
}

/** Makes the functions with which a component calls its companion container. */
export function containerClient<Env>({ label, advice, placeOf }: ContainerClientOptions<Env>) {
  /** Makes 503 `unavailable`, for a container that is down, starting or busy. */
  const unavailable = (cause?: unknown, retryAfter = containerStartSeconds) =>
    failure('unavailable', `${label} is not available. Retry later.`, { retryAfter, cause })

  /** The container, or `undefined` if none is configured. */
  const containerOf = (env: Env): Container | undefined => {
    const { bound, url, token } = placeOf(env)
    const base = url ? url.replace(/\/+$/, '') : 'http://container'
    const service: ContainerPlace['bound'] = url ? { fetch: (...request) => fetch(...request) } : bound
    if (!service) return undefined
    return {
      fetch: async (path, { headers: ownHeaders, ...rest } = {}) => {
        const headers = new Headers(ownHeaders)
        if (token) headers.set('authorization', `Bearer ${token}`)
        try {
          return await service.fetch(base + path, { redirect: 'manual', ...rest, headers })
        } catch (cause) {
          throw unavailable(cause)
        }
      },
    }
  }

  /** Returns the container. Throws 503 `not_configured` if there is none. */
  const requireContainer = (env: Env): Container => {
    const container = containerOf(env)
    if (container) return container
    throw notConfigured(advice)
  }

  /** Health check: resolves if the container is up. It does not start the container. */
  const probeContainer = async (container: Container): Promise<void> => {
    const response = await container.fetch('/health')
    await response.body?.cancel()
    if (!response.ok) throw unavailable()
  }

  return { containerOf, requireContainer, probeContainer, unavailable }
}
