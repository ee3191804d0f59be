/** A request to a fake SMS provider, without the beginning of its path, which chose the provider. */
export interface Received {
  method: string
  path: string
  search: string
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body: string
}

/** A provider's public documentation as rules that a fake provider checks. */
export interface Protocol {
  /** The documented rule that a request breaks; undefined if it breaks none. */
  objectionTo(request: Received): string | undefined
  /** Whether an otherwise correct request has the credentials of the account. */
  isKnown(request: Received): boolean
  accept(request: Received, parts: number): Answer
  /** The reply with an error, in the documented format. */
  fail(code: string, request: Received): Answer
  /** The codes of the errors for wrong credentials, and for a request that breaks a rule. */
  errors: { credentials: string; rule: string }
}

export const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

interface Rules {
  known: string[]
  required: string[]
  /** Patterns that fields must match if they are present. */
  like?: Record<string, RegExp>
}

const formType = /^application\/x-www-form-urlencoded(; *charset=utf-8)?$/i

/** The rule that a posted form breaks; undefined if it breaks none. */
export function objectionToForm({ headers, search, body }: Received, rules: Rules): string | undefined {
  if (!formType.test(headers['content-type'] ?? '')) return `The type ${headers['content-type']}`
  if (search) return 'A query'
  return objectionToFields(body, rules)
}

/** The rule that the encoded fields break. Each must occur once, all must be known, and none may be missing. */
export function objectionToFields(encoded: string, { known, required, like = {} }: Rules): string | undefined {
  if (!isEncoded(encoded)) return 'Not UTF-8 in percent-encoding'
  const fields = new URLSearchParams(encoded)
  const names = [...fields.keys()]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return `Unknown field ${unknown}`
  if (new Set(names).size < names.length) return 'A field that comes twice'
  const missing = required.find((name) => !fields.get(name))
  if (missing) return `Missing field ${missing}`
  const odd = Object.entries(like).find(([name, pattern]) => fields.has(name) && !pattern.test(fields.get(name)!))
  return odd && `Wrong field ${odd[0]}`
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text.replaceAll('+', ' '))
    return /^[\w.~*+%=&'()!-]*$/.test(text)
  } catch {
    return false
  }
}

export const basicOf = ({ headers }: Received) =>
  Buffer.from(/^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64').toString()

/** Matches a web address whose host has no underscore, which providers refuse. */
export const address = /^https?:\/\/[^/_\s]+(\/\S*)?$/
