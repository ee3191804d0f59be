// Decides whether a credential may call an endpoint: by its scopes, and by its bounds.
import type * as z from 'zod'
import { failure } from '#core/failure'
import type { Credential } from './credential.ts'
import { allows, type Level } from './scopes.ts'

/** The part of an endpoint's declaration that decides who may call it. */
export interface Protected {
  /** The level of the scope that the operation needs. `any`: each credential may call it. Default: `manage`. */
  level?: Level | 'any'
  /** Parameters that the bounds of a credential may restrict. Default: none, and credentials with bounds may not call it. */
  bindable?: readonly string[]
  /** Other parameters that select records. A credential with bounds may not pass them, since they could replace a bound one. */
  selectors?: readonly string[]
}

/** Throws 403 `insufficient_scope` if no scope of the credential allows the level. */
export function checkScope({ scopes }: Credential, component: string, level: Protected['level'] = 'manage'): void {
  if (level === 'any' || allows(scopes, component, level)) return
  throw failure(
    'insufficient_scope',
    `The operation needs the scope ${component}:${level}, which the credential lacks.`,
    {
      content: { scope: `${component}:${level}` },
    },
  )
}

/** Whether bounds restrict a credential. */
export const isBounded = ({ bounds }: Credential): boolean => Object.keys(bounds).length > 0

/**
 * Checks validated parameters against the bounds of a credential, and adds bound parameters that the caller left out. Throws 403
 * `out_of_bounds` if a parameter has another value, or if the endpoint cannot be restricted by one of the bounds.
 */
export function applyBounds<Params extends Record<string, unknown>>(
  { bounds }: Credential,
  { bindable = [], selectors = [] }: Protected,
  shape: z.core.$ZodShape,
  params: Params,
): Params {
  const bound = Object.entries(bounds)
  if (bound.length === 0) return params
  const foreign = selectors.find((name) => params[name] !== undefined)
  if (foreign) throw outOfBounds(`The credential is restricted, so the call may not pass ${foreign}.`)
  const filled: Record<string, unknown> = { ...params }
  for (const [name, boundValue] of bound) {
    const schema = bindable.includes(name) ? (shape[name] as z.ZodType | undefined) : undefined
    if (!schema) throw outOfBounds(`The credential is restricted by ${name}, and this operation is not.`)
    const value = params[name]
    const one = schema.safeParse(boundValue)
    const expected: unknown = one.success ? one.data : boundValue
    if (value === undefined && one.success) filled[name] = expected
    else if (!isExactly(value, expected)) throw outOfBounds(`The credential allows only its own value of ${name}.`)
  }
  return filled as Params
}

/** Whether a parameter has the bound value. Of an array, each element must have it, and there must be one. */
function isExactly(value: unknown, expected: unknown): boolean {
  if (!Array.isArray(value)) return value === expected
  const elements: unknown[] = Array.isArray(expected) ? expected : [expected]
  return value.length > 0 && value.every((element) => elements.length === 1 && element === elements[0])
}

const outOfBounds = (message: string) => failure('out_of_bounds', message)
