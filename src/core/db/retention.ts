// Retention of rows: reads the variables `…_RETENTION`, and deletes expired rows in batches within the budget of a sweep.
import { notConfigured } from '#core/failure'

const wholeSeconds = /^[1-9]\d{0,9}$/

/**
 * The time before which rows have expired, by a variable in whole seconds. Undefined if the variable is not set, which keeps all
 * rows. Throws 503 if it is invalid.
 */
export function cutoffOf(name: string, value: string | undefined, now: Date): Date | undefined {
  if (!value) return undefined
  if (wholeSeconds.test(value)) return new Date(now.getTime() - Number(value) * 1_000)
  throw notConfigured(`${name} must be a whole number of seconds between 1 and 9999999999.`)
}

/** Maximum number of rows that one statement of `deleteInBatches` deletes. */
export const rowsPerBatch = 1_000

/** Limits of one sweep, which bound its rows and its time. A statement is a subrequest, of which an invocation has 1000. */
export interface SweepBudget {
  /** Number of batches that are left. */
  batches: number
  /** End of the sweep, in milliseconds since 1970. */
  end: number
}

export const sweepBudget = (): SweepBudget => ({ batches: 200, end: Date.now() + 20_000 })

/**
 * Calls `deleteBatch`, which returns the number of rows that it deleted, until a batch is not full or the budget is used up. The
 * next sweep continues. One table gets at most `maxBatches`, so that others are not delayed by its backlog.
 */
export async function deleteInBatches(
  budget: SweepBudget,
  deleteBatch: () => Promise<number>,
  maxBatches = 20,
): Promise<void> {
  for (let batch = 0; batch < maxBatches && hasBudget(budget); batch++) {
    budget.batches--
    if ((await deleteBatch()) < rowsPerBatch) return
  }
}

/** Whether a sweep may run another batch. */
export const hasBudget = ({ batches, end }: SweepBudget): boolean => batches > 0 && Date.now() < end

const minuteMs = 60_000

/**
 * The items of this minute's sweep: at most `max`, beginning where the sweep of the previous minute ended. After each round over all items,
 * the start moves by one, so that each item is the first one at times: a sweep whose budget is used up skips the last ones.
 */
export function itemsOfMinute<Item>(items: Item[], max: number, now: Date): Item[] {
  const sweepsPerRound = Math.max(Math.ceil(items.length / max), 1)
  const minute = Math.floor(now.getTime() / minuteMs)
  const round = Math.floor(minute / sweepsPerRound)
  const start = ((minute % sweepsPerRound) * max + round) % Math.max(items.length, 1)
  return [...items.slice(start), ...items.slice(0, start)].slice(0, max)
}
