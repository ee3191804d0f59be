// A fake SMS gateway for the generic HTTP driver, with the three request formats of such gateways: JSON, form and
// query.
import { basicOf, json, objectionToFields, objectionToForm, type Protocol, type Received } from './protocol.ts'

const form = {
  known: ['user', 'password', 'to', 'from', 'message', 'ref'],
  required: ['user', 'password', 'to', 'from', 'message', 'ref'],
  like: { to: /^\d{7,15}$/ },
}

const objections: Record<string, (request: Received) => string | undefined> = {
  'POST /v1/messages': (request) => objectionToJson(request, 'text'),
  'POST /v1/calls': (request) => objectionToJson(request, 'speech'),
  'POST /form': (request) => objectionToForm(request, form),
  'GET /query': ({ search, body }) => {
    if (body) return 'A body'
    if (!search.startsWith('?v=1%202&')) return 'The query that the address has'
    return objectionToFields(search.slice('?v=1%202&'.length), form)
  },
}

function objectionToJson({ headers, search, body }: Received, kind: string): string | undefined {
  if (headers['content-type'] !== 'application/json') return `The type ${headers['content-type']}`
  if (search) return 'A query'
  const message = JSON.parse(body)
  const expected = {
    to: [message.to?.[0]],
    content: { [kind]: message.content?.[kind] },
    from: message.from,
    ref: message.ref,
  }
  const isRight = JSON.stringify(Object.entries(message).sort()) === JSON.stringify(Object.entries(expected).sort())
  if (!isRight) return 'A body that is not {to: [phone], content, from, ref}'
  const texts = [message.to[0], message.content[kind], message.from, message.ref]
  if (!texts.every((text) => typeof text === 'string' && text)) return 'A text that is missing'
  return /^\+\d{7,15}$/.test(message.to[0]) ? undefined : 'Wrong field to'
}

export const http: Protocol = {
  objectionTo: (request) => {
    const objection = objections[`${request.method} ${request.path}`]
    return objection ? objection(request) : `${request.method} ${request.path}`
  },
  isKnown(request) {
    if (request.path.startsWith('/v1/')) return basicOf(request) === 'shop:the pässword of http'
    const fields = new URLSearchParams(request.method === 'GET' ? request.search : request.body)
    return fields.get('user') === 'shop' && fields.get('password') === 'the pässword of http'
  },
  // The id has more digits than a double, so that a client must not lose them.
  accept: () => ({ ...json(202, null), body: '{"messages": [{"id": 12345678901234567891}]}' }),
  fail: (code) => json(Number(code), { error: 'As documented' }),
  errors: { credentials: '401', rule: '422' },
}
