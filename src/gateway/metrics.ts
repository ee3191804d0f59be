import { failure } from '#core/failure'
import { prefixHeader, urlOf } from '#core/http/base'
import { requestIdHeaders } from '#core/http/request-id'
import { expose, exposition, merge } from '#core/metrics/exposition'
import { manifests, ownPrefixOf } from '#manifests'
import { type Env, type Service, servicesOf } from './env.ts'

/** Longer than a component waits for its gauges, and shorter than who scrapes for all. */
const patience = 8_000

/** What a caller may show a component, to be let in. */
const credentials = ['authorization', ...manifests.flatMap(({ secretHeader = [] }) => secretHeader)]

interface Answered {
  component: string
  /** None of one that does not answer. */
  status?: number
  /** Its metrics, where it has given them. */
  text?: string
}

/**
 * The metrics of all components as one exposition, each asked with the caller's own credentials; `quartermaster_up` is 0 for
 * those that have given none. What all of them refuse alike is refused.
 */
export async function showAll(env: Env, request: Request): Promise<Response> {
  const answers = await Promise.all(servicesOf(env).map((service) => askFor(service, request)))
  const code = commonError(answers)
  if (code) throw failure(code, 'No component shows its metrics')
  const up = answers.map(({ component, text }) => ({ component, value: text === undefined ? 0 : 1 }))
  return new Response(merge([...answers.flatMap(({ text }) => text ?? []), ...up.map(asGauge)]), {
    headers: { 'content-type': exposition },
  })
}

const asGauge = ({ component, value }: { component: string; value: number }) =>
  expose(
    component,
    new Map(),
    [],
    [{ name: 'quartermaster_up', help: 'Whether the component has given its metrics.', samples: [{ value }] }],
  )

async function askFor([component, service]: [string, Service], request: Request): Promise<Answered> {
  const headers = new Headers({ [prefixHeader]: `/${component}`, ...requestIdHeaders() })
  for (const name of credentials) if (request.headers.has(name)) headers.set(name, request.headers.get(name)!)
  const asked = new Request(`${urlOf(request).origin}${ownPrefixOf(component)}/_metrics`, { headers })
  const late = new Promise<Answered>((resolve) => setTimeout(resolve, patience, { component }))
  const answered = service
    .fetch(asked)
    .then(async (response) => ({ component, status: response.status, ...(await textOf(response)) }))
    .catch(() => ({ component }))
  return Promise.race([answered, late])
}

/** Nothing of what is no exposition. */
async function textOf(response: Response): Promise<{ text?: string }> {
  const text = await response.text()
  return response.ok && response.headers.get('content-type') === exposition ? { text } : {}
}

/** Errors that the gateway answers with if all components do, by their status. */
const passedOn = { 401: 'unauthorized', 503: 'not_configured', 404: 'metrics_off' } as const

/** The error of all components, if they agree. */
function commonError(answers: Answered[]) {
  const statuses = new Set(answers.map(({ status }) => status))
  if (statuses.size !== 1) return undefined
  const [status] = statuses
  return status === 401 || status === 503 || status === 404 ? passedOn[status] : undefined
}
