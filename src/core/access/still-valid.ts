// Checks the credential of an open stream again: it may have expired, and its key may have been deleted or rotated.
import { describe, log } from '#core/http/log'
import { type AccessBinding, accessServiceOf } from './access-service.ts'
import { isValidHash } from './authenticate.ts'
import type { Credential } from './credential.ts'
import { keyOf, trustOf } from './trust-cache.ts'

/** The part of a credential that says how long it is valid. It has no secret, so that it may be stored. */
export type Validity = Pick<Credential, 'kind' | 'id' | 'expires' | 'secretHash'>

/** The part of a credential to store for `isStillValid`. */
export const validityOf = ({ kind, id, expires, secretHash }: Credential): Validity => ({
  kind,
  ...(id !== undefined && { id }),
  ...(expires !== undefined && { expires }),
  ...(secretHash !== undefined && { secretHash }),
})

/** Whether the time of a credential has not ended. */
export const hasTimeLeft = ({ expires = Number.POSITIVE_INFINITY }: Validity, now = Date.now()): boolean =>
  expires > now

/**
 * Whether a credential is still valid. Makes no call while the component knows its key or the revoked keys. False if `access` has not
 * answered for so long that a request would be refused too.
 */
export async function isStillValid(env: AccessBinding, validity: Validity): Promise<boolean> {
  const { kind, id, secretHash } = validity
  const service = accessServiceOf(env)
  if (!hasTimeLeft(validity)) return false
  if (!service || id === undefined || (kind !== 'key' && kind !== 'token')) return true
  try {
    if (kind === 'token') return !(await trustOf(service)).revoked.includes(id)
    const key = await keyOf(service, id)
    return key !== undefined && isValidHash(key, secretHash ?? '', Date.now())
  } catch (error) {
    log('error', { component: 'credentials', route: 'stream', ...describe(error) })
    return false
  }
}
