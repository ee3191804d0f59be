/** A signal that ends with the caller's, or when the time in milliseconds is over. */
export function timed(timeout: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const end = Date.now() + timeout
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const start = () => {
    clearTimeout(timer)
    // Longer than what a timer takes is no limit.
    if (timeout >= 2 ** 31) return
    timer = setTimeout(() => {
      isOver = true
      controller.abort()
    }, timeout)
  }
  start()
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    isOver: () => isOver,
    /** Milliseconds. */
    left: () => end - Date.now(),
    /** Begins the time anew. */
    start,
    stop: () => clearTimeout(timer),
  }
}

/** Resolves after so many milliseconds; throws the signal's reason if that comes first. */
export async function sleep(pause: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, pause)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

/** What comes of the work; throws the signal's reason if that comes first. */
export async function unless<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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
