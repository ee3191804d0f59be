// Time for the client's tests: pauses at random take none, and timers run when a test says so.
import { beforeEach, vi } from 'vitest'

/** In every test of a file, a pause that is drawn at random takes no time. */
export function skipRandomPauses() {
  beforeEach(() => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    return () => random.mockRestore()
  })
}

/** Stops the timers until the end of the test; `advance` lets milliseconds pass. */
export function stopClock() {
  // Not all of them: the server and `fetch` need the others.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const set = vi.spyOn(globalThis, 'setTimeout')
  return {
    advance: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    /** How many timers of this length were started so far. */
    started: (milliseconds: number) => set.mock.calls.filter(([, length]) => length === milliseconds).length,
    until,
    [Symbol.dispose]: () => {
      set.mockRestore()
      vi.useRealTimers()
    },
  }
}

/** In milliseconds, of real time. */
const conditionTimeoutMs = 60_000

/** Waits for a condition, and runs only the timers that are due already. */
async function until(condition: () => boolean) {
  const end = performance.now() + conditionTimeoutMs
  while (!condition()) {
    if (performance.now() > end) throw new Error('The condition does not come true')
    vi.advanceTimersByTime(0)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
