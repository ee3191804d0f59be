// Hooks of the console that load data and run actions, with their loading, busy and error states.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { notify, say } from './parts/notice.tsx'
import { isRefusal } from './session.ts'

/** Loaded data, the last error, and a function that loads the data again. */
export interface Loaded<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

interface Timing {
  /** Milliseconds between a reply and the next request, while the tab is visible. Default: the data is loaded once. */
  every?: number
}

/** Delay before a failed request is retried, in milliseconds. */
const retryDelayMs = 5_000

/**
 * Loads data when the component is mounted and when `inputs` change, and retries after temporary errors. While data is loaded
 * again, the old data stays visible, unless `inputs` changed and the old data belongs to other inputs.
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

/** The action of a button. While it runs, further calls of `run` are ignored. */
export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<boolean>
  isBusy: boolean
  error: unknown
}

/**
 * Makes an action from an asynchronous function. On success it shows the notice `done`, and calls `after` unless the user has
 * left the page. On an error it shows the error's message. `run` resolves to whether the action succeeded.
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

/**
 * Debounces a value: returns a new value only when it has not changed for `delayMs`, so that typing does not cause a request
 * per letter.
 */
export function useSettled<T>(value: T, delayMs = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
