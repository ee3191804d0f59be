import type { AccessEnv } from '#core/http/access'
import type { Swept } from '#core/http/worker'

/** A component, as it is bound to the gateway. */
export type Service = Pick<Fetcher, 'fetch'> & Swept

/** A service binding per component, among variables. */
export interface Env extends AccessEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
}

/** The component of that name, where it is bound: `FEED` is `feed`. */
export const serviceOf = (env: Env, component: string): Service | undefined => servicesOf(env).get(component)

/** All bound components by name. */
export function servicesOf(env: Env): Map<string, Service> {
  const bound = Object.entries(env as Record<string, unknown>).filter((entry): entry is [string, Service] =>
    isService(entry[1]),
  )
  return new Map(bound.map(([binding, service]) => [binding.toLowerCase().replaceAll('_', '-'), service]))
}

// A binding answers to any property; a variable is text.
const isService = (value: unknown) => typeof value === 'object' && value !== null && 'fetch' in value
