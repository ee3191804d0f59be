// Hono middleware of every component: request ids, log lines, request metrics, audit rows, CORS headers, and the error handler.
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { AuditEnv } from '#core/access/audit'
import type { CredentialsEnv } from '#core/access/authenticate'
import { Failure } from '#core/failure'
import type { MetricsEnv } from '#core/metrics/flush'
import { type AnalyticsEnv, recordRequest } from '#core/metrics/requests'
import { recordCall } from './audited.ts'
import { challengeOf } from './challenge.ts'
import { type CorsOptions, handleCors } from './cors.ts'
import { describe, log } from './log.ts'
import type { Observed } from './observed.ts'
import { explain, internalError, refuse } from './reply.ts'
import { requestIdHeader, requestIdOf, withRequestId } from './request-id.ts'

/** The variables and bindings of the middleware. */
type ObservedEnv = { CORS_ORIGINS?: string } & CredentialsEnv & MetricsEnv & AnalyticsEnv & AuditEnv

/** Middleware that gives every request an id, logs it, counts it in the metrics, adds it to the audit log and sets CORS headers. */
export const observe =
  <Env extends ObservedEnv>({ name, ...cors }: { name: string } & CorsOptions): MiddlewareHandler<Observed<Env>> =>
  async (c, next) => {
    const started = Date.now()
    const request_id = requestIdOf(c.req.raw)
    c.set('requestId', request_id)
    await withRequestId(request_id, () => handleCors(c, next, cors))
    setRequestId(c)
    const { status } = c.res
    const answered = { component: name, route: c.get('route') ?? 'none', method: c.req.method, status }
    const ms = Date.now() - started
    log(status >= 500 ? 'error' : 'info', { ...answered, ms, request_id })
    recordRequest(c.env, { ...answered, code: c.get('code'), ms })
    const audited = c.get('audited')
    if (audited)
      recordCall(c.env, audited, c.get('credential'), {
        component: name,
        status,
        request: c.req.raw,
        requestId: request_id,
      })
  }

/** Sets the id on the reply, except on a WebSocket upgrade, whose headers are immutable. */
function setRequestId<Env extends object>(c: Context<Observed<Env>>) {
  if (c.res.status === 101) return
  c.header(requestIdHeader, c.get('requestId'))
}

/**
 * Error handler of every component: a `Failure` becomes the error reply that the caller sees; any other exception is
 * logged and becomes a 500.
 */
export const onError =
  ({ name, pagesPrefix = '' }: { name: string; pagesPrefix?: string }) =>
  <Env extends object>(error: Error, c: Context<Observed<Env>>): Response => {
    const request_id = c.get('requestId')
    const explanation = explain(pagesPrefix, c.req.raw, request_id)
    c.set('code', Failure.is(error) ? error.code : 'internal_error')
    if (Failure.is(error)) {
      if (error.cause && error.status >= 500) log('error', { component: name, request_id, ...describe(error.cause) })
      const refused = refuse(error, explanation)
      if (error.status === 401 && !error.headers?.['www-authenticate'])
        refused.headers.set('www-authenticate', challengeOf(c.env, c.req.raw, c.get('isPage') === true))
      return refused
    }
    log('error', { component: name, request_id, ...describe(error) })
    return internalError(explanation)
  }

interface Rejected {
  env: ObservedEnv
  ctx: ExecutionContext
  error: unknown
  /** Names the cause in the log and in the metrics. */
  route: string
}

/** Answers a request that does not reach the component with an error, as the component would: with CORS headers, log line and metrics. */
export async function reject(
  about: { name: string },
  request: Request,
  { env, ctx, error, route }: Rejected,
): Promise<Response> {
  const app = new Hono<Observed<ObservedEnv>>()
    .use(observe<ObservedEnv>(about))
    .onError(onError(about))
    .all('*', (c) => {
      c.set('route', route)
      throw error
    })
  return app.fetch(request, env, ctx)
}
