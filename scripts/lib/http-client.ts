// Calls the stack, and takes nothing but a success for an answer.
import { setTimeout as pause } from 'node:timers/promises'

interface Sent {
  /** A Buffer or a form as it is, anything else as JSON. */
  body?: object
  headers?: Record<string, string>
}

interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

export interface HttpClient {
  /** The whole answer; throws where its status is not a success, and not `but` either. */
  ask(method: string, path: string, sent?: Sent & { but?: number }): Promise<Answer>
  /** The `content` of an answer in JSON. The caller knows its shape: what is not there fails where it is read. */
  call<Content>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Content>
  /** Asks again and again until there is something, for a minute at most. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>
}

/** Milliseconds. */
const patience = 60_000

export function clientOf(url: string): HttpClient {
  const ask: HttpClient['ask'] = async (method, path, { body, headers, but } = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(2 * patience),
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
    // The shape is the caller's word: what was promised in the API is not proven here again.
    call: async <Content>(method: string, path: string, body?: object, headers?: Record<string, string>) => {
      const { bytes } = await ask(method, path, { ...(body && { body }), ...(headers && { headers }) })
      return (JSON.parse(bytes.toString()) as { content: Content }).content
    },
    until,
  }
}

const bodyOf = (body: object): BodyInit =>
  body instanceof Uint8Array || body instanceof FormData ? body : JSON.stringify(body)

async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = performance.now() + patience; performance.now() < end; await pause(100)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
  }
  throw new Error(`${what} did not come within ${patience / 1_000} s`)
}

/** Without the query and what is different in each call, so that equal failures are counted together. */
const routeOf = (path: string) => path.replace(/\?.*/, '').replace(/\/[\w-]*\d[\w-]{5,}/g, '/…')

const codeIn = (bytes: Buffer) => /"status_code":\s*"(\w+)"/.exec(bytes.toString())?.[1] ?? ''
