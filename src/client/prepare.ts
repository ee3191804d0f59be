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
export interface Asked {
  operation: string
  component: string
  method: string
  path: string
  params: object
}

/** The request for what is asked: variables in the path; the others in the query of a GET, else in the body. */
export function prepare(settings: Settings, asked: Asked): Prepared {
  const { operation, method } = asked
  const rest: Record<string, unknown> = { ...asked.params }
  const url = addressOf(settings, asked, rest)
  const headers: Record<string, string> = table.bytes.includes(operation) ? {} : { accept: 'application/json' }
  if (method === 'GET' || method === 'HEAD') {
    return { url: url + toQuery(rest, table.lists[operation]), method, headers, body: undefined }
  }
  const form = table.forms[operation]
  if (form) {
    const fields = Object.entries(rest).filter(([name]) => form.includes(name))
    for (const name of form) delete rest[name]
    return { url: url + toQuery(rest), method, headers, body: toForm(fields) }
  }
  if (Object.keys(rest).length === 0) return { url, method, headers, body: undefined }
  return { url, method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(rest) }
}

/** The URL up to its query; takes what stands in the path out of `rest`. */
function addressOf({ url = '' }: Settings, { component, path }: Asked, rest: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    // URLs take these for steps to another path, however they are written.
    if (value === '' || value === '.' || value === '..')
      throw unsent('validation_failed', `Not valid: ${name}`, { [name]: 'Names nothing' })
    return encodeURIComponent(value)
  })
  const isApart = url.includes('{component}')
  const base = component
    ? url.replace('{component}', component)
    : url.replace('{component}.', '').replace('{component}', '')
  const { location } = globalThis as { location?: { href?: string } }
  // A URL that is none throws here, not as a connection that fails.
  return new URL(`${base.replace(/\/+$/, '')}${component && !isApart ? `/${component}` : ''}${filled}`, location?.href)
    .href
}

/** The files last, so that what the fields say is known when they arrive. */
function toForm(fields: [name: string, value: unknown][]): FormData {
  const form = new FormData()
  const given = fields.filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of given) if (!(value instanceof Blob)) form.append(name, String(value))
  for (const [name, value] of given) if (value instanceof Blob) form.append(name, value)
  return form
}
