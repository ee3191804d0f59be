import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { QuartermasterError } from '#client/index'
import { Shown } from '../../parts/page.tsx'
import { type Loaded, useData } from '../../use.ts'

/** What a local start has caught, or that there is no such thing here. */
interface CaughtHere<T> extends Loaded<T> {
  /** Messages go out for real. */
  isElsewhere: boolean
}

/** Loads what a local start has caught, as `useData` does; where messages go out for real it is not asked for again. */
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
  /** What is said where messages go out for real. */
  elsewhere: string
  children: (data: T) => ComponentChildren
}

/** What was caught; where there is no such thing, that in words. */
export function Caught<T>({ of, elsewhere, children }: CaughtProps<T>) {
  if (of.isElsewhere) return <p>{elsewhere}</p>
  return <Shown of={of}>{children}</Shown>
}
