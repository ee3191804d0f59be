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

/** Counts of this long are lost if the isolate crashes. A shorter interval would call the meter more often. */
const flushIntervalMs = 10_000

/** Limit of Workers for work after the reply. A flush that is still pending after it was cancelled. */
const maxFlushMs = 30_000

/** Id of this isolate. Set on first use, since random values are not available in global scope. */
let sender: string | undefined

let waitingSince = Number.NEGATIVE_INFINITY

export const hasMetrics = (env: MetricsEnv): env is MetricsEnv & Required<Pick<MetricsEnv, 'METER'>> =>
  env.METER !== undefined && env.METRICS !== 'false'

/** Schedules a flush in some seconds, unless one is scheduled. The batch of a failed flush is sent with the next one. */
export function scheduleFlush(env: MetricsEnv): void {
  if (!hasMetrics(env) || !registry.isBehind || Date.now() - waitingSince < maxFlushMs) return
  const began = Date.now()
  waitingSince = began
  const flushed = scheduler
    .wait(flushIntervalMs)
    .then(() => {
      // Later counts need another flush.
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
  // First the unconfirmed batch, if any, then the new one.
  for (let n = 0; n < 2; n++) {
    const batch = registry.next()
    if (!batch) return
    await meter.add(sender, batch)
    registry.confirm(batch)
  }
}

/** The counts of the whole component, including those of this isolate that were not sent yet. */
export async function readMeter(env: MetricsEnv & Required<Pick<MetricsEnv, 'METER'>>): Promise<Series[]> {
  await flush(env)
  return meterOf(env).read()
}

const meterOf = ({ METER }: Required<Pick<MetricsEnv, 'METER'>>) => METER.getByName('meter')
