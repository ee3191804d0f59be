import { waitUntil } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import type { Meter } from './meter.ts'
import { registry, type Series } from './registry.ts'

// Sends the counts of this isolate to the component's `Meter`, in batches.

/** Binding and variable of the metrics. */
export interface MetricsEnv {
  METER?: DurableObjectNamespace<Meter>
  /** `false`: metrics are neither stored nor shown. */
  METRICS?: string
}

/**
 * Time between two flushes of this isolate's counts to the meter. Counts of this period are lost if the isolate
 * crashes; a shorter period would call the meter more often.
 */
const flushIntervalMs = 10_000

/**
 * Workers cancel work that is pending 30 s after the reply. A flush older than this was cancelled, so that another may
 * be scheduled.
 */
const maxFlushMs = 30_000

/**
 * Random id of this isolate, by which the meter recognizes retried batches. Set on first use, since random values are
 * not available in global scope.
 */
let sender: string | undefined

let waitingSince = Number.NEGATIVE_INFINITY

export const hasMetrics = (env: MetricsEnv): env is MetricsEnv & Required<Pick<MetricsEnv, 'METER'>> =>
  env.METER !== undefined && env.METRICS !== 'false'

/**
 * Schedules a flush in 10 seconds, unless one is scheduled. If the flush fails, its batch is sent again with the next
 * one.
 */
export function scheduleFlush(env: MetricsEnv): void {
  if (!hasMetrics(env) || !registry.isBehind || Date.now() - waitingSince < maxFlushMs) return
  const began = Date.now()
  waitingSince = began
  const flushed = scheduler
    .wait(flushIntervalMs)
    .then(() => {
      // Counts from here on are not part of this flush, so a new flush may be scheduled for them.
      if (waitingSince === began) waitingSince = Number.NEGATIVE_INFINITY
      return flush(env)
    })
    .catch((error: unknown) => log('error', { component: 'meter', route: 'flush', ...describe(error) }))
  waitUntil(flushed)
}

/** Sends all counts to the meter. Concurrent flushes are safe: the meter ignores a batch whose number it has already added. */
export async function flush(env: MetricsEnv): Promise<void> {
  if (!hasMetrics(env)) return
  sender ??= crypto.randomUUID()
  const meter = meterOf(env)
  // At most two batches: first the one that the meter has not confirmed yet, if any, then one with the new counts.
  for (let n = 0; n < 2; n++) {
    const batch = registry.next()
    if (!batch) return
    await meter.add(sender, batch)
    registry.confirm(batch)
  }
}

/**
 * The counts of the whole component, including those of this isolate that were not sent yet: they are flushed first.
 */
export async function readMeter(env: MetricsEnv & Required<Pick<MetricsEnv, 'METER'>>): Promise<Series[]> {
  await flush(env)
  return meterOf(env).read()
}

const meterOf = ({ METER }: Required<Pick<MetricsEnv, 'METER'>>) => METER.getByName('meter')
