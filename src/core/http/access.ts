// Checks who calls: authenticates a request, refuses those of foreign pages, and checks scope and rate limit.
import { accessServiceOf } from '#core/access/access-service'
import { authenticate, type CredentialsEnv } from '#core/access/authenticate'
import { checkScope, isBounded, type Protected } from '#core/access/authorize'
import type { Credential } from '#core/access/credential'
import { countRequest } from '#core/access/request-limit'
import type { Level } from '#core/access/scopes'
import { Failure, failure } from '#core/failure'
import { refuseCrossSite } from './cross-site.ts'

interface Visit {
  /** Name of the component. */
  component: string
  /** The component that the scope must name. Default: `component`. */
  scopeComponent?: string | undefined
  level: Protected['level']
  /** The request has an effect: pages of other origins may not send it with credentials that the browser attached by itself. */
  hasEffect: boolean
  /** Token from the query, for streams and downloads. */
  queryToken?: string | undefined
  /** Gets the credential once it is known to be valid, also if the request is refused afterwards. */
  onAuthenticated?: (credential: Credential) => void
}

/** The variables and bindings that decide who may call a component, and from which pages. */
interface VisitEnv extends CredentialsEnv {
  BASE_URL?: string
  CORS_ORIGINS?: string
}

/**
 * The credential of a request that may call an operation. Throws 401 for wrong or missing credentials, 403 if a page of another
 * origin sent the request or if the scope is missing, and 429 if the limit of the key is reached. A wrong bearer token is 401 also
 * for pages of other origins, so that they learn that a token has expired.
 */
export async function admit(
  env: VisitEnv,
  request: Request,
  { component, scopeComponent = component, level, hasEffect, queryToken, onAuthenticated }: Visit,
): Promise<Credential> {
  const now = new Date()
  const header = request.headers.get('authorization')
  // A header replaces a token in the query: the browser may have attached Basic credentials.
  const isBearer = header === null ? Boolean(queryToken) : /^bearer /i.test(header)
  // Before a 401 makes the browser prompt for Basic credentials.
  if (hasEffect && !isBearer) refuseCrossSite(env, component, request)
  const credential = await authenticate(env, request, now, queryToken)
  // The header decides what the caller may do. A token beside it must be valid too: each credential that is sent is checked.
  if (header !== null && queryToken) await authenticate(env, new Request(request.url), now, queryToken)
  onAuthenticated?.(credential)
  checkOrigin(credential, request)
  checkScope(credential, scopeComponent, level)
  await countRequest(accessServiceOf(env), credential, now.getTime())
  return credential
}

/**
 * Checks credentials that the operation does not need: wrong ones are 401 everywhere, so that a caller learns at once that its key or
 * token has ended. Returns the valid credential, `undefined` if the request has none.
 */
export async function checkSent(env: CredentialsEnv, request: Request): Promise<Credential | undefined> {
  if (!request.headers.has('authorization')) return undefined
  const credential = await authenticate(env, request)
  checkOrigin(credential, request)
  return credential
}

/** A token may list the origins whose pages use it. Requests without `Origin` come from no page of another origin. */
function checkOrigin({ origins }: Credential, request: Request): void {
  const origin = request.headers.get('origin')
  if (!origins || origin === null || origins.includes(origin)) return
  throw failure('cross_site_request', 'The token may be used by pages of the origins for which it was issued only.')
}

/** Whether `Authorization` has credentials without bounds that allow a level of a component. */
export async function hasAccess(
  env: CredentialsEnv,
  request: Request,
  component: string,
  level: Level = 'read',
): Promise<boolean> {
  try {
    const credential = await authenticate(env, request)
    checkScope(credential, component, level)
    return !isBounded(credential)
  } catch (error) {
    if (Failure.is(error)) return false
    throw error
  }
}
