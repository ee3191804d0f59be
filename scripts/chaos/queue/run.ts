// Tens of thousands of tasks and a few fractions, while the queue is killed again and again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { killAgainAndAgain } from '../kills.ts'
import { type ChaosReport, type ChaosSettings, judge } from '../law.ts'
import { type Victim, victimOf } from '../victim.ts'
import { countOpen, enqueue, outcomesOf } from './client.ts'
import { goesOnByItself, laws } from './laws.ts'
import { daemons, keyConcurrency, planOf, reminders, requestsOf, workersVariable } from './plan.ts'
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
    return { figures: figuresOf(recorded, atKills), verdicts: judge(laws, recorded) }
  } finally {
    await victim.end()
    target.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

/** `atKills`: how many requests were open at each kill. */
async function record({ size, kills, seed, log }: ChaosSettings, victim: Victim, target: TaskTarget) {
  const random = randomOf(seed)
  const errands = planOf(size, random)
  const refusals: string[] = []
  const atKills: number[] = []
  const { arrivals } = target
  const noteKill = () => {
    atKills.push(target.open())
    log(`kill ${atKills.length}: ${arrivals.length} requests so far, ${target.open()} open`)
  }
  const put = (those: TaskOrder[]) =>
    enqueue({ url: victim.url, target: target.url, errands: those, onRefusal: (line) => refusals.push(line) })

  await victim.start()
  const enqueuing = put(errands)
  const whole = requestsOf(errands)
  await killAgainAndAgain({
    ...{ victim, random, kills: kills - 1, whole, done: () => arrivals.length, onKill: noteKill },
    isRipe: () => target.open() > 0,
  })
  const entries = [...(await enqueuing), ...(await put(reminders(errands.length)))]
  noteKill()
  await victim.kill()
  await victim.start()
  const alone = { from: victim.kills.at(-1)!.over, to: Date.now() + slowest }
  while (Date.now() < alone.to && goesOnByItself.breaches({ arrivals, daemons, alone }).length > 0) await pause(50)
  log(`all put in, ${arrivals.length} requests so far`)
  await untilOver(victim, target)
  const outcomes = await outcomesOf(victim.url, Object.keys(daemons))
  const recorded: QueueRun = {
    entries,
    arrivals,
    outcomes,
    kills: victim.kills,
    daemons,
    keyConcurrency,
    alone,
    refusals,
  }
  return { ...recorded, atKills }
}

// Within it every worker must have made a request after a start, on a machine that does other things besides too.
const slowest = 60_000

// Longer than any pause between two attempts; after so long without a request what is left will not come to an end.
const patience = 60_000

async function untilOver({ url }: Victim, { arrivals }: TaskTarget) {
  let since = Date.now()
  for (let seen = -1; Date.now() - since < patience; await pause(250)) {
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
    'enqueued without an answer': entries.filter(({ id }) => !id).length,
    ...Object.fromEntries([...states].map(([state, those]) => [state, those.length])),
    'lost pieces': pieces.reduce((sum, { lost }) => sum + lost, 0),
    repeats: arrivals.filter(({ attempt }) => attempt > 1).length,
  }
}
