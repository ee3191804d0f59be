import { table } from './api/index.ts'
import { unsent } from './errors.ts'
import { toQuery } from './query.ts'
import type { Settings } from './types.ts'

/** A request that can be sent any number of times. */
export interface Prepared {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

/** What is asked: `operation` is its name in the table. */
export interface PreparedRequest {
  operation: string
  component: string
  method: string
  path: string
  params: object
}

/** The request for what is asked: variables in the path; the others in the query of a GET, else in the body. */
export function prepare(settings: Settings, { operation, component, method, path, params }: PreparedRequest): Prepared {
  const rest: Record<string, unknown> = { ...params }
  const url = addressOf(settings, component, path, rest)
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(rest, table.forms[operation])
  const isJson = typeof body === 'string'
  return {
    url: isJson ? url : url + toQuery(rest, table.lists[operation]),
    method,
    headers: {
      ...(!table.bytes.includes(operation) && { accept: 'application/json' }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body,
  }
}

/** The parameters as JSON, or as a form those that are fields of it, which are taken out of `rest`. */
function bodyOf(rest: Record<string, unknown>, form: readonly string[] | undefined): Prepared['body'] {
  if (!form) return Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined
  const fields = Object.entries(rest).filter(([name]) => form.includes(name))
  for (const name of form) delete rest[name]
  return toForm(fields)
}

/** The URL up to its query; takes what stands in the path out of `rest`. */
function addressOf({ url = '' }: Settings, component: string, path: string, rest: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    // URLs take these for steps to another path, however they are written.
    if (value === '' || value === '.' || value === '..')
      throw unsent('validation_failed', `Not valid: ${name}`, { [name]: 'Names nothing' })
    return encodeURIComponent(value)
  })
  const { location } = globalThis as { location?: { href?: string } }
  // A URL that is none throws here, not as a connection that fails.
  const { href } = new URL(baseOf(url, component), location?.href)
  const prefix = component && !url.includes('{component}') ? `/${component}` : ''
  return new URL(href.replace(/\/+$/, '') + prefix + filled).href
}

/** The address that paths are put after: none of them leads to another host, whatever stands in it. */
function baseOf(url: string, component: string): string {
  if (url.includes('{component}') && !/^[\w-]*$/.test(component))
    throw unsent('validation_failed', 'Not valid: the path', { path: 'Begins with no name of a component' })
  return url.replace(/\{component\}(\.?)/, component && `${component}$1`) || '/'
}

/** The files last, so that what the fields say is known when they arrive. */
function toForm(fields: [name: string, value: unknown][]): FormData {
  const form = new FormData()
  const given = fields.filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of given) if (!(value instanceof Blob)) form.append(name, String(value))
  for (const [name, value] of given) if (value instanceof Blob) form.append(name, value)
  return form
}
