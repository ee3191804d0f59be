// An HTTP client for measurements and soak tests, which throws unless a call succeeds.
import { setTimeout as pause } from 'node:timers/promises'

interface RequestOptions {
  /** A Buffer or a form is sent unchanged, anything else as JSON. */
  body?: object
  headers?: Record<string, string>
}

interface HttpReply {
  status: number
  headers: Headers
  bytes: Buffer
}

export interface HttpClient {
  /** Sends a request and returns the reply. Throws unless the status is 2xx, or the status `but`. */
  ask(method: string, path: string, options?: RequestOptions & { but?: number }): Promise<HttpReply>
  /** The `content` of a JSON reply. Its shape is not checked. */
  call<Content>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Content>
  /** Polls until `look` returns a value; throws after a minute. */
  until<T>(name: string, look: () => Promise<T | undefined | false>): Promise<T>
}

const pollTimeoutMs = 60_000
const requestTimeoutMs = 120_000

export function clientOf(url: string): HttpClient {
  const ask: HttpClient['ask'] = async (method, path, { body, headers, but } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(headers && { headers }),
      ...(body && { body: bodyOf(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok && response.status !== but)
      throw new Error(`${method} ${routeOf(path)} answered ${response.status} ${codeIn(bytes)}`)
    return { status: response.status, headers: response.headers, bytes }
  }
  return {
    ask,
    // The type of the content is not checked: other tests check the shapes of replies.
    call: async <Content>(method: string, path: string, body?: object, headers?: Record<string, string>) => {
      const { bytes } = await ask(method, path, { ...(body && { body }), ...(headers && { headers }) })
      return (JSON.parse(bytes.toString()) as { content: Content }).content
    },
    until,
  }
}

const bodyOf = (body: object): BodyInit =>
  body instanceof Uint8Array || body instanceof FormData ? body : JSON.stringify(body)

async function until<T>(name: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = performance.now() + pollTimeoutMs; performance.now() < end; await pause(100)) {
    const value = await look()
    if (value !== undefined && value !== false) return value
  }
  throw new Error(`${name} did not happen within ${pollTimeoutMs / 1_000} s`)
}

/** The path without its query and without ids, so that errors of the same route are counted together. */
const routeOf = (path: string) => path.replace(/\?.*/, '').replace(/\/[\w-]*\d[\w-]{5,}/g, '/…')

const codeIn = (bytes: Buffer) => /"status_code":\s*"(\w+)"/.exec(bytes.toString())?.[1] ?? ''
