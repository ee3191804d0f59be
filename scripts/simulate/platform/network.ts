// The scripted network of a simulation: `fetch` and `connect` deliver requests to a target of the simulation.
import { type EventLoop, type Process, running } from './event-loop.ts'

/** A request that has arrived at the target. */
interface Delivered {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** The response of the target. */
export interface Scripted {
  status: number
  headers?: Record<string, string>
  body?: string
  /** The connection breaks in the middle of the body. */
  isTorn?: boolean
}

/** Answers a request: with a response, or `undefined` for a connection that breaks before one. May never call `answer`. */
export type Target = (request: Delivered, answer: (response: Scripted | undefined) => void) => void

/** The response to a `fetch`, with the members that the code under test uses. */
class ScriptedResponse {
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly body: { cancel(): Promise<void>; [Symbol.asyncIterator](): AsyncGenerator<Uint8Array> }
  readonly #content: Scripted

  constructor(content: Scripted) {
    const { status, headers, body = '' } = content
    const bytes = new TextEncoder().encode(body)
    this.#content = content
    this.status = status
    this.ok = status >= 200 && status < 300
    this.headers = new Headers({ 'content-length': String(bytes.length), ...headers })
    this.body = {
      cancel: async () => undefined,
      async *[Symbol.asyncIterator]() {
        yield bytes.subarray(0, bytes.length >> 1)
        if (content.isTorn) throw torn()
        yield bytes.subarray(bytes.length >> 1)
      },
    }
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.#content.isTorn) throw torn()
    return new TextEncoder().encode(this.#content.body ?? '').buffer as ArrayBuffer
  }

  async text(): Promise<string> {
    if (this.#content.isTorn) throw torn()
    return this.#content.body ?? ''
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}

const torn = () => new TypeError('Network connection lost.')

/** Delivers requests and responses with a random latency. */
export class ScriptedNetwork {
  readonly #loop: EventLoop
  readonly #latency: () => number
  readonly #target: Target

  constructor(loop: EventLoop, latency: () => number, target: Target) {
    this.#loop = loop
    this.#latency = latency
    this.#target = target
  }

  /** Sends a request after the writes of its process are durable, as the platform's `fetch` does. */
  fetch(url: string, { method = 'GET', headers = {}, body, signal }: RequestInit = {}): Promise<Response> {
    const process = running.getStore()
    const request = { method, url, headers: headers as Record<string, string>, body: textOf(body) }
    return new Promise<Response>((resolve, reject) => {
      const exchange = { isOver: false }
      signal?.addEventListener('abort', () => {
        exchange.isOver = true
        reject(signal.reason)
      })
      const settle = (response: Scripted | undefined) => {
        if (exchange.isOver) return
        if (response) resolve(new ScriptedResponse(response) as unknown as Response)
        else reject(torn())
      }
      const send = () => {
        if (!exchange.isOver) this.deliver(request, process, settle)
      }
      if (process) process.output(send)
      else send()
    })
  }

  /** Delivers a request to the target, and its answer to the process unless that has crashed. */
  deliver(request: Delivered, process: Process | undefined, settle: (response: Scripted | undefined) => void): void {
    this.#loop.schedule(this.#latency(), () => {
      this.#target(request, (response) => {
        this.#loop.schedule(this.#latency(), () => settle(response), process)
      })
    })
  }
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)
}
