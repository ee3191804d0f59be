// Chaos run of the bus: thousands of async documents, while bus, queue and handler are killed repeatedly.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { type ChaosReport, type ChaosSettings, evaluate } from '../invariant.ts'
import { killRepeatedly } from '../kills.ts'
import { countOpen } from '../queue/client.ts'
import { type Victim, victimOf } from '../victim.ts'
import { countStored, createCollection, secret, send } from './client.ts'
import { duplicatesIn, invariants } from './invariants.ts'
import { type HandlerServer, startHandler, startWebhooks, type Webhooks } from './receivers.ts'
import type { BusRun } from './record.ts'

export const long = { size: 10_000, kills: 15 }

/**
 * The queue worker of the bus has one daemon, which sends one webhook at a time, so that a kill makes at most one
 * duplicate.
 */
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
    return { figures: figuresOf(recorded), results: evaluate(invariants, recorded) }
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
  const errorReplies: string[] = []
  const done = () => webhooks.calls.length
  await victim.start()
  await createCollection(victim.url, handler.url)
  const { url } = victim
  const sending = send({ url, webhooks: webhooks.url, size, done, onErrorReply: (line) => errorReplies.push(line) })
  const stop = new AbortController()
  const times = Math.ceil(kills / 3)
  const crashes = crashHandler(handler, { total: size, times, done, stop: stop.signal, log })
  await killRepeatedly({
    victim,
    random: randomOf(seed),
    kills,
    total: size,
    done,
    isBusy: () => webhooks.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} webhooks so far, ${webhooks.open()} open`),
  })
  const sent = await sending
  log(`all sent, ${done()} webhooks so far`)
  await untilFinished(victim, webhooks, size)
  stop.abort()
  await crashes
  const stored = await countStored(url)
  return {
    sent,
    handled: handler.calls,
    webhookCalls: webhooks.calls,
    stored,
    kills: victim.kills,
    errorReplies,
  } satisfies BusRun
}

interface CrashOptions {
  total: number
  times: number
  done(): number
  /** Aborted at the end of the run, to end the crashes of the handler. */
  stop: AbortSignal
  log: ChaosSettings['log']
}

/**
 * Crashes the handler briefly at some points of the run. Longer crashes would take too long: a failed call is retried
 * after ten seconds, and then after a minute.
 */
async function crashHandler(handler: HandlerServer, { total, times, done, stop, log }: CrashOptions) {
  for (let time = 1; time <= times; time++) {
    while (done() < (total * time) / (times + 1) && !stop.aborted) await pause(20)
    if (stop.aborted) return
    log(`the handler crashes: ${done()} webhooks so far`)
    await handler.crash(100)
  }
}

/**
 * Time without progress after which the run gives up. A sweep resumes overdue documents once a minute, and a document
 * that failed twice waits for another sweep.
 */
const stallTimeoutMs = 200_000

/**
 * Waits until all documents are delivered and the queue is empty, or until nothing has happened for `stallTimeoutMs`.
 */
async function untilFinished({ url }: Victim, { calls }: Webhooks, size: number) {
  let since = Date.now()
  for (let seen = -1; Date.now() - since < stallTimeoutMs; await pause(250)) {
    const taken = calls.filter(({ status }) => status === 200).map(({ number }) => number)
    if (new Set(taken).size === size && (await countOpen(url, [worker])) === 0) return
    if (calls.length !== seen) since = Date.now()
    seen = calls.length
  }
}

function figuresOf({ sent, handled, webhookCalls, kills }: BusRun): Record<string, number> {
  const broken = [...handled, ...webhookCalls].filter(({ status }) => status === undefined)
  return {
    documents: sent.length,
    kills: kills.length,
    'handler calls': handled.length,
    webhooks: webhookCalls.length,
    'duplicate webhooks': duplicatesIn(webhookCalls),
    'duplicate calls': duplicatesIn(handled),
    'interrupted calls': broken.length,
  }
}
