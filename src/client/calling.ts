import { table } from './api/index.ts'
import { credentialsOf } from './credentials.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'
import { type Prepared, type PreparedRequest, prepare } from './prepare.ts'
import { isHarmless, isRunning, isWorthIt, pauseAfter } from './repeating.ts'
import type { CallOptions, KeyedOptions, Settings } from './types.ts'
import { sleep, timed, unless } from './waiting.ts'

/** Reads a reply, or throws a refusal that says after how many attempts it came. */
type Read<Result> = (response: Response, attempts: number) => Promise<Result>

/** Makes a call, and makes it again while that can help and can do no harm, until its time is over. */
export async function call<Result>(
  settings: Settings,
  asked: PreparedRequest,
  options: CallOptions & KeyedOptions,
  read: Read<Result>,
): Promise<Result> {
  const { retries = settings.retries ?? 3, timeout = settings.timeout ?? 60_000 } = options
  const request = withHeaders(prepare(settings, asked), settings, asked, options)
  const harmless = isHarmless(asked.operation, asked.params)
  const limit = timed(timeout, options.signal)
  let repeats = 0
  try {
    for (let attempts = 1; ; attempts++) {
      try {
        return await send(settings, asked.component, request, limit.signal, attempts, read)
      } catch (error) {
        options.signal?.throwIfAborted()
        if (limit.isOver()) throw new NoReplyError('timeout', attempts)
        if (!isRunning(error)) repeats++
        const pause = pauseAfter(error, attempts)
        const isOver = repeats > retries || pause === undefined || pause >= limit.left()
        if (isOver || !isWorthIt(error, harmless)) throw error
        await sleep(pause, options.signal)
      }
    }
  } finally {
    limit.stop()
  }
}

/** Sends a request once; what breaks the connection is one kind of error, whatever the platform calls it. */
export async function send<Result>(
  settings: Settings,
  component: string,
  { url, ...init }: Prepared,
  signal: AbortSignal,
  attempts: number,
  read: Read<Result>,
): Promise<Result> {
  const { fetch = globalThis.fetch } = settings
  const headers = new Headers(await unless(signal, () => credentialsOf(settings, component)))
  for (const [name, value] of Object.entries(init.headers)) headers.set(name, value)
  try {
    // Not followed: a secret in a header would go along. The API redirects nobody.
    const redirect = 'manual'
    return await read(await fetch(url, { ...init, headers, body: init.body ?? null, redirect, signal }), attempts)
  } catch (error) {
    // A refusal passes; `fetch` itself throws a TypeError, and a body that breaks off whatever it likes.
    if (error instanceof QuartermasterError) throw error
    throw new NoReplyError('network', attempts, error)
  }
}

/** The request with the caller's headers, and with a key that all its repeats share where the API keeps first replies. */
function withHeaders(
  prepared: Prepared,
  settings: Settings,
  { operation }: PreparedRequest,
  { headers, idempotencyKey }: KeyedOptions,
): Prepared {
  const key = table.keyed.includes(operation) ? { 'idempotency-key': idempotencyKey ?? randomKey() } : {}
  return { ...prepared, headers: { ...prepared.headers, ...key, ...settings.headers, ...headers } }
}

/** Not `randomUUID`, which pages without TLS have not. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
