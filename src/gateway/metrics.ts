// Answers `/_metrics` of the gateway with the metrics of all components.
import { failure } from '#core/failure'
import { prefixHeader, urlOf } from '#core/http/base'
import { requestIdHeaders } from '#core/http/request-id'
import { expose, exposition, merge } from '#core/metrics/exposition'
import { manifests, ownPrefixOf } from '#manifests'
import type { Env } from './env.ts'
import { type Service, servicesOf } from './services.ts'

/** Longer than a component waits for its gauges, and shorter than the 10 s that Prometheus waits by default. */
const requestTimeoutMs = 8_000

/** Request headers with credentials. They are passed on to the components, which check access to their metrics. */
const credentialHeaders = ['authorization', ...manifests.flatMap(({ secretHeader = [] }) => secretHeader)]

interface Scrape {
  component: string
  /** HTTP status. `undefined` if the component does not answer. */
  status?: number
  /** The metrics. `undefined` if the component does not return them. */
  text?: string
}

/**
 * The metrics of all components as one text. Components are called with the caller's credentials. `quartermaster_up` is 0 for
 * components that return no metrics. If all components return the same error, so does the gateway.
 */
export async function showAll(env: Env, request: Request): Promise<Response> {
  const scrapes = await Promise.all(servicesOf(env).map((service) => scrape(service, request)))
  const code = commonError(scrapes)
  if (code) throw failure(code, 'No component returns its metrics.')
  const up = scrapes.map(({ component, text }) => ({ component, value: text === undefined ? 0 : 1 }))
  return new Response(merge([...scrapes.flatMap(({ text }) => text ?? []), ...up.map(asGauge)]), {
    headers: { 'content-type': exposition },
  })
}

const asGauge = ({ component, value }: { component: string; value: number }) =>
  expose(
    component,
    new Map(),
    [],
    [{ name: 'quartermaster_up', help: 'Whether the component returned its metrics: 1 or 0.', samples: [{ value }] }],
  )

async function scrape([component, service]: [string, Service], request: Request): Promise<Scrape> {
  const headers = new Headers({ [prefixHeader]: `/${component}`, ...requestIdHeaders() })
  for (const name of credentialHeaders) if (request.headers.has(name)) headers.set(name, request.headers.get(name)!)
  const metricsRequest = new Request(`${urlOf(request).origin}${ownPrefixOf(component)}/_metrics`, { headers })
  const timedOut = new Promise<Scrape>((resolve) => setTimeout(resolve, requestTimeoutMs, { component }))
  const scraped = service
    .fetch(metricsRequest)
    .then(async (response) => ({ component, status: response.status, ...(await textOf(response)) }))
    .catch(() => ({ component }))
  return Promise.race([scraped, timedOut])
}

/** The text of a response, if it is metrics. */
async function textOf(response: Response): Promise<{ text?: string }> {
  const text = await response.text()
  return response.ok && response.headers.get('content-type') === exposition ? { text } : {}
}

/** Errors that the gateway returns if all components agree on one, by HTTP status. */
const passedOn = { 401: 'unauthorized', 403: 'insufficient_scope', 503: 'not_configured', 404: 'metrics_off' } as const

/** The error code that all components returned, or `undefined` if their replies differ. */
function commonError(scrapes: Scrape[]) {
  const statuses = new Set(scrapes.map(({ status }) => status))
  if (statuses.size !== 1) return undefined
  const [status] = statuses
  return status === 401 || status === 403 || status === 503 || status === 404 ? passedOn[status] : undefined
}
