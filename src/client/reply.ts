import { QuartermasterError } from './errors.ts'

// Reads the API's replies for the client, and throws an error for each reply that is not a success.

/** The `content` of a JSON reply, or the whole body if it has none. Throws a `QuartermasterError` for an error. */
export async function readReply(response: Response, attempts: number): Promise<unknown> {
  if (response.status === 204) return undefined
  const body = parse(await response.text())
  if (!response.ok || isPending(response, body)) throw errorOf(response, body, attempts)
  if (body === undefined) throw errorOf(response, undefined, attempts)
  return isObject(body) && body.status === true && 'content' in body ? body.content : body
}

/**
 * Returns the response unparsed, for files. Throws a `QuartermasterError` for an error, and for 202, which means that
 * the file is not ready yet.
 */
export async function passReply(response: Response, attempts: number): Promise<Response> {
  if ((response.ok && response.status !== 202) || response.status === 304) return response
  throw errorOf(response, parse(await response.text()), attempts)
}

/**
 * Whether a reply means that the content is not ready yet: 202 with `status: false`. With HTTP 200, `status: false` is
 * a success: a payment check with a negative result.
 */
const isPending = ({ status }: Response, body: unknown) => status === 202 && isObject(body) && body.status === false

/**
 * Makes the error of a response. A response that is not from the API, such as that of a proxy, gets the code
 * `http_<status>`.
 */
function errorOf({ ok, status, headers }: Response, body: unknown, attempts: number): QuartermasterError {
  const { status_code, message, errors, content } = isObject(body) ? body : {}
  const text = typeof message === 'string' ? message : `HTTP ${status}: the reply is not from the API.`
  return new QuartermasterError(text, {
    status,
    code: typeof status_code === 'string' ? status_code : ok ? 'unexpected_reply' : `http_${status}`,
    errors: isObject(errors) ? (errors as Record<string, string>) : undefined,
    content: isObject(content) ? content : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsIn(headers.get('retry-after')),
    attempts,
  })
}

/** Reads `Retry-After`, which is seconds or a date (RFC 9110, section 10.2.3), as seconds from now. */
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
