// The gateway's environment: its variables, and the service bindings of the components, which are found by name.
import type { CredentialsEnv } from '#core/access/authenticate'
import type { Sweepable } from '#core/http/worker'

/** The service binding of a component. */
export type Service = Pick<Fetcher, 'fetch'> & Sweepable

/** The variables of the gateway. Its service bindings, one for each component, are not declared. */
export interface Env extends CredentialsEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
  /** `true`: the console is served. Default: only on a local start. */
  CONSOLE?: string
  /** The files of the console and the guide. */
  ASSETS?: Pick<Fetcher, 'fetch'>
}

const notServices = ['ASSETS']

// `'fetch' in value` is true for a service binding, which has any property; variables are strings.
const isService = (binding: string, value: unknown): value is Service =>
  typeof value === 'object' && value !== null && 'fetch' in value && !notServices.includes(binding)

/** The service binding of a component: that of `feed` is `FEED`. `undefined` if there is none. */
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
