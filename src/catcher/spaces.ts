// Finds the space of a request, by parameter, header or query.
import { invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import { SpaceName } from './contract.ts'
import { partsOf } from './received-request.ts'

/** Request header, or query parameter, that names the space. */
export const spaceHeader = 'X-Catcher-Space'

/** Name of the space for requests that name none. It has no quota, and its size is bounded by the limits of one space. */
export const defaultSpace = 'default'

/** The space of a name, which may come from outside of a request. */
export const spaceNamed = (env: Env, name: string) => env.SPACE.getByName(name)

/** The space that a caller of the API names by parameter or header. */
export function spaceOf(env: Env, request: Request, param?: string) {
  const name = param ?? request.headers.get(spaceHeader) ?? defaultSpace
  if (!SpaceName.safeParse(name).success) throw invalid(spaceHeader, 'Must be 1 to 64 of a-z, A-Z, 0-9, _, . and -')
  return env.SPACE.getByName(name)
}

/** The name of the space that a request is caught in, from the header or the query. Without a valid name, the default space. */
export function spaceNameFor(request: Request): string {
  const name = request.headers.get(spaceHeader) ?? new URLSearchParams(partsOf(request.url).query).get(spaceHeader)
  return SpaceName.safeParse(name).data ?? defaultSpace
}
