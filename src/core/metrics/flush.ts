import { waitUntil } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import type { Meter } from './meter.ts'
import { registry, type Series } from './registry.ts'

/** What a component's metrics need bound: the class `Meter`; and what turns them off. */
export interface MetricsEnv {
  METER?: DurableObjectNamespace<Meter>
  /** `false`: nothing is kept or shown. */
  METRICS?: string
}

/** How long counts stay in an isolate, in milliseconds: what is lost with it, and how seldom the meter is called. */
const interval = 10_000

/** As long as work after a reply may take; what has not ended by then was cut off. */
const patience = 30_000

/** Who this isolate is to the meter; made late, since there is no chance in the global scope. */
let sender: string | undefined

let waitingSince = Number.NEGATIVE_INFINITY

export const hasMetrics = (env: MetricsEnv): env is MetricsEnv & Required<Pick<MetricsEnv, 'METER'>> =>
  env.METER !== undefined && env.METRICS !== 'false'

/** Sees that what was counted reaches the meter within some seconds; nobody waits for it. What fails is sent with the next. */
export function scheduleFlush(env: MetricsEnv): void {
  if (!hasMetrics(env) || !registry.isBehind || Date.now() - waitingSince < patience) return
  const began = Date.now()
  waitingSince = began
  const flushed = scheduler
    .wait(interval)
    .then(() => {
      // From here on what is counted needs a flush of its own.
      if (waitingSince === began) waitingSince = Number.NEGATIVE_INFINITY
      return flush(env)
    })
    .catch((error: unknown) => log('error', { component: 'meter', route: 'flush', ...describe(error) }))
  waitUntil(flushed)
}

/** Sends what was counted so far. Two at a time do no harm: a batch has a number, and counts once. */
export async function flush(env: MetricsEnv): Promise<void> {
  if (!hasMetrics(env)) return
  sender ??= crypto.randomUUID()
  const meter = meterOf(env)
  // The batch of before, which is not confirmed, and that of now.
  for (let n = 0; n < 2; n++) {
    const batch = registry.next()
    if (!batch) return
    await meter.add(sender, batch)
    registry.confirm(batch)
  }
}

/** All that the component has counted, that of this isolate included. */
export async function readMeter(env: MetricsEnv & Required<Pick<MetricsEnv, 'METER'>>): Promise<Series[]> {
  await flush(env)
  return meterOf(env).read()
}

const meterOf = ({ METER }: Required<Pick<MetricsEnv, 'METER'>>) => METER.getByName('meter')
