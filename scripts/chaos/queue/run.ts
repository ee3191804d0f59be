// Chaos run of the queue: tens of thousands of tasks and some fractions, while the stack is killed repeatedly.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { type ChaosReport, type ChaosSettings, evaluate } from '../invariant.ts'
import { killRepeatedly } from '../kills.ts'
import { type Victim, victimOf } from '../victim.ts'
import { configure, countOpen, enqueue, outcomesOf } from './client.ts'
import { invariants, resumesByItself } from './invariants.ts'
import {
  daemons,
  keyConcurrency,
  orderedWorker,
  planOf,
  reminders,
  requestsOf,
  strictWorkers,
  workersVariable,
} from './plan.ts'
import type { QueueRun, TaskOrder } from './record.ts'
import { startTarget, type TaskTarget } from './target.ts'

export const long = { size: 30_000, kills: 25 }

export async function run(settings: ChaosSettings): Promise<ChaosReport> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-chaos-'))
  const target = await startTarget()
  const victim = victimOf({
    components: ['queue'],
    port: await freePort(0),
    stateDir,
    variables: { QUEUE_WORKERS: JSON.stringify(workersVariable) },
  })
  try {
    const { atKills, ...recorded } = await record(settings, victim, target)
    return { figures: figuresOf(recorded, atKills), results: evaluate(invariants, recorded) }
  } finally {
    await victim.end()
    target.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

/**
 * Runs the load and the kills, and returns the record. `atKills` is the number of open requests at each kill, to show
 * that kills interrupted work.
 */
async function record({ size, kills, seed, log }: ChaosSettings, victim: Victim, target: TaskTarget) {
  const random = randomOf(seed)
  const orders = planOf(size, random)
  const errorReplies: string[] = []
  const atKills: number[] = []
  const { arrivals } = target
  const noteKill = () => {
    atKills.push(target.open())
    log(`kill ${atKills.length}: ${arrivals.length} requests so far, ${target.open()} open`)
  }
  const put = (orders: TaskOrder[]) =>
    enqueue({ url: victim.url, target: target.url, orders, onErrorReply: (line) => errorReplies.push(line) })

  await victim.start()
  await configure(victim.url, orderedWorker)
  const enqueuing = put(orders)
  const total = requestsOf(orders)
  await killRepeatedly({
    ...{ victim, random, kills: kills - 1, total, done: () => arrivals.length, onKill: noteKill },
    isBusy: () => target.open() > 0,
  })
  const entries = [...(await enqueuing), ...(await put(reminders(orders.length)))]
  noteKill()
  await victim.kill()
  await victim.start()
  const unattended = { from: victim.kills.at(-1)!.endedAt, to: Date.now() + resumeTimeoutMs }
  while (Date.now() < unattended.to && resumesByItself.violations({ arrivals, daemons, unattended }).length > 0)
    await pause(50)
  log(`all tasks created, ${arrivals.length} requests so far`)
  await untilFinished(victim, target)
  const outcomes = await outcomesOf(victim.url, Object.keys(daemons))
  const recorded: QueueRun = {
    entries,
    arrivals,
    outcomes,
    kills: victim.kills,
    daemons,
    keyConcurrency,
    strictWorkers,
    unattended,
    errorReplies,
  }
  return { ...recorded, atKills }
}

/** Time after a start within which every worker must send a request, also on a busy machine. */
const resumeTimeoutMs = 60_000

/**
 * Time without a request after which the run gives up. Longer than any retry delay and any pause of a key, so the
 * remaining tasks will not end.
 */
const stallTimeoutMs = 100_000

async function untilFinished({ url }: Victim, { arrivals }: TaskTarget) {
  let since = Date.now()
  for (let seen = -1; Date.now() - since < stallTimeoutMs; await pause(250)) {
    if ((await countOpen(url, Object.keys(daemons))) === 0) return
    if (arrivals.length !== seen) since = Date.now()
    seen = arrivals.length
  }
}

function figuresOf({ entries, arrivals, outcomes, kills }: QueueRun, atKills: number[]): Record<string, number> {
  const states = Map.groupBy(outcomes.values(), ({ state }) => state)
  const pieces = [...outcomes.values()].flatMap((outcome) => outcome.pieces ?? [])
  return {
    tasks: entries.filter(({ range }) => !range).length,
    fractions: pieces.length,
    pieces: pieces.reduce((sum, { total }) => sum + total, 0),
    requests: arrivals.length,
    kills: kills.length,
    'requests open at kills': atKills.reduce((sum, open) => sum + open, 0),
    'created without a reply': entries.filter(({ id }) => !id).length,
    ...Object.fromEntries([...states].map(([state, those]) => [state, those.length])),
    'lost pieces': pieces.reduce((sum, { lost }) => sum + lost, 0),
    retries: arrivals.filter(({ attempt }) => attempt > 1).length,
  }
}
