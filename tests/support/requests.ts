// Sends requests to a component in tests inside workerd.
import { env, exports } from 'cloudflare:workers'

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

export interface Component {
  fetch(request: Request): Response | Promise<Response>
}

export type Class<Worker extends Component> = new (ctx: ExecutionContext, env: never) => Worker

/** The environment of the component, with this database and more variables. */
export const boundOn = (database: object, variables: object = {}): object => ({
  ...env,
  ...('DB' in database ? {} : { DB: undefined }),
  ...database,
  ...variables,
})

/** Creates the component with these bindings, and functions that send requests to it. */
export function startWith<Worker extends Component>(Worker: Class<Worker>, bindings: object) {
  const worker = new Worker(context, bindings as never)
  const fetch: Fetch = async (url, init) => worker.fetch(new Request(url, init))
  const send = (method: string, path: string, params?: object, headers: Record<string, string> = {}) =>
    ask(method, path, params, (url, init) => fetch(url, { ...init, headers }))
  return { worker, fetch, send }
}

const context = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
} as never

export interface Reply {
  status: number
  json: Record<string, never>
}

/**
 * Sends a request with parameters as JSON in the body, or in the query for GET and HEAD, which cannot have a body here.
 */
export async function ask(
  method: string,
  path: string,
  params?: object,
  fetch: Fetch = (...sent) => exports.default.fetch(...sent),
) {
  const isGet = method === 'GET' || method === 'HEAD'
  const query = isGet && params ? `?${queryOf(params)}` : ''
  const response = await fetch(`http://component${path}${query}`, {
    method,
    ...(!isGet && params && { body: JSON.stringify(params) }),
  })
  const text = await response.text()
  return { status: response.status, json: (text ? JSON.parse(text) : {}) as Record<string, never> }
}

/** A reply without the id of its request, to compare it with another. */
export const withoutId = ({ status, json: { request_id: _, ...json } }: Reply) => ({ status, json })

const queryOf = (params: object) =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
