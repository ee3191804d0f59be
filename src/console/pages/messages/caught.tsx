// Loads and shows the messages that a local start catches instead of sending them.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { LoadedContent } from '../../parts/page.tsx'
import { type Loaded, useData } from '../../use.ts'

/** The caught messages of a local start, or the fact that messages are really sent. */
interface CaughtHere<T> extends Loaded<T> {
  /** Messages are really sent, so that none are caught. */
  isElsewhere: boolean
}

/** Loads caught messages like `useData`, but stops polling if messages are really sent. */
export function useCaught<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  timing: { every?: number } = {},
): CaughtHere<T> {
  const [isElsewhere, setElsewhere] = useState(false)
  const loaded = useData(
    async (signal) => {
      try {
        return await load(signal)
      } catch (error) {
        setElsewhere(error instanceof QuartermasterError && error.code === 'route_not_found')
        throw error
      }
    },
    inputs,
    isElsewhere ? {} : timing,
  )
  return { ...loaded, isElsewhere }
}

interface CaughtProps<T> {
  of: CaughtHere<T>
  /** Text that is shown if messages are really sent. */
  elsewhere: string
  children: (data: T) => ComponentChildren
}

/** Shows the caught messages, or an explanation if messages are really sent. */
export function Caught<T>({ of, elsewhere, children }: CaughtProps<T>) {
  if (of.isElsewhere) return <p>{elsewhere}</p>
  return <LoadedContent of={of}>{children}</LoadedContent>
}
