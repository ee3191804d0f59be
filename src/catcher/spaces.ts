import { invalid } from '#core/failure'
import type { Env } from './bindings.ts'
import { SpaceName } from './contract.ts'
import { partsOf } from './taken.ts'

const header = 'X-Catcher-Space'
/** Where what names no space is caught; it has no quota. */
export const usual = 'default'

/** The space that a reader names: as a parameter or in the header. */
export function spaceOf(env: Env, request: Request, named?: string) {
  const name = named ?? request.headers.get(header) ?? usual
  if (!SpaceName.safeParse(name).success) throw invalid(header, 'Must be 1 to 64 of a-z, A-Z, 0-9, _, . and -')
  return env.SPACE.getByName(name)
}

/** The name of the space that a request is caught in: the usual one where neither the header nor the query names one. */
export function spaceNameFor(request: Request): string {
  const name = request.headers.get(header) ?? new URLSearchParams(partsOf(request.url).query).get(header)
  return SpaceName.safeParse(name).data ?? usual
}
