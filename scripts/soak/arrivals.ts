// When what is done: at moments that depend on no answer, so that a stack that stalls is not asked less meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import type { SoakOperation } from './mix/operation.ts'

export interface ScheduledCall {
  /** Which of the operations. */
  operation: number
  /** When it was due, in milliseconds from the start. */
  at: number
  /** Milliseconds from when it was due until it was over. */
  took: number
  error?: string
}

interface Plan {
  operations: SoakOperation[]
  /** Operations a second; they are due at the times of a Poisson process. */
  rate: number
  seconds: number
  random: Random
  /** Ends it at once: what is open then is not waited for, and not counted. */
  signal: AbortSignal
  make(operation: SoakOperation): Promise<void>
}

/** Does each operation once, then each as often as its weight says; resolves with all calls when the last one is over. */
export async function arrive({ operations, rate, seconds, random, signal, make }: Plan): Promise<ScheduledCall[]> {
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
      (reason: unknown) => saidOf(reason),
    )
    if (!signal.aborted) calls.push({ operation, at, took: now() - at, ...(error && { error }) })
  }

  for (let at = 0; !signal.aborted && (at < seconds * 1_000 || first.length > 0); at += gap(random, rate)) {
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

const gap = (random: Random, rate: number) => (-Math.log(1 - random.share()) / rate) * 1_000

function saidOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  const { cause } = reason
  return cause instanceof Error ? `${reason.message}: ${cause.message}` : reason.message
}
