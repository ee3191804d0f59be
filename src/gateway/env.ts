import type { AccessEnv } from '#core/http/access'
import type { Sweepable } from '#core/http/worker'

/** A component, as it is bound to the gateway. */
export type Service = Pick<Fetcher, 'fetch'> & Sweepable

/** A service binding per component, among variables. */
export interface Env extends AccessEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
  /** `true`: the console is served where it is deployed; `false`: not on a local start either. */
  CONSOLE?: string
  /** The console and the guide. */
  ASSETS?: Pick<Fetcher, 'fetch'>
}

const notServices = ['ASSETS']

// A binding answers to any property; a variable is text.
const isService = (binding: string, value: unknown): value is Service =>
  typeof value === 'object' && value !== null && 'fetch' in value && !notServices.includes(binding)

/** The component of that name, where one is bound: `feed` is `FEED`. */
export function serviceOf(env: Env, component: string): Service | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(component)) return undefined
  const binding = component.toUpperCase().replaceAll('-', '_')
  const bound: unknown = Reflect.get(env, binding)
  return isService(binding, bound) ? bound : undefined
}

/** All bound components, by name. */
export const servicesOf = (env: Env): [component: string, service: Service][] =>
  Object.entries(env).flatMap(([binding, value]): [string, Service][] =>
    isService(binding, value) ? [[binding.toLowerCase().replaceAll('_', '-'), value]] : [],
  )
