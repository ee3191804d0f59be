import { urlOf } from '#core/http/base'
import type { Env } from './env.ts'
import { failure, missing } from './errors.ts'

/** What every file of the site is served with. */
const safe = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * The console may talk to this origin alone. A document that it shows in a frame, such as a mail, has this policy too, and
 * its styles are in the document.
 */
const ofConsole =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const ofGuide =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Whether there is a console: on a local start, elsewhere where `CONSOLE=true` says so. */
export const hasConsole = ({ CONSOLE, LOCAL }: Env) => (CONSOLE ? CONSOLE === 'true' : LOCAL === 'true')

/** A file of the console, which shows nothing before whoever opens it has the access that the API asks for. */
export function consoleFile(env: Env, request: Request): Promise<Response> {
  if (!hasConsole(env)) throw missing('route')
  return file(env, request, ofConsole)
}

/** A page of the guide. */
export const guideFile = (env: Env, request: Request) => file(env, request, ofGuide)

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
  for (const [name, value] of Object.entries(safe)) headers.set(name, value)
  headers.set('content-security-policy', policy)
  if (isHashed(pathname)) headers.set('cache-control', 'public, max-age=31536000, immutable')
  return new Response(found.body, { status: found.status, headers })
}

const conditionsOf = ({ headers }: Request) => {
  const tag = headers.get('if-none-match')
  return tag === null ? {} : { 'if-none-match': tag }
}

/** Whether a file has the digest of its content in its name. */
const isHashed = (path: string) => path.startsWith('/console/assets/')
