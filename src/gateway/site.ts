import { urlOf } from '#core/http/base'
import type { Env } from './env.ts'
import { failure, missing } from './errors.ts'

// Serves the static files of the console and the guide, with a content security policy.

/** Security headers that all static files get. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Content security policy of the console: its scripts may call this origin only. Documents in frames inherit the
 * policy; inline styles are allowed for them, such as for the preview of a mail.
 */
const consolePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const guidePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Whether the console is served: as `CONSOLE` says, by default only on a local start. */
export const hasConsole = ({ CONSOLE, LOCAL }: Env) => (CONSOLE ? CONSOLE === 'true' : LOCAL === 'true')

/** A file of the console. The files need no credentials: the console calls the API with those of its user. */
export function consoleFile(env: Env, request: Request): Promise<Response> {
  if (!hasConsole(env)) throw missing('route')
  return file(env, request, consolePolicy)
}

/** A page of the guide. */
export const guideFile = (env: Env, request: Request) => file(env, request, guidePolicy)

async function file({ ASSETS }: Env, request: Request, policy: string): Promise<Response> {
  if (!ASSETS) throw missing('route')
  const { pathname, search } = urlOf(request)
  const { method } = request
  const found = await ASSETS.fetch(`https://site${pathname}${search}`, {
    method,
    headers: conditionsOf(request),
    redirect: 'manual',
  })
  if (found.status === 404) throw failure('page_not_found')
  const headers = new Headers(found.headers)
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value)
  headers.set('content-security-policy', policy)
  if (isHashed(pathname)) headers.set('cache-control', 'public, max-age=31536000, immutable')
  return new Response(found.body, { status: found.status, headers })
}

const conditionsOf = ({ headers }: Request) => {
  const tag = headers.get('if-none-match')
  return tag === null ? {} : { 'if-none-match': tag }
}

/** Whether a file's name has a hash of its content. Such a file never changes, so browsers may cache it for ever. */
const isHashed = (path: string) => path.startsWith('/console/assets/')
