// Counts finished HTTP requests and their durations for `/_metrics`, and writes them to Cloudflare's Analytics Engine if it is
// bound.
import { counter, histogram } from './families.ts'
import { type MetricsEnv, scheduleFlush } from './flush.ts'

/** Optional binding that records each request in Cloudflare's Analytics Engine. */
export interface AnalyticsEnv {
  ANALYTICS?: AnalyticsEngineDataset
}

/** A finished request, as the metrics and Analytics Engine record it. */
interface FinishedRequest {
  component: string
  /** The declared route, such as `/item/:id`, never the path: labels must not have values from callers. */
  route: string
  method: string
  status: number
  /** The error code. */
  code: string | undefined
  ms: number
}

const countRequest = counter('quartermaster_requests_total', 'Finished requests, by route, method and status.')

const observeDuration = histogram(
  'quartermaster_request_duration_seconds',
  'Time from the request to the headers of the reply.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
)

/** Counts a request that a limit refused, by the name of the limit. */
export const countLimitHit = counter(
  'quartermaster_limit_hits_total',
  'Requests refused because of a limit: replies with 413, 429 and 503, and refusals within other replies, by error code.',
)

/** Counts a request, and writes it to Analytics Engine if it is bound. */
export function recordRequest(env: MetricsEnv & AnalyticsEnv, request: FinishedRequest): void {
  const { component, route, status, code, ms } = request
  const method = methodOf(request.method)
  countRequest({ route, method, status })
  observeDuration({ route }, ms / 1_000)
  if (code !== undefined && limits.includes(status)) countLimitHit({ limit: labelOf(code) })
  scheduleFlush(env)
  env.ANALYTICS?.writeDataPoint({
    indexes: [component],
    blobs: [route, method, String(status), code ?? ''],
    doubles: [ms],
  })
}

const limits: number[] = [413, 429, 503]

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Unknown methods are counted together, since callers choose them. */
const methodOf = (method: string) => (methods.has(method) ? method : 'other')

/**
 * The error code as a label. A code may come from another component's reply, so its length and characters are limited.
 */
const labelOf = (code: string) => (/^[a-z0-9_]{1,64}$/.test(code) ? code : 'other')
