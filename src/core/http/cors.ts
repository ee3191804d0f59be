// CORS headers (Fetch standard): for the origins of `CORS_ORIGINS`, and for each page that sends a valid bearer token.
import type { Context, Next } from 'hono'
import { cors } from 'hono/cors'
import { authenticate, type CredentialsEnv } from '#core/access/authenticate'
import type { Credential } from '#core/access/credential'
import { Failure } from '#core/failure'
import type { Observed } from './observed.ts'

interface CorsEnv extends CredentialsEnv {
  CORS_ORIGINS?: string
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const maxAgeS = 600

/**
 * Request headers that a page with a token sends. A preflight request that asks only for these, and for those of the component's
 * own, is always answered.
 */
const tokenHeaders = ['authorization', 'content-type', 'idempotency-key']

/** Response headers that scripts of other origins can read. */
const exposed = ['X-Request-Id', 'Retry-After', 'Location', 'ETag']

/** The properties of a component that decide about CORS; see `About`. */
export interface CorsOptions {
  exposes?: string[]
  requestHeaders?: string[]
  takesOptions?: true | { preflightsBelow: readonly string[] }
}

/**
 * Answers preflight requests, and sets CORS headers on other replies. With `takesOptions` the component itself answers other OPTIONS
 * requests, and its reply gets the headers of a preflight.
 */
export async function handleCors<Env extends CorsEnv>(
  c: Context<Observed<Env>>,
  next: Next,
  { exposes = [], requestHeaders = [], takesOptions }: CorsOptions,
): Promise<void> {
  const { CORS_ORIGINS = '' } = c.env
  const listed = CORS_ORIGINS ? corsMiddleware(CORS_ORIGINS, exposes) : undefined
  const allowed = [...tokenHeaders, ...requestHeaders.map((name) => name.toLowerCase())]
  if (
    isTokenPreflight(c.req.raw, allowed) &&
    !isListed(CORS_ORIGINS, c.req.raw) &&
    answersPreflight(takesOptions, c.req.path)
  ) {
    c.res = preflightReply(c.req.raw, allowed)
    return
  }
  if (takesOptions && c.req.method === 'OPTIONS') return listed ? addPreflightHeaders(c, next, listed) : next()
  if (!listed) await next()
  else {
    const preflight = await listed(c, next)
    if (preflight instanceof Response) c.res = preflight
  }
  await allowTokenOrigin(c, exposes)
}

type CorsMiddleware = ReturnType<typeof cors>

const corsMiddleware = (list: string, exposes: string[]): CorsMiddleware => {
  const origins = originsIn(list)
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    allowMethods: methods,
    exposeHeaders: [...exposed, ...exposes],
    maxAge: maxAgeS,
  })
}

const originsIn = (list: string) => list.split(',').map((origin) => origin.trim())

function isListed(list: string, { headers }: Request): boolean {
  const origins = originsIn(list)
  return origins.includes('*') || origins.includes(headers.get('origin') ?? '')
}

/** Whether core answers the preflight requests of a path for pages with a token. */
const answersPreflight = (takesOptions: CorsOptions['takesOptions'], path: string): boolean =>
  typeof takesOptions !== 'object' ||
  takesOptions.preflightsBelow.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

function isTokenPreflight({ method, headers }: Request, allowed: string[]): boolean {
  if (method !== 'OPTIONS' || !headers.has('origin') || !headers.has('access-control-request-method')) return false
  const requested = (headers.get('access-control-request-headers') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return requested.includes('authorization') && requested.every((name) => allowed.includes(name))
}

const preflightReply = ({ headers }: Request, allowed: string[]) =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': headers.get('origin')!,
      'access-control-allow-methods': methods.join(','),
      'access-control-allow-headers': allowed.join(','),
      'access-control-max-age': String(maxAgeS),
      vary: 'Origin, Access-Control-Request-Headers',
    },
  })

/** Lets the page read the reply to a request with a bearer token. */
async function allowTokenOrigin<Env extends CorsEnv>(c: Context<Observed<Env>>, exposes: string[]): Promise<void> {
  const origin = c.req.header('origin')
  if (!origin || c.res.status === 101 || c.res.headers.has('access-control-allow-origin')) return
  if (c.get('takesAnyAuthorization') || !(await mayRead(c, origin))) return
  c.header('access-control-allow-origin', origin)
  c.header('access-control-expose-headers', [...exposed, ...exposes].join(','))
  c.header('vary', 'Origin', { append: true })
}

/**
 * Whether the token of a request allows its page to read the reply: also an error from before the credentials were checked, such as 404 or
 * 413. A page without a valid token gets no data, only a 401, and a 503 if the token cannot be checked. A parameter `token` counts
 * only if it has admitted the request: on an open local start, any page could send a made-up one.
 */
async function mayRead<Env extends CorsEnv>(c: Context<Observed<Env>>, origin: string): Promise<boolean> {
  const isBearer = /^bearer /i.test(c.req.header('authorization') ?? '')
  const known = c.get('credential') ?? c.get('sent')
  if (!known && c.res.status === 401) return isBearer || c.req.query('token') !== undefined
  if (!known && c.get('code') === 'unavailable') return isBearer
  const credential = known ?? (isBearer ? await credentialIn(c) : undefined)
  if (!credential) return false
  return (isBearer || credential.kind === 'token') && credential.origins?.includes(origin) !== false
}

/** The credential of a reply that was made before it was checked. `undefined` if it is wrong or cannot be checked. */
async function credentialIn<Env extends CorsEnv>(c: Context<Observed<Env>>): Promise<Credential | undefined> {
  try {
    return await authenticate(c.env, c.req.raw)
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

/** For components that handle OPTIONS: their reply gets the preflight headers. */
async function addPreflightHeaders<Env extends CorsEnv>(
  c: Context<Observed<Env>>,
  next: Next,
  listed: CorsMiddleware,
): Promise<void> {
  await next()
  const reply = c.res.status < 400 ? c.res : undefined
  const preflight = await listed(c, async () => undefined)
  if (!(preflight instanceof Response)) return
  const { status, statusText, body } = reply ?? preflight
  const headers = new Headers([...preflight.headers, ...(reply?.headers ?? [])])
  c.res = new Response(body, { status, statusText, headers })
}
