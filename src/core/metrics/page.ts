import { checkBindable } from '#core/access/authorize'
import { readUsage } from '#core/db/capacity'
import { Failure, failure } from '#core/failure'
import { admit } from '#core/http/access'
import type { About, CoreEnv } from '#core/http/declaration'
import { describe, log } from '#core/http/log'
import { expose, exposition } from './exposition.ts'
import { families, type Gauge } from './families.ts'
import { hasMetrics, readMeter } from './flush.ts'

/** The reply of `/_metrics`: counters, histograms and gauges. Throws 401 without access and 404 if metrics are off. */
export async function showMetrics<Env extends CoreEnv>(about: About<Env>, env: Env, request: Request) {
  await checkReader(about, env, request)
  if (!hasMetrics(env)) throw failure('metrics_off')
  const [series, gauges] = await Promise.all([readMeter(env), gaugesOf(about, env)])
  return new Response(expose(about.name, families, series, gauges), { headers: { 'content-type': exposition } })
}

/** Checks for the scope `metrics`, or with `mayProbe` if the component has separate accounts. */
async function checkReader<Env extends CoreEnv>({ name, mayProbe }: About<Env>, env: Env, request: Request) {
  if (await mayProbe?.(env, request)) return
  checkBindable(await admit(env, request, { component: name, level: 'metrics', hasEffect: false }), {})
}

/** Time after which gauges are left out of the reply. Well below the 10 s that Prometheus waits by default. */
const gaugeTimeoutMs = 3_000

/**
 * The gauges that can be read in time. If a source fails or times out, only its gauges are missing, and the counters
 * are still returned.
 */
async function gaugesOf<Env extends CoreEnv>({ name, gauges }: About<Env>, env: Env): Promise<Gauge[]> {
  const timedOut = new Promise<Gauge[]>((resolve) => setTimeout(resolve, gaugeTimeoutMs, []))
  const sources = [databaseGauge, ...(gauges ? [gauges] : [])]
  const read = sources.map((source) =>
    source(env).catch((error: unknown) => {
      if (!Failure.is(error)) log('error', { component: name, route: '/_metrics', ...describe(error) })
      return []
    }),
  )
  return (await Promise.all(read.map((gauges) => Promise.race([gauges, timedOut])))).flat()
}

/** Gauges with size and limit of the component's D1 database. Empty if the component has none. */
async function databaseGauge(env: object): Promise<Gauge[]> {
  const usage = await readUsage(env)
  if (!usage) return []
  const of = (name: string, help: string, value: number) => ({ name, help, samples: [{ value }] })
  return [
    of('quartermaster_database_bytes', 'Size of the D1 database.', usage.bytes),
    of(
      'quartermaster_database_limit_bytes',
      'Maximum size of the D1 database. From 95 % on, new rows are refused.',
      usage.limit,
    ),
  ]
}
