// Sends a call of the API client over HTTP, and retries it while a retry is safe, until the timeout.
import { table } from './api/index.ts'
import { credentialsOf } from './credentials.ts'
import { NoReplyError, QuartermasterError } from './errors.ts'
import { type OperationCall, type Prepared, prepare } from './request.ts'
import { isRetryable, isRunning, isSafeToRetry, retryDelayMs } from './retry.ts'
import { abortable, sleep, startTimeout } from './timeout.ts'
import type { CallOptions, KeyedOptions, Settings } from './types.ts'

/** Reads a response, or throws an error with the number of attempts. */
type Read<Result> = (response: Response, attempts: number) => Promise<Result>

/** Sends a call, and retries it while a retry is safe and can succeed, until the timeout. */
export async function call<Result>(
  settings: Settings,
  operation: OperationCall,
  options: CallOptions & KeyedOptions,
  read: Read<Result>,
): Promise<Result> {
  const { retries = settings.retries ?? 3, timeout = settings.timeout ?? 60_000 } = options
  const request = withHeaders(prepare(settings, operation), settings, operation, options)
  const isSafe = isSafeToRetry(operation.operation, operation.params)
  const limit = startTimeout(timeout, options.signal)
  let retried = 0
  try {
    for (let attempts = 1; ; attempts++) {
      try {
        return await send(settings, operation.component, request, limit.signal, attempts, read)
      } catch (error) {
        options.signal?.throwIfAborted()
        if (limit.hasExpired()) throw new NoReplyError('timeout', attempts)
        if (!isRunning(error)) retried++
        const delay = retryDelayMs(error, attempts)
        const isLast = retried > retries || delay === undefined || delay >= limit.left()
        if (isLast || !isRetryable(error, isSafe)) throw error
        await sleep(delay, options.signal)
      }
    }
  } finally {
    limit.stop()
  }
}

/** Sends a request once. Any failure of the connection becomes a `NoReplyError`. */
export async function send<Result>(
  settings: Settings,
  component: string,
  { url, ...init }: Prepared,
  signal: AbortSignal,
  attempts: number,
  read: Read<Result>,
): Promise<Result> {
  const { fetch = globalThis.fetch } = settings
  const headers = new Headers(await abortable(signal, () => credentialsOf(settings, component)))
  for (const [name, value] of Object.entries(init.headers)) headers.set(name, value)
  try {
    // Redirects are not followed: `fetch` would send the secrets in the headers to another address. The API does not
    // redirect.
    const redirect = 'manual'
    return await read(await fetch(url, { ...init, headers, body: init.body ?? null, redirect, signal }), attempts)
  } catch (error) {
    // Errors of the API are thrown unchanged. All others mean that no complete reply arrived: `fetch` throws a
    // TypeError, and reading an interrupted body throws other errors, by platform.
    if (error instanceof QuartermasterError) throw error
    throw new NoReplyError('network', attempts, error)
  }
}

/**
 * Adds the caller's headers and, if the operation accepts one, an idempotency key that all retries of the call share.
 */
function withHeaders(
  prepared: Prepared,
  settings: Settings,
  { operation }: OperationCall,
  { headers, idempotencyKey }: KeyedOptions,
): Prepared {
  const key = table.keyed.includes(operation) ? { 'idempotency-key': idempotencyKey ?? randomKey() } : {}
  return { ...prepared, headers: { ...prepared.headers, ...key, ...settings.headers, ...headers } }
}

/** Makes a random idempotency key. `randomUUID` is not used, since pages without TLS do not have it. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
