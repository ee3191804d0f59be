// Measures the cost of operations: runs each on a stack whose components have meters, and reads the meters before and
// after.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { workOf } from '../lib/cpu.ts'
import { clientOf } from '../lib/http-client.ts'
import { childrenOf } from '../lib/processes.ts'
import { startTarget } from '../lib/target.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { meteredComponents } from './components.ts'
import type { Metered } from './meter/counts.ts'
import { administratorSecret } from './operations/bus.ts'
import { sweeps } from './operations/gateway.ts'
import type { Costed, CostOperation, CostWorld } from './operations/operation.ts'
import { operations } from './operations/operations.ts'
import { type CostUsage, type Places, usageOf } from './usage.ts'

export interface Cost {
  component: string
  operation: string
  usage: CostUsage
  /** The usage in a round with half as many operations. Both rounds should cost the same per operation. */
  fewer: CostUsage
}

/** The operations of each component, and of the gateway. */
export const measured: Record<string, Costed> = { ...operations, gateway: sweeps }

/** Measures the operations of the components one after the other, and yields each result. */
export async function* measure(components: string[]): AsyncIterable<Cost> {
  const target = await startTarget()
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-cost-'))
  let stack: Stack | undefined
  try {
    stack = await start(stateDir, target.url)
    const world: CostWorld = { ...clientOf(stack.url), url: stack.url, target, sweep: stack.sweep }
    const places = { containers: Object.values(stack.containers).map(({ url }) => url), own: stack.url }
    for (const component of components) {
      const { prepare, filled, operations: all } = measured[component]!
      const empty = bytesIn(await untilQuiet(stack))
      await prepare?.(world)
      const grown = bytesIn(await untilQuiet(stack)) - empty
      for (const operation of all) {
        const d1_growth = filled?.by === operation.name ? grown / filled.times : 0
        const { fewer, usage } = await count(stack, world, operation, places)
        yield { component, operation: operation.name, fewer, usage: { ...usage, d1_growth } }
      }
    }
  } finally {
    await stack?.dispose()
    target.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

function start(stateDir: string, target: string): Promise<Stack> {
  const components = meteredComponents()
  return startStack({
    port: 0,
    stateDir,
    components,
    direct: components.map(({ name }) => name),
    variables: {
      // Metrics and the audit log are off: they are sent some seconds later, and would count for a later operation.
      ...{ METRICS: 'false', AUDIT: 'off', BOX_ADMIN_SECRET: administratorSecret },
      ...{ PAYMENT_CHECK_URL: `${target}/account`, PAYMENT_WEBHOOK_URL: `${target}/payment` },
    },
    log: () => undefined,
  })
}

async function count(stack: Stack, world: CostWorld, { run, times = 10 }: CostOperation, places: Places) {
  let done = 0
  let before = await untilQuiet(stack)
  const round = async (count: number): Promise<CostUsage> => {
    const worked = work()
    const containersWorked = workOfContainers(stack)
    const began = performance.now()
    let callerRequests = 0
    const ask: CostWorld['ask'] = (...request) => {
      callerRequests++
      return world.ask(...request)
    }
    const sweep: CostWorld['sweep'] = () => {
      callerRequests++
      return world.sweep()
    }
    for (let n = 0; n < count; n++) await run({ ...world, ask, sweep }, done++)
    // The times are read first, since reading the meters takes time too.
    const cpu = work() - worked
    const containerCpu = workOfContainers(stack) - containersWorked
    const elapsed = performance.now() - began
    const after = await untilQuiet(stack)
    const usage = usageOf(before, after, { times: count, callerRequests, cpu, containerCpu, elapsed }, places)
    before = after
    return usage
  }
  const fewer = await round(times)
  return { fewer, usage: await round(2 * times) }
}

const work = () =>
  childrenOf(process.pid).reduce((sum, { pid, name }) => sum + (name === 'workerd' ? workOf(pid) : 0), 0)

const workOfContainers = ({ containers }: Stack) =>
  Object.values(containers).reduce((sum, { pid }) => {
    const at = pid()
    return at === undefined ? sum : sum + workOf(at)
  }, 0)

const bytesIn = (metered: Metered[]) => metered.reduce((sum, { counts }) => sum + counts.d1_bytes, 0)

/** Time without a change of any meter after which the stack counts as quiet. */
const quietMs = 2_000

/** Waits until the stack is quiet, so that work after the reply counts too, and returns the usage of all Workers. */
async function untilQuiet(stack: Stack): Promise<Metered[]> {
  let seen = await readAll(stack)
  for (let since = performance.now(); performance.now() - since < quietMs; await pause(150)) {
    const now = await readAll(stack)
    if (now.some(({ open }) => open > 0) || JSON.stringify(now) !== JSON.stringify(seen)) since = performance.now()
    seen = now
  }
  return seen
}

const readAll = (stack: Stack) =>
  Promise.all(
    Object.values(stack.origins).map(async (origin) => {
      const response = await fetch(`${origin}/_metered`)
      if (!response.ok) throw new Error(`A meter answered ${response.status}`)
      return (await response.json()) as Metered
    }),
  )
