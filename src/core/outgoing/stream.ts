import { type Failure, failure } from '#core/failure'
import { failureOf, follow, type Outgoing } from './call.ts'
import type { TargetEnv } from './url.ts'

export interface StreamLimits {
  /** The most milliseconds without a byte; 15 seconds unless given. */
  idle?: number
  /** Milliseconds until the reply's end; a minute unless given. */
  timeout?: number
  /** The most bytes that the body may have; `answer_too_large` past them. */
  most?: number
}

/** What came back, its body as it comes. */
interface Streamed {
  status: number
  headers: Headers
  /** Read to their end, or left in the midst. */
  chunks: AsyncIterable<Uint8Array>
  /** For who does not want to read any of them. */
  cancel(): void
}

/** Calls a URL that a caller named, by the rules and with the refusals of `call`, and never holds the whole of the reply. */
export async function stream(
  env: TargetEnv,
  outgoing: Outgoing,
  { idle = 15_000, timeout = 60_000, most = 20_000_000 }: StreamLimits = {},
): Promise<Streamed> {
  const patience = new Patience(idle, timeout)
  try {
    const response = await follow(env, outgoing, patience.signal)
    const { status, headers } = response
    return { status, headers, chunks: chunksOf(response, patience, most), cancel: () => patience.giveUp() }
  } catch (error) {
    patience.end()
    throw patience.failureOf(error)
  }
}

async function* chunksOf({ headers, body }: Response, patience: Patience, most: number) {
  try {
    let size = 0
    if (Number(headers.get('content-length') ?? 0) > most) throw tooLarge(most)
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      patience.signal.throwIfAborted()
      size += chunk.length
      if (size > most) throw tooLarge(most)
      // Whoever takes the bytes may take their time.
      patience.rest()
      yield chunk
      patience.wait()
    }
  } catch (error) {
    throw patience.failureOf(error)
  } finally {
    patience.end()
    if (!body?.locked) await body?.cancel()
  }
}

const tooLarge = (most: number) => failure('answer_too_large', `The answer is larger than ${most} bytes`)

/** How long is waited: for each next byte, and in all. */
class Patience {
  readonly #controller = new AbortController()
  readonly #idle: number
  readonly #whole: ReturnType<typeof setTimeout>
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(idle: number, timeout: number) {
    this.#idle = idle
    this.#whole = setTimeout(() => this.giveUp(), timeout)
    this.wait()
  }

  get signal() {
    return this.#controller.signal
  }

  wait() {
    this.#next = setTimeout(() => this.giveUp(), this.#idle)
  }

  rest() {
    clearTimeout(this.#next)
  }

  giveUp() {
    this.end()
    this.#controller.abort()
  }

  end() {
    clearTimeout(this.#whole)
    this.rest()
  }

  failureOf(error: unknown): Failure {
    return failureOf(error, this.signal, this.#idle)
  }
}
