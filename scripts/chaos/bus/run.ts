// Thousands of async documents on their way to handler and webhook, while bus, queue and handler die again and again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { killAgainAndAgain } from '../kills.ts'
import { type ChaosReport, type ChaosSettings, judge } from '../law.ts'
import { countOpen } from '../queue/client.ts'
import { type Victim, victimOf } from '../victim.ts'
import { countStored, createCollection, secret, send } from './client.ts'
import { copiesIn, laws } from './laws.ts'
import { type HandlerServer, startHandler, startWebhooks, type Webhooks } from './receivers.ts'
import type { BusRun } from './record.ts'

export const long = { size: 10_000, kills: 15 }

/** One webhook is under way at a time, so that a kill can make one copy at most. */
const worker = 'bus'
const variables = {
  QUEUE_WORKERS: JSON.stringify({ [worker]: 1 }),
  BOX_ADMIN_USER: 'chaos',
  BOX_ADMIN_SECRET: secret,
}

export async function run(settings: ChaosSettings): Promise<ChaosReport> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-chaos-'))
  const handler = await startHandler(randomOf(settings.seed + 1))
  const webhooks = await startWebhooks()
  const victim = victimOf({ components: ['bus', 'queue'], port: await freePort(0), stateDir, variables })
  try {
    const recorded = await record(settings, victim, handler, webhooks)
    return { figures: figuresOf(recorded), verdicts: judge(laws, recorded) }
  } finally {
    await victim.end()
    handler.close()
    webhooks.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

async function record(
  { size, kills, seed, log }: ChaosSettings,
  victim: Victim,
  handler: HandlerServer,
  webhooks: Webhooks,
) {
  const refusals: string[] = []
  const done = () => webhooks.calls.length
  await victim.start()
  await createCollection(victim.url, handler.url)
  const { url } = victim
  const sending = send({ url, webhooks: webhooks.url, size, done, onRefusal: (line) => refusals.push(line) })
  const over = new AbortController()
  const times = Math.ceil(kills / 3)
  const dying = dieNowAndThen(handler, { whole: size, times, done, over: over.signal, log })
  await killAgainAndAgain({
    victim,
    random: randomOf(seed),
    kills,
    whole: size,
    done,
    isRipe: () => webhooks.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} webhooks so far, ${webhooks.open()} open`),
  })
  const sent = await sending
  log(`all sent, ${done()} webhooks so far`)
  await untilOver(victim, webhooks, size)
  over.abort()
  await dying
  const stored = await countStored(url)
  return { sent, handled: handler.calls, told: webhooks.calls, stored, kills: victim.kills, refusals } satisfies BusRun
}

interface Dying {
  whole: number
  times: number
  done(): number
  /** Aborted when there is nothing left to wait for. */
  over: AbortSignal
  log: ChaosSettings['log']
}

/** What comes meanwhile is repeated after ten seconds, and a minute after that, so that a short time does. */
async function dieNowAndThen(handler: HandlerServer, { whole, times, done, over, log }: Dying) {
  for (let time = 1; time <= times; time++) {
    while (done() < (whole * time) / (times + 1) && !over.aborted) await pause(20)
    if (over.aborted) return
    log(`the handler dies: ${done()} webhooks so far`)
    await handler.die(100)
  }
}

// The bus takes up what is overdue by a minute, once a minute, and what failed twice waits for another one.
const patience = 200_000

/** Until all documents are delivered and the queue has nothing left that could make a copy; or nothing happens any more. */
async function untilOver({ url }: Victim, { calls }: Webhooks, size: number) {
  let since = Date.now()
  for (let seen = -1; Date.now() - since < patience; await pause(250)) {
    const taken = calls.filter(({ status }) => status === 200).map(({ number }) => number)
    if (new Set(taken).size === size && (await countOpen(url, [worker])) === 0) return
    if (calls.length !== seen) since = Date.now()
    seen = calls.length
  }
}

function figuresOf({ sent, handled, told, kills }: BusRun): Record<string, number> {
  const broken = [...handled, ...told].filter(({ status }) => status === undefined)
  return {
    documents: sent.length,
    kills: kills.length,
    'calls of the handler': handled.length,
    webhooks: told.length,
    'copies of webhooks': copiesIn(told),
    'copies of calls': copiesIn(handled),
    'calls broken off': broken.length,
  }
}
