import { QuartermasterError } from './errors.ts'

/** What a JSON reply holds: its `content`, or all of it where it has none; a refusal throws. */
export async function readReply(response: Response, attempts: number): Promise<unknown> {
  if (response.status === 204) return undefined
  const body = parse(await response.text())
  if (!response.ok || isRefusal(response, body)) throw refusalOf(response, body, attempts)
  if (body === undefined) throw refusalOf(response, undefined, attempts)
  return isObject(body) && body.status === true && 'content' in body ? body.content : body
}

/** The reply as it is; a refusal throws, also one that says that there is nothing yet. */
export async function passReply(response: Response, attempts: number): Promise<Response> {
  if ((response.ok && response.status !== 202) || response.status === 304) return response
  throw refusalOf(response, parse(await response.text()), attempts)
}

/** A check that is not passed says so with 200 and is no refusal. */
const isRefusal = ({ status }: Response, body: unknown) => status === 202 && isObject(body) && body.status === false

/** What something on the way has answered, in place of the API, gets a code too. */
function refusalOf({ ok, status, headers }: Response, body: unknown, attempts: number): QuartermasterError {
  const { status_code, message, errors, content } = isObject(body) ? body : {}
  const says = typeof message === 'string' ? message : `HTTP ${status}, with a reply that is not the API's`
  return new QuartermasterError(says, {
    status,
    code: typeof status_code === 'string' ? status_code : ok ? 'unexpected_reply' : `http_${status}`,
    errors: isObject(errors) ? (errors as Record<string, string>) : undefined,
    content: isObject(content) ? content : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsIn(headers.get('retry-after')),
    attempts,
  })
}

/** Seconds from now of a `Retry-After`, which is seconds or a date (RFC 9110, section 10.2.3). */
function secondsIn(text: string | null): number | undefined {
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
