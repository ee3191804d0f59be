import { counter, histogram } from './families.ts'
import { type MetricsEnv, scheduleFlush } from './flush.ts'

/** Where requests are written down one by one besides. */
export interface AnalyticsEnv {
  /** A dataset of Analytics Engine. */
  ANALYTICS?: AnalyticsEngineDataset
}

/** A request that was answered. */
interface Answered {
  component: string
  /** As it is declared, never the path. */
  route: string
  method: string
  status: number
  /** The slug of a refusal. */
  code: string | undefined
  ms: number
}

const countRequest = counter('quartermaster_requests_total', 'Requests that were answered, by the status of the reply.')

const observeDuration = histogram(
  'quartermaster_request_duration_seconds',
  "Time from a request to its reply's head.",
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
)

/** Counts what a limit refused, under the name of the limit. */
export const countLimitHit = counter(
  'quartermaster_limit_hits_total',
  'Requests that a limit refused: 413, 429 and 503, by status_code, and what is refused in other words.',
)

/** Counts a request, and writes it down where there is a dataset. */
export function recordRequest(env: MetricsEnv & AnalyticsEnv, answered: Answered): void {
  const { component, route, status, code, ms } = answered
  const method = methodOf(answered.method)
  countRequest({ route, method, status })
  observeDuration({ route }, ms / 1_000)
  if (code !== undefined && limits.includes(status)) countLimitHit({ limit: slugOf(code) })
  scheduleFlush(env)
  env.ANALYTICS?.writeDataPoint({
    indexes: [component],
    blobs: [route, method, String(status), code ?? ''],
    doubles: [ms],
  })
}

const limits: number[] = [413, 429, 503]

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Others are whatever a caller likes. */
const methodOf = (method: string) => (methods.has(method) ? method : 'other')

/** A refusal may have its slug from another component. */
const slugOf = (code: string) => (/^[a-z0-9_]{1,64}$/.test(code) ? code : 'other')
