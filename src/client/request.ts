// Builds the HTTP request of a client call from its parameters: the URL, the query string, and a JSON or form body.
import { table } from './api/index.ts'
import { unsent } from './errors.ts'
import { toQuery } from './query.ts'
import type { Settings } from './types.ts'

/** The parts of a request, kept so that every retry sends the same one. */
export interface Prepared {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

/** A call of an operation. `operation` is its key in `table`, such as `POST /queue/task`. */
export interface OperationCall {
  operation: string
  component: string
  method: string
  path: string
  params: object
}

/**
 * Builds the request of a call: path variables in the path, other parameters in the query string of a GET, else in the
 * body.
 */
export function prepare(settings: Settings, { operation, component, method, path, params }: OperationCall): Prepared {
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

/** The body: JSON of all parameters, or a form. The fields of the form are removed from `rest`. */
function bodyOf(rest: Record<string, unknown>, form: readonly string[] | undefined): Prepared['body'] {
  if (!form) return Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined
  const fields = Object.entries(rest).filter(([name]) => form.includes(name))
  for (const name of form) delete rest[name]
  return toForm(fields)
}

/** The URL without query string. The path variables are removed from `rest`. */
function addressOf({ url = '' }: Settings, component: string, path: string, rest: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    // These values are refused: `URL` would resolve `.` and `..` to another path, even if they are encoded.
    if (value === '' || value === '.' || value === '..') {
      const message = `${name} must not be empty, "." or "..".`
      throw unsent('validation_failed', message, { [name]: message })
    }
    return encodeURIComponent(value)
  })
  const { location } = globalThis as { location?: { href?: string } }
  // Checks the `url` setting: `new URL` throws for an invalid one before a request is sent.
  const { href } = new URL(baseOf(url, component), location?.href)
  const prefix = component && !url.includes('{component}') ? `/${component}` : ''
  return new URL(href.replace(/\/+$/, '') + prefix + filled).href
}

/** The URL before the path. The name of the component is checked, since it may become part of the host name. */
function baseOf(url: string, component: string): string {
  if (url.includes('{component}') && !/^[\w-]*$/.test(component)) {
    const message = 'path must begin with the name of a component, such as /feed.'
    throw unsent('validation_failed', message, { path: message })
  }
  return url.replace(/\{component\}(\.?)/, component && `${component}$1`) || '/'
}

/** Makes a form. Files come last, so that the server has read the other fields before the files arrive. */
function toForm(fields: [name: string, value: unknown][]): FormData {
  const form = new FormData()
  const present = fields.filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of present) if (!(value instanceof Blob)) form.append(name, String(value))
  for (const [name, value] of present) if (value instanceof Blob) form.append(name, value)
  return form
}
