// Answers `/_health`: runs the health checks of a component's dependencies, and caches the results.
import { hasAccess } from './access.ts'
import type { About, CoreEnv, Probe } from './declaration.ts'
import { reply } from './reply.ts'

/** The result of a probe with details, such as the size of a database. */
export class ProbeReport {
  readonly isUp: boolean
  /** Fields that are added to the state of the dependency in the reply of `/_health`. */
  readonly details: Record<string, string | number>

  constructor(isUp: boolean, details: Record<string, string | number>) {
    this.isUp = isUp
    this.details = details
  }
}

interface State {
  state: 'up' | 'down'
  latency_ms: number
  [detail: string]: string | number
}

const maxAgeMs = 5_000
const probeTimeoutMs = 5_000

const cached = new WeakMap<object, { at: number; states: Record<string, State> }>()

/**
 * The reply of `/_health`. Callers with access get the state of each dependency, cached for five seconds, and 503 if
 * one is down. Callers without access always get `up`, and cause no health checks.
 */
export async function checkHealth<Env extends CoreEnv>(
  { name, probes, mayProbe }: Pick<About<Env>, 'name' | 'probes' | 'mayProbe'>,
  env: Env,
  request: Request,
): Promise<Response> {
  const mayRead = async () => (await hasAccess(env, request, name)) || Boolean(await mayProbe?.(env, request))
  if (!probes || !(await mayRead())) return reply({ status: true, content: { state: 'up' } })
  const dependencies = await statesOf(env, probes(env))
  const up = Object.values(dependencies).every(({ state }) => state === 'up')
  if (up) return reply({ status: true, content: { state: 'up', dependencies } })
  const message = 'A dependency does not answer: see content.dependencies.'
  return reply({ status: false, status_code: 'unavailable', message, content: { state: 'down', dependencies } }, 503, {
    'retry-after': '5',
  })
}

async function statesOf(env: object, probes: Record<string, Probe>): Promise<Record<string, State>> {
  const known = cached.get(env)
  if (known && Date.now() - known.at < maxAgeMs) return known.states
  const measured = Object.entries(probes).map(async ([name, probe]) => [name, await measure(probe)] as const)
  const states = Object.fromEntries(await Promise.all(measured))
  cached.set(env, { at: Date.now(), states })
  return states
}

async function measure(probe: Probe): Promise<State> {
  const started = Date.now()
  const down = new ProbeReport(false, {})
  const timedOut = new Promise<ProbeReport>((resolve) => setTimeout(resolve, probeTimeoutMs, down))
  const finished = probe().then(
    (result) => (result instanceof ProbeReport ? result : new ProbeReport(true, {})),
    () => down,
  )
  const { isUp, details } = await Promise.race([finished, timedOut])
  return { state: isUp ? 'up' : 'down', latency_ms: Date.now() - started, ...details }
}
