// The gateway Worker: routes requests to components, serves pages about all components, and runs every component's
// background work each minute.
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { routePath } from 'hono/route'
import { checkSent } from '#core/http/access'
import { urlOf } from '#core/http/base'
import { skipBody } from '#core/http/body'
import { docs } from '#core/http/docs'
import { describe, log } from '#core/http/log'
import { observe, onError, reject } from '#core/http/observe'
import type { Observed } from '#core/http/observed'
import { reply } from '#core/http/reply'
import { isDue } from '#core/http/sweep-schedule'
import { refusalOf } from './admission.ts'
import { redirectOf } from './console-origin.ts'
import type { Env } from './env.ts'
import { failure } from './errors.ts'
import { page } from './index-page.ts'
import { showAll } from './metrics.ts'
import { describeAll } from './openapi.ts'
import { fetchFromAll } from './pages.ts'
import { isOwnPath, operationsOf, personApi } from './person.ts'
import { type Route, routeOf } from './route.ts'
import { servicesOf } from './services.ts'
import { consoleFile, guideFile, hasConsole } from './site.ts'

const about = { name: 'gateway' }

const pages = ['/', '/_health', '/_metrics', '/_openapi.json', '/_docs', '/console', '/console/*', '/docs', '/docs/*']

/** The gateway's own pages, which need no credentials, and its own errors. Requests that name no component get here. */
const own = new Hono<Observed<Env>>()
  .use(observe(about))
  .use((c, next) => {
    c.set('route', routePath(c, -1))
    return next()
  })
  .onError(onError(about))
  .use(async (c, next) => {
    const route = routeOf(c.env, c.req.raw)
    const refusal = refusalOf(c.env, c.req.raw, route)
    const location = refusal ? undefined : redirectOf(c.env, c.req.raw, route)
    if (!refusal && !location) return next()
    c.set('route', 'none')
    await skipBody(c.req.raw, 0)
    if (refusal) throw refusal
    return new Response(null, { status: 307, headers: { location: location!, 'cache-control': 'no-store' } })
  })
  .use(async (c, next) => {
    const { pathname } = urlOf(c.req.raw)
    c.set('isPage', pathname === '/' || pathname === '/_docs')
    // The files of the console and the guide are the same for all, and the components check who reads their metrics.
    if (!/^\/(console|docs|_metrics)(\/|$)/.test(pathname)) c.set('sent', await checkSent(c.env, c.req.raw))
    return next()
  })
  .get('/', async (c) => {
    const base = baseOf(c.env, c.req.raw)
    const supports = ['text/html', 'application/json']
    if (accepts(c, { header: 'Accept', supports, default: 'text/html' }) === 'text/html') return index(c.env, base)
    const healths = await fetchFromAll(c.env, base, '/_health')
    const states = [...healths].map(([name, health]) => ({ name, state: health === undefined ? 'down' : 'up' }))
    return reply({ status: true, content: { components: states } }, 200, { vary: 'accept' })
  })
  .get('/_health', () => reply({ status: true, content: { state: 'up' } }))
  .get('/_metrics', (c) => showAll(c.env, c.req.raw))
  .get('/_openapi.json', async (c) => c.json(await describeAll(c.env, baseOf(c.env, c.req.raw))))
  .get('/_docs', async (c) => docs(await describeAll(c.env, baseOf(c.env, c.req.raw))))
  .on('GET', ['/console', '/console/*'], (c) => consoleFile(c.env, c.req.raw))
  .on('GET', ['/docs', '/docs/*'], (c) => guideFile(c.env, c.req.raw))
  .on(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], pages, (c) => {
    throw failure('method_not_allowed', `The path does not accept ${c.req.method}. Use GET or HEAD.`, {
      headers: { allow: 'GET, HEAD' },
    })
  })
  .notFound((c) => {
    const component = urlOf(c.req.raw).pathname.split('/')[1]!
    throw failure('component_not_found', `No component is named "${component}".`)
  })

/** The object has an alarm while operations run. Waking it finds an alarm that was lost after repeated errors, which is rare. */
const resumeMinutes = 10

export { Operations } from './operations.ts'

/**
 * The Worker: passes requests for a component on and returns its reply unchanged, and calls `sweep` of every component
 * each minute.
 */
export default {
  fetch(request, env, ctx) {
    const route = routeOf(env, request)
    if (refusalOf(env, request, route) || redirectOf(env, request, route)) return own.fetch(request, env, ctx)
    if (route) return pass(route, env, ctx)
    return isOwnPath(urlOf(request).pathname) ? personApi.fetch(request, env, ctx) : own.fetch(request, env, ctx)
  },

  async scheduled({ scheduledTime }, env) {
    const at = env.LOCAL === 'true' ? undefined : scheduledTime
    const resumes = env.OPERATIONS && isDue(resumeMinutes, at)
    await Promise.all([
      ...servicesOf(env).map(([component, service]) => service.sweep(at).catch(logFailure(component))),
      ...(resumes ? [operationsOf(env).resume().catch(logFailure('operations'))] : []),
    ])
  },
} satisfies ExportedHandler<Env>

async function index(env: Env, base: string): Promise<Response> {
  const [healths, documents] = await Promise.all([
    fetchFromAll(env, base, '/_health'),
    fetchFromAll(env, base, '/_openapi.json'),
  ])
  return page(healths, documents, hasConsole(env))
}

/** Passes a request on. A component that cannot start, or that the platform stops, throws instead of replying. */
async function pass({ component, service, request }: Route, env: Env, ctx: ExecutionContext): Promise<Response> {
  try {
    return await service.fetch(request)
  } catch (error) {
    return reject(about, request, { env, ctx, error, route: component })
  }
}

const logFailure = (component: string) => (error: unknown) =>
  log('error', { component: about.name, route: `sweep ${component}`, ...describe(error) })

/** The URL of the gateway: `BASE_URL` if all components are under one host, else the origin of the request. */
const baseOf = ({ BASE_URL }: Env, request: Request) =>
  BASE_URL && !BASE_URL.includes('{component}') ? BASE_URL.replace(/\/+$/, '') : urlOf(request).origin
