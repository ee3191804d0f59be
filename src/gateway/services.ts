// Finds the service bindings of the components by name.
import type { Sweepable } from '#core/http/worker'
import type { Erasable } from '#core/person/places'

/** The service binding of a component. */
export type Service = Pick<Fetcher, 'fetch'> & Sweepable & Erasable

const notServices = ['ASSETS', 'OPERATIONS']

// `'fetch' in value` is true for a service binding, which has any property; variables are strings.
const isService = (binding: string, value: unknown): value is Service =>
  typeof value === 'object' && value !== null && 'fetch' in value && !notServices.includes(binding)

/** The service binding of a component: that of `feed` is `FEED`. `undefined` if there is none. */
export function serviceOf(env: object, component: string): Service | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(component)) return undefined
  const binding = component.toUpperCase().replaceAll('-', '_')
  const bound: unknown = Reflect.get(env, binding)
  return isService(binding, bound) ? bound : undefined
}

/** All bound components, by name. */
export const servicesOf = (env: object): [component: string, service: Service][] =>
  Object.entries(env).flatMap(([binding, value]): [string, Service][] =>
    isService(binding, value) ? [[binding.toLowerCase().replaceAll('_', '-'), value]] : [],
  )
