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

/** The bound values of parameters that the caller left out, for bindable parameters: they are validated as if it had sent them. */
export const missingBoundValues = (
  { bounds }: Credential,
  { bindable = [] }: Protected,
  params: Record<string, unknown>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(bounds).filter(([name]) => bindable.includes(name) && !Object.hasOwn(params, name)))

/** Throws 403 `out_of_bounds` if the endpoint cannot be restricted by one of the bounds of a credential. */
export function checkBindable({ bounds }: Credential, { bindable = [] }: Protected): void {
  const name = Object.keys(bounds).find((name) => !bindable.includes(name))
  if (name) throw outOfBounds(`The credential is restricted by ${name}, and this operation is not.`)
}

/** Checks validated parameters against the bounds of a credential. Throws 403 `out_of_bounds` if one has another value. */
export function checkBounds(
  { bounds }: Credential,
  { selectors = [] }: Protected,
  shape: z.core.$ZodShape,
  params: Record<string, unknown>,
): void {
  for (const [name, boundValue] of Object.entries(bounds)) {
    const parsed = (shape[name] as z.ZodType).safeParse(boundValue)
    if (!isExactly(params[name], parsed.success ? parsed.data : boundValue))
      throw outOfBounds(`The credential allows only one value of ${name}, and the call has another.`)
  }
  const selector = selectors.find((name) => params[name] !== undefined)
  if (selector) throw outOfBounds(`The credential is restricted, so the call may not pass ${selector}.`)
}

/** Whether a parameter has the bound value. Of an array, each element must have it, and there must be one. */
function isExactly(value: unknown, expected: unknown): boolean {
  if (!Array.isArray(value)) return value === expected
  const elements: unknown[] = Array.isArray(expected) ? expected : [expected]
  return value.length > 0 && value.every((element) => elements.length === 1 && element === elements[0])
}

const outOfBounds = (message: string) => failure('out_of_bounds', message)
