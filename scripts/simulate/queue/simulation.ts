// Simulates one scenario of the queue: its real classes on the simulated platform, from the seed to the violated invariants.
import { migrate } from '#core/objects/migrate'
import { Backlog } from '#queue/backlog'
import { migrations } from '#queue/migrations'
import { RemoteFetch } from '#queue/remote-fetch'
import type { TaskRow } from '#queue/tables'
import { randomOf } from '../../lib/random.ts'
import { Disk } from '../platform/disk.ts'
import { EventLoop } from '../platform/event-loop.ts'
import { useWorld } from '../platform/globals.ts'
import { ScriptedNetwork } from '../platform/network.ts'
import { type Platform, SimulatedObject } from '../platform/object.ts'
import { serviceFor } from '../platform/service.ts'
import { storageOutside } from '../platform/storage.ts'
import { QueueClients } from './clients.ts'
import { wrongCounts } from './counts.ts'
import { violationsOf } from './invariants.ts'
import { planOf, type QueuePlan, workers } from './plan.ts'
import type { QueueRecord } from './record.ts'
import { targetOf } from './target.ts'

const QUEUE_WORKERS = JSON.stringify(
  Object.fromEntries(
    workers.map(({ name, daemons, keyConcurrency }) => [
      name,
      { daemons, ...(keyConcurrency && { per_key: { concurrency: keyConcurrency } }) },
    ]),
  ),
)

/** Time after the calls at which faults end and the target answers every request with success. */
const faultsMs = 35_000

/** Time by which all tasks must have ended. */
const restMs = 1_200_000

/** Interval of the sweep, in which the platform's cron wakes the worker. */
const sweepMs = 60_000

let disk: Disk | undefined

/** The disk of this thread, as if it had just been migrated. */
function freshDisk(): Disk {
  if (disk) disk.reset()
  else {
    disk = new Disk()
    migrate(storageOutside(disk), migrations)
    disk.keep()
  }
  return disk
}

/** Runs the scenario of a seed. Returns the violated invariants, and all that happened as text. */
export async function simulate(seed: number): Promise<{ violations: string[]; trace: string }> {
  const random = randomOf(seed)
  const plan = planOf(random)
  const loop = new EventLoop()
  const record: QueueRecord = {
    ...{ plan, entries: [], arrivals: [], pauses: [], crashes: [], rows: [], isAtRest: false, faults: [] },
  }
  const plans = new Map(plan.calls.flatMap((call) => ('task' in call ? [[call.task.n, call.task]] : [])))
  const latency = () => random.share() * plan.maxLatency
  const isHealed = () => loop.elapsed > faultsMs
  const target = targetOf({ loop, random, plans, arrivals: record.arrivals, isHealed })
  const network = new ScriptedNetwork(loop, latency, target)
  const onFault = (message: string) => void record.faults.push(message)
  loop.onUncaught = (error) => onFault(`uncaught: ${error instanceof Error ? error.stack : String(error)}`)
  useWorld({ loop, network, random, onLog: (line) => isUnexpected(line) && onFault(line) })

  const env = {
    QUEUE_WORKERS,
    ALLOW_PRIVATE_TARGETS: 'true',
    BACKLOG: { get: () => ({ renew: async () => undefined }) },
  } as never
  const object = new SimulatedObject(
    plan.worker.name,
    freshDisk(),
    platformOf({ plan, loop, latency, record, isHealed, env, random, onFault }),
    (ctx) => new Backlog(ctx, env),
  )
  const clients = new QueueClients(loop, object, env, record)

  let open = plan.calls.length
  for (const call of plan.calls)
    loop.schedule(call.at, () => {
      void clients.make(call).then(() => open--)
    })
  for (const at of plan.crashTimes) loop.schedule(at, () => object.crash())
  for (const { at, by } of plan.clockSteps)
    loop.schedule(at, () => {
      loop.clockOffset += by
      object.noteClockStep()
    })
  for (let at = sweepMs; at < restMs; at += sweepMs) loop.schedule(at, () => void clients.make({ does: 'sweep', at }))
  // Looks now and then whether all tasks have ended: a look writes the journal to the rows.
  let isOver = false
  const look = async (): Promise<void> => {
    await clients.make({ does: 'list', at: 0 })
    const [left] = object.disk.all(`SELECT 1 FROM tasks WHERE state IN ('waiting', 'running') LIMIT 1`)
    if (!left && open === 0) record.isAtRest = true
    if (record.isAtRest || loop.elapsed > restMs) isOver = true
    else loop.schedule(15_000, () => void look())
  }
  loop.schedule(faultsMs + 1_000, () => void look())
  if (!(await loop.runUntil(() => isOver))) onFault('the simulation did not come to an end')
  record.faults.push(...wrongCounts(object.disk))
  record.rows = object.disk.all('SELECT * FROM tasks ORDER BY id') as unknown as TaskRow[]
  const violations = violationsOf(record)
  object.crash()
  return { violations, trace: JSON.stringify(record) }
}

/** Whether a line of the log shows an error. An invocation that sends requests may be lost, which the queue logs. */
const isUnexpected = (line: string) => line.includes('"level":"error"') && !line.includes('"route":"remote fetch"')

interface Parts {
  plan: QueuePlan
  loop: EventLoop
  latency: () => number
  record: QueueRecord
  isHealed: () => boolean
  env: never
  random: ReturnType<typeof randomOf>
  onFault: (message: string) => void
}

function platformOf({ plan, loop, latency, record, isHealed, env, random, onFault }: Parts): Platform {
  let operations = 0
  let nextCrash = plan.crashes[0] ?? Number.POSITIVE_INFINITY
  let crashes = 0
  const isLossy = (share: number) => plan.isLossy && !isHealed() && random.share() < share
  const onCrash = () => record.crashes.push(loop.elapsed)
  const link = {
    ...{ loop, latency, onLoss: onCrash },
    lossDelay: () => (isLossy(0.4) ? random.between(0, 100) : undefined),
    endsWithCaller: () => random.share() < 0.5,
  }
  return {
    loop,
    latency,
    commitDelay: () => random.share() * plan.maxCommitDelay,
    isCrashHere: () => {
      if (++operations < nextCrash || isHealed()) return false
      operations = 0
      nextCrash = plan.crashes[++crashes] ?? Number.POSITIVE_INFINITY
      return true
    },
    isReplyLost: () => isLossy(0.1),
    isAlarmLost: () => random.share() < 0.1,
    onCrash,
    exportsFor: (process) => ({
      RemoteFetch: serviceFor(process, link, () => new RemoteFetch({} as never, env)),
    }),
    onFault,
  }
}
