import { type Failure, failure } from '#core/failure'
import { failureOf, follow, type Outgoing } from './call.ts'
import type { TargetEnv } from './url.ts'

// HTTP requests to URLs from callers whose large responses are streamed instead of being read into memory.

/** Limits of a streamed response. */
export interface StreamLimits {
  /** Maximum time without data in milliseconds. Default: 15 seconds. */
  idle?: number
  /** Milliseconds until the end of the response. Default: a minute. */
  timeout?: number
  /** Maximum size of the body in bytes; a larger one fails with `answer_too_large`. Default: 20 MB. */
  most?: number
}

/** A response whose body is a stream. */
interface StreamedResponse {
  status: number
  headers: Headers
  /** The chunks of the body. Stopping the iteration cancels the request. */
  chunks: AsyncIterable<Uint8Array>
  /** Cancels the request. Call it if the body is not read, since the connection would stay open. */
  cancel(): void
}

/** Calls a URL from a caller with the same checks and errors as `call`, and streams the response. */
export async function stream(
  env: TargetEnv,
  outgoing: Outgoing,
  { idle = 15_000, timeout = 60_000, most = 20_000_000 }: StreamLimits = {},
): Promise<StreamedResponse> {
  const timers = new Timeouts(idle, timeout)
  try {
    const response = await follow(env, outgoing, timers.signal)
    const { status, headers } = response
    return { status, headers, chunks: chunksOf(response, timers, most), cancel: () => timers.giveUp() }
  } catch (error) {
    timers.end()
    throw timers.failureOf(error)
  }
}

async function* chunksOf({ headers, body }: Response, timers: Timeouts, most: number) {
  try {
    let size = 0
    if (Number(headers.get('content-length') ?? 0) > most) throw tooLarge(most)
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      timers.signal.throwIfAborted()
      size += chunk.length
      if (size > most) throw tooLarge(most)
      // Stops the idle timeout while the reader processes the chunk: only the server's silence counts.
      timers.rest()
      yield chunk
      timers.wait()
    }
  } catch (error) {
    throw timers.failureOf(error)
  } finally {
    timers.end()
    if (!body?.locked) await body?.cancel()
  }
}

const tooLarge = (most: number) => failure('answer_too_large', `The response is larger than ${most} bytes.`)

/** The idle timeout and the total timeout of a request. */
class Timeouts {
  readonly #controller = new AbortController()
  readonly #idleMs: number
  readonly #total: ReturnType<typeof setTimeout>
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(idle: number, timeout: number) {
    this.#idleMs = idle
    this.#total = setTimeout(() => this.giveUp(), timeout)
    this.wait()
  }

  get signal() {
    return this.#controller.signal
  }

  wait() {
    this.#idle = setTimeout(() => this.giveUp(), this.#idleMs)
  }

  rest() {
    clearTimeout(this.#idle)
  }

  giveUp() {
    this.end()
    this.#controller.abort()
  }

  end() {
    clearTimeout(this.#total)
    this.rest()
  }

  failureOf(error: unknown): Failure {
    return failureOf(error, this.signal, this.#idleMs)
  }
}
