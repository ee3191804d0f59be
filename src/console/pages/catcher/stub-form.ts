// Fields of the form that creates a stub. Their names are the paths of the API's parameters, so that its errors appear at the fields.
import type { Params, Reply } from '#client/index'
import type { FormField, FormValues } from '../../parts/form.tsx'
import type { Caught } from './request.tsx'

/** A stub, as the API lists it. */
export type ListedStub = Reply<'catcher', 'get', '/_requests_/stubs'>['stubs'][number]

/** The fields, with the values of a caught request and its recorded response, if there are any. */
export const fieldsOf = (from?: Caught): FormField[] => [
  { name: 'match.method', label: 'Method', value: from?.method.toUpperCase(), help: 'Default: all methods' },
  {
    name: 'match.path',
    label: 'Path',
    value: from && escaped(from.path),
    help: 'Such as /orders/:id or /hooks/*. Default: all paths',
  },
  { name: 'match.query', label: 'Query', kind: 'json', help: 'JSON, such as {"urgent": "1"}' },
  { name: 'match.headers', label: 'Request headers', kind: 'json', help: 'JSON, such as {"content-type": "text/*"}' },
  { name: 'match.json', label: 'Part of the JSON body', kind: 'json', help: 'Such as {"order": {"state": "paid"}}' },
  {
    name: 'replies.0.status',
    label: 'Status',
    kind: 'number',
    value: from?.response?.status ?? '',
    help: 'Default: 200',
  },
  {
    name: 'replies.0.headers',
    label: 'Headers',
    kind: 'json',
    value: typeOf(from),
    help: 'JSON, such as {"x-answer": "42"}',
  },
  {
    name: 'replies.0.body',
    label: 'Body',
    kind: 'area',
    value: bodyOf(from),
    help: 'May have values of the request, such as {{ request.params.id }}',
  },
  { name: 'replies.0.json', label: 'or a JSON body', kind: 'json' },
  { name: 'replies.0.delay', label: 'Delay', kind: 'number', help: 'Milliseconds before the reply' },
  { name: 'replies.0.slow_ms', label: 'Slow', kind: 'number', help: 'Milliseconds over which the body is sent' },
  { name: 'replies.0.cut_after', label: 'Cut after', kind: 'number', help: 'Bytes after which the connection breaks' },
  {
    name: 'more',
    label: 'More replies',
    kind: 'json',
    help: 'For the following requests: a JSON array, such as [{"status": 503}, {"json": {"ok": true}}]',
  },
  {
    name: 'forward',
    label: 'or forward to',
    kind: 'url',
    help: 'A URL that ends in / gets the path of the request too',
  },
  { name: 'priority', label: 'Priority', kind: 'number', help: '0 to 9. Default: 5' },
  { name: 'times', label: 'Times', kind: 'number', help: 'Number of requests. Default: no limit' },
]

/** The content type of a recorded response, as JSON of headers. Its other headers may not be allowed in replies. */
function typeOf(from: Caught | undefined): string {
  const type = from?.response?.headers['content-type']
  return type === undefined ? '' : JSON.stringify({ 'content-type': type })
}

/** The body of a recorded response, if it is a whole text. */
function bodyOf(from: Caught | undefined): string | undefined {
  const { body, body_encoding, body_truncated } = from?.response ?? {}
  return body === undefined || body_encoding || body_truncated ? undefined : literal(body)
}

/** A path as a pattern that matches nothing else. */
const escaped = (path: string) => path.replaceAll(/[\\(){}+?:*]/g, '\\$&')

/** A text that a template shows unchanged. */
const literal = (text: string) => (/\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text)

/** The parameters of a stub, from the values of the form. */
export function stubOf({ more, forward, ...values }: FormValues) {
  const stub: Record<string, unknown> = {}
  const first: Record<string, unknown> = {}
  const match: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const place = name.startsWith('match.') ? match : name.startsWith('replies.0.') ? first : stub
    place[name.split('.').at(-1)!] = value
  }
  const following: unknown[] = Array.isArray(more) ? more : more === undefined ? [] : [more]
  const isForwarded = forward !== undefined && Object.keys(first).length + following.length === 0
  return {
    ...stub,
    match,
    ...(forward !== undefined && { forward }),
    ...(!isForwarded && { replies: [first, ...following] }),
  } as Params<'catcher', 'post', '/_requests_/stubs'>
}
