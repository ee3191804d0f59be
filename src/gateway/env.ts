// The gateway's environment: its variables, and the service bindings of the components, which are found by name.
import type { CredentialsEnv } from '#core/access/authenticate'
import type { Sweepable } from '#core/http/worker'

/** The service binding of a component. */
export type Service = Pick<Fetcher, 'fetch'> & Sweepable

/**
 * The variables of the gateway. Its service bindings, one for each component, are not declared here: `serviceOf` finds
 * them by name.
 */
export interface Env extends CredentialsEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
  /** `true`: the console is served. Default: only on a local start. */
  CONSOLE?: string
  /** The files of the console and the guide. */
  ASSETS?: Pick<Fetcher, 'fetch'>
}

const notServices = ['ASSETS']

// Whether a binding of the environment is a component. A service binding is an object for which `'fetch' in value` is
// true; variables are strings.
const isService = (binding: string, value: unknown): value is Service =>
  typeof value === 'object' && value !== null && 'fetch' in value && !notServices.includes(binding)

/** Returns the service binding of a component, such as `FEED` for `feed`; `undefined` if the component is not bound. */
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
