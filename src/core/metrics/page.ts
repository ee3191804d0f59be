import { readUsage } from '#core/db/capacity'
import { Failure, failure } from '#core/failure'
import { checkAccess } from '#core/http/access'
import type { About, CoreEnv } from '#core/http/declaration'
import { describe, log } from '#core/http/log'
import { expose, exposition } from './exposition.ts'
import { families, type Gauge } from './families.ts'
import { hasMetrics, readMeter } from './flush.ts'

/** All that a component has counted, and its gauges, to who has access; 404 where metrics are off. */
export async function showMetrics<Env extends CoreEnv>(about: About<Env>, env: Env, request: Request) {
  await checkReader(about, env, request)
  if (!hasMetrics(env)) throw failure('metrics_off')
  const [series, gauges] = await Promise.all([readMeter(env), gaugesOf(about, env)])
  return new Response(expose(about.name, families, series, gauges), { headers: { 'content-type': exposition } })
}

/** Who may call the API; of a component with callers of its own, who learns how its dependencies are. */
async function checkReader<Env extends CoreEnv>({ mayProbe }: About<Env>, env: Env, request: Request) {
  if (!mayProbe) return checkAccess(env, request)
  if (!(await mayProbe(env, request))) throw failure('unauthorized')
}

/** In milliseconds: who scrapes waits for ten seconds. */
const patience = 3_000

/** What can be read now. A database that does not answer takes nothing but its own gauges away. */
async function gaugesOf<Env extends CoreEnv>({ name, gauges }: About<Env>, env: Env): Promise<Gauge[]> {
  const late = new Promise<Gauge[]>((resolve) => setTimeout(resolve, patience, []))
  const sources = [databaseGauge, ...(gauges ? [gauges] : [])]
  const read = sources.map((source) =>
    source(env).catch((error: unknown) => {
      if (!Failure.is(error)) log('error', { component: name, route: '/_metrics', ...describe(error) })
      return []
    }),
  )
  return (await Promise.all(read.map((gauges) => Promise.race([gauges, late])))).flat()
}

/** The size of the component's D1 database, where it has one. */
async function databaseGauge(env: object): Promise<Gauge[]> {
  const usage = await readUsage(env)
  if (!usage) return []
  const of = (name: string, help: string, value: number) => ({ name, help, samples: [{ value }] })
  return [
    of('quartermaster_database_bytes', 'Size of the D1 database.', usage.bytes),
    of('quartermaster_database_limit_bytes', 'DATABASE_LIMIT_BYTES; from 95 % of it on nothing is added.', usage.limit),
  ]
}
