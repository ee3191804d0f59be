// Timeouts and delays of the API client, which a caller's `AbortSignal` can end early.

/** Starts a timeout in milliseconds. Its signal aborts when the timeout expires or the caller's signal aborts. */
export function startTimeout(timeout: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const end = Date.now() + timeout
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasExpired = false
  const start = () => {
    clearTimeout(timer)
    // `setTimeout` does not support longer times than 2^31 ms; such a timeout means no timeout.
    if (timeout >= 2 ** 31) return
    timer = setTimeout(() => {
      hasExpired = true
      controller.abort()
    }, timeout)
  }
  start()
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    hasExpired: () => hasExpired,
    /** Milliseconds until the timeout expires. */
    left: () => end - Date.now(),
    /** Restarts the timeout. */
    start,
    stop: () => clearTimeout(timer),
  }
}

/** Resolves after a delay in milliseconds. Throws the signal's reason if the signal aborts first. */
export async function sleep(delay: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, delay)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

/** Returns the result of the work, or throws the signal's reason as soon as the signal aborts. */
export async function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
  })
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
