import { failure, notConfigured } from '#core/failure'

/** A companion container, with what authorises us there. */
export interface Container {
  /** Its answer, whatever the status is; 503 `unavailable` where it cannot be reached, or the signal ends it first. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Where a companion container is: at its URL, else what is bound. */
interface ContainerPlace {
  bound: Pick<Fetcher, 'fetch'> | undefined
  url: string | undefined
  token: string | undefined
}

/** Seconds after which what a container could not do now is worth a repeat: that is how long it takes to start. */
export const containerStartSeconds = 5

/** What a component says of its companion container. */
interface CompanionOptions<Env> {
  /** Its name in refusals. */
  called: string
  /** How to have one. */
  advice: string
  placeOf: (env: Env) => ContainerPlace
}

/** How a component reaches its companion container. */
export function containerClient<Env>({ called, advice, placeOf }: CompanionOptions<Env>) {
  /** 503: the container is down, or full. */
  const unavailable = (cause?: unknown, retryAfter = containerStartSeconds) =>
    failure('unavailable', `${called} is not available`, { retryAfter, cause })

  /** The container, if there is one. */
  const containerOf = (env: Env): Container | undefined => {
    const { bound, url, token } = placeOf(env)
    const base = url ? url.replace(/\/+$/, '') : 'http://container'
    const service: ContainerPlace['bound'] = url ? { fetch: (...sent) => fetch(...sent) } : bound
    if (!service) return undefined
    return {
      fetch: async (path, { headers: given, ...rest } = {}) => {
        const headers = new Headers(given)
        if (token) headers.set('authorization', `Bearer ${token}`)
        try {
          return await service.fetch(base + path, { redirect: 'manual', ...rest, headers })
        } catch (cause) {
          throw unavailable(cause)
        }
      },
    }
  }

  /** The container; 503 where none is configured. */
  const requireContainer = (env: Env): Container => {
    const container = containerOf(env)
    if (container) return container
    throw notConfigured(advice)
  }

  /** Resolves when the container is up. It is not started for that. */
  const probeContainer = async (container: Container): Promise<void> => {
    const response = await container.fetch('/health')
    await response.body?.cancel()
    if (!response.ok) throw unavailable()
  }

  return { containerOf, requireContainer, probeContainer, unavailable }
}
