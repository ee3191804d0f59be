// Simulates one scenario of the queue: its real classes on the simulated platform, from the seed to the violated invariants.
import type { TaskRow } from '#queue/tables'
import { randomOf } from '../../lib/random.ts'
import { EventLoop } from '../platform/event-loop.ts'
import { useWorld } from '../platform/globals.ts'
import { ScriptedNetwork } from '../platform/network.ts'
import { QueueClients } from './clients.ts'
import { clusterOf } from './cluster.ts'
import { wrongCounts } from './counts.ts'
import { violationsOf } from './invariants.ts'
import { planOf } from './plan.ts'
import type { QueueRecord } from './record.ts'
import { targetOf } from './target.ts'

/** Time after which there are no faults, and the target answers every request with success. */
const faultsMs = 35_000

/** Time by which all tasks must have ended. */
const restMs = 3_600_000

/** Interval of the sweep, in which the platform's cron wakes the objects that are overdue. */
const sweepMs = 60_000

/** Interval in which the end of all tasks is awaited. */
const lookMs = 15_000

/** Runs the scenario of a seed. Returns the violated invariants, and all that happened as text. */
export async function simulate(seed: number): Promise<{ violations: string[]; trace: string }> {
  const random = randomOf(seed)
  const plan = planOf(random)
  const loop = new EventLoop()
  const record: QueueRecord = {
    ...{ plan, entries: [], arrivals: [], pauses: [], crashes: [], rows: [], isAtRest: false, faults: [] },
  }
  const onFault = (message: string) => void record.faults.push(message)
  loop.onUncaught = (error) => onFault(`uncaught: ${error instanceof Error ? error.stack : String(error)}`)
  const isHealed = () => loop.elapsed > faultsMs
  const plans = new Map(plan.calls.flatMap((call) => ('task' in call ? [[call.task.n, call.task]] : [])))
  const target = targetOf({ loop, random, plans, arrivals: record.arrivals, isHealed })
  const network = new ScriptedNetwork(loop, () => random.share() * plan.maxLatency, target)
  useWorld({ loop, network, random, onLog: (line) => isUnexpected(line) && onFault(line) })

  const cluster = clusterOf({ plan, loop, random, record, isHealed })
  const { backlog, registry } = cluster
  const clients = new QueueClients(loop, cluster, record)
  let open = plan.calls.length
  for (const call of plan.calls)
    loop.schedule(call.at, () => {
      void clients.make(call).then(() => open--)
    })
  for (const { at, isRegistry } of plan.crashTimes) loop.schedule(at, () => (isRegistry ? registry : backlog).crash())
  for (const { at, by } of plan.clockSteps)
    loop.schedule(at, () => {
      loop.clockOffset += by
      for (const object of [backlog, registry]) object.noteClockStep()
    })
  const sweep = () => {
    void clients.sweep()
    loop.schedule(sweepMs, sweep)
  }
  loop.schedule(random.between(0, sweepMs), sweep)
  let isOver = false
  const look = async (): Promise<void> => {
    // A list writes the journal to the rows.
    await clients.make({ does: 'list', at: 0 })
    const [left] = backlog.disk.all(`SELECT 1 FROM tasks WHERE state IN ('waiting', 'running') LIMIT 1`)
    if (!left && open === 0) record.isAtRest = true
    if (record.isAtRest || loop.elapsed > restMs) isOver = true
    else loop.schedule(lookMs, () => void look())
  }
  loop.schedule(faultsMs + lookMs, () => void look())
  if (!(await loop.runUntil(() => isOver))) onFault('the simulation did not come to an end')
  record.faults.push(...wrongCounts(backlog.disk))
  record.rows = backlog.disk.all('SELECT * FROM tasks ORDER BY id') as unknown as TaskRow[]
  const violations = violationsOf(record)
  for (const object of [backlog, registry]) object.crash()
  return { violations, trace: JSON.stringify(record) }
}

/** Whether a line of the log shows an error. An invocation that sends requests may be lost, which the queue logs. */
const isUnexpected = (line: string) => line.includes('"level":"error"') && !line.includes('"route":"remote fetch"')
