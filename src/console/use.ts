import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { notify, say } from './parts/notice.tsx'
import { isRefusal } from './session.ts'

/** What was loaded, what went wrong the last time, and how to load it again. */
export interface Loaded<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

interface Timing {
  /** Milliseconds from one answer to the next request, while the page is seen; once unless given. */
  every?: number
}

/** Milliseconds until what was not answered is asked for again. */
const unanswered = 5_000

/**
 * Loads when it is shown and when `inputs` change, and again where there was no answer; what was there stays until the new
 * is.
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
  const asked = useRef<string>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const subject = JSON.stringify(inputs)
    const isOther = asked.current !== subject
    asked.current = subject
    setState((before) => ({ ...(isOther ? { data: undefined, error: undefined } : before), isLoading: true }))
    const run = async (isAgain: boolean) => {
      let next = every
      try {
        if (!document.hidden || (every === undefined && !isAgain)) {
          const data = await latest.current(signal)
          if (!signal.aborted) setState({ data, error: undefined, isLoading: false })
        } else next ??= unanswered
      } catch (error) {
        if (!signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }))
        if (!isRefusal(error)) next ??= unanswered
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

/** Something that a button does: it runs once at a time, and says what came of it. */
export interface Action<Given extends unknown[]> {
  run: (...given: Given) => Promise<boolean>
  isBusy: boolean
  error: unknown
}

/**
 * An action; `done` is told when it has succeeded, then `after` runs, unless the page was left meanwhile. Resolves whether
 * it has.
 */
export function useAction<Given extends unknown[], T>(
  act: (...given: Given) => Promise<T>,
  { done, after }: { done?: string | ((result: T) => string); after?: (result: T) => void } = {},
): Action<Given> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const running = useRef(false)
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  const run = async (...given: Given) => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setError(undefined)
    try {
      const result = await act(...given)
      if (done) notify(typeof done === 'string' ? done : done(result))
      if (isThere.current) after?.(result)
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

/** What somebody types, once it has stayed so for a moment. */
export function useSettled<T>(value: T, moment = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), moment)
    return () => clearTimeout(timer)
  }, [value, moment])
  return settled
}
