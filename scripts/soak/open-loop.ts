// Starts the operations of a soak test at planned times, whether or not earlier ones have ended (open-loop load). So a
// stalled stack gets no less load, and its latency is not hidden.
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { SoakOperation } from './mix/operation.ts'

export interface ScheduledCall {
  /** Index of the operation in the list of names. */
  operation: number
  /** Planned start, in milliseconds from the start of the run. */
  at: number
  /** Milliseconds from the planned start to the end. */
  took: number
  error?: string
}

interface LoadPlan {
  operations: SoakOperation[]
  /** Mean number of operations a second; they start at random times (a Poisson process). */
  rate: number
  seconds: number
  random: Random
  /** Stops the load at once. Open operations are not awaited and not counted. */
  signal: AbortSignal
  make(operation: SoakOperation): Promise<void>
}

/** Runs each operation once, then random ones by their weights. Resolves with all calls when the last one has ended. */
export async function arrive({ operations, rate, seconds, random, signal, make }: LoadPlan): Promise<ScheduledCall[]> {
  const calls: ScheduledCall[] = []
  const open = new Set<Promise<void>>()
  const weighted = operations.map(({ weight }, index) => [index, weight] as const)
  const first = operations.map((_, index) => index)
  const began = performance.now()
  const now = () => performance.now() - began

  async function until(at: number) {
    const left = at - now()
    if (left > 0) await pause(left, undefined, { signal }).catch(() => undefined)
  }

  async function run(operation: number, at: number) {
    const error = await make(operations[operation]!).then(
      () => undefined,
      (reason: unknown) => messageOf(reason),
    )
    if (!signal.aborted) calls.push({ operation, at, took: now() - at, ...(error && { error }) })
  }

  for (let at = 0; !signal.aborted && (at < seconds * 1_000 || first.length > 0); at += randomDelayMs(random, rate)) {
    await until(at)
    if (signal.aborted) break
    const operation = first.shift() ?? random.oneOf(weighted)
    const call = run(operation, at)
    open.add(call)
    call.finally(() => open.delete(call))
  }
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  if (!signal.aborted) await Promise.race([Promise.all(open), stopped])
  return calls
}

const randomDelayMs = (random: Random, rate: number) => (-Math.log(1 - random.share()) / rate) * 1_000

function messageOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  const { cause } = reason
  return cause instanceof Error ? `${reason.message}: ${cause.message}` : reason.message
}
