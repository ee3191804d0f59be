import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { notify, say } from './parts/notice.tsx'
import { isRefusal } from './session.ts'

// Hooks that load data and run actions.

/** Loaded data, the last error, and a function that loads again. */
export interface Loaded<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

interface Timing {
  /** Milliseconds between a reply and the next request while the page is visible. Default: load once. */
  every?: number
}

/** Delay before a failed request is retried. */
const retryDelayMs = 5_000

/**
 * Loads data when the component is mounted and when `inputs` change, and retries after temporary errors. The old data is kept until
 * the new data arrives, unless `inputs` changed.
 */
export function useData<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { every }: Timing = {},
): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown; isLoading: boolean }>({
    ...{ data: undefined, error: undefined, isLoading: true },
  })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const loadedSubject = useRef<string>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const subject = JSON.stringify(inputs)
    const isOther = loadedSubject.current !== subject
    loadedSubject.current = subject
    setState((before) => ({ ...(isOther ? { data: undefined, error: undefined } : before), isLoading: true }))
    const run = async (isAgain: boolean) => {
      let next = every
      try {
        if (!document.hidden || (every === undefined && !isAgain)) {
          const data = await latest.current(signal)
          if (!signal.aborted) setState({ data, error: undefined, isLoading: false })
        } else next ??= retryDelayMs
      } catch (error) {
        if (!signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
        if (!isRefusal(error)) next ??= retryDelayMs
      }
      if (next !== undefined && !signal.aborted) timer = setTimeout(run, next, true)
    }
    void run(false)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [JSON.stringify(inputs), round, every])

  return { ...state, reload: useCallback(() => setRound((before) => before + 1), []) }
}

/** The action of a button. A second run is ignored while the first one is running. */
export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<boolean>
  isBusy: boolean
  error: unknown
}

/**
 * Makes an action. On success it shows the notice `done`, then calls `after` unless the user has left the page. On an error it shows
 * the message. `run` resolves to whether the action succeeded.
 */
export function useAction<Args extends unknown[], T>(
  act: (...args: Args) => Promise<T>,
  { done, after }: { done?: string | ((result: T) => string); after?: (result: T) => void } = {},
): Action<Args> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const running = useRef(false)
  const isMounted = useRef(true)
  useEffect(
    () => () => {
      isMounted.current = false
    },
    [],
  )
  const run = async (...args: Args) => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setError(undefined)
    try {
      const result = await act(...args)
      if (done) notify(typeof done === 'string' ? done : done(result))
      if (isMounted.current) after?.(result)
      return true
    } catch (failed) {
      setError(failed)
      notify(say(failed), 'error')
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { run, isBusy, error }
}

/** Debounces a value: returns it after it has not changed for `delayMs`. */
export function useSettled<T>(value: T, delayMs = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
