// Chaos run of the payments: thousands of payments from the processor to the operator, while the stack is killed repeatedly.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { type ChaosReport, type ChaosSettings, evaluate } from '../invariant.ts'
import { killRepeatedly } from '../kills.ts'
import { type Victim, victimOf } from '../victim.ts'
import { duplicatesIn, invariants } from './invariants.ts'
import { type Operator, startOperator } from './operator.ts'
import { listStored, process, secret } from './processor.ts'
import type { ListedPayment, PaymentRun } from './record.ts'

export const long = { size: 10_000, kills: 20 }

export async function run(settings: ChaosSettings): Promise<ChaosReport> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-chaos-'))
  const operator = await startOperator()
  const variables = {
    PAYMENT_API_SECRET: secret,
    PAYMENT_CHECK_URL: `${operator.url}/account`,
    PAYMENT_WEBHOOK_URL: `${operator.url}/payment`,
  }
  const victim = victimOf({ components: ['payment'], port: await freePort(0), stateDir, variables })
  try {
    const recorded = await record(settings, victim, operator)
    return { figures: figuresOf(recorded), results: evaluate(invariants, recorded) }
  } finally {
    await victim.end()
    operator.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

async function record(
  { size, kills, seed, log }: ChaosSettings,
  victim: Victim,
  operator: Operator,
): Promise<PaymentRun> {
  const errorReplies: string[] = []
  const done = operator.acknowledged
  await victim.start()
  const { url } = victim
  const random = randomOf(seed + 1)
  const processing = process({ url, random, size, done, onErrorReply: (line) => errorReplies.push(line) })
  await killRepeatedly({
    victim,
    random: randomOf(seed),
    kills,
    total: size,
    done,
    isBusy: () => operator.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} webhooks acknowledged so far, ${operator.open()} requests open`),
  })
  const { paid, checked } = await processing
  log(`all paid, ${done()} webhooks acknowledged so far`)
  const stored = await untilFinished(url, operator, size)
  return { paid, checked, webhooks: operator.webhooks, stored, kills: victim.kills, errorReplies }
}

/**
 * Time without progress after which the run gives up. A sweep resumes interrupted payments once a minute, a minute
 * after they came; a payment that failed twice waits for another sweep.
 */
const stallTimeoutMs = 200_000

/** Waits until all payments are completed, or until nothing has happened for `stallTimeoutMs`. */
async function untilFinished(url: string, { webhooks }: Operator, size: number): Promise<ListedPayment[]> {
  let since = Date.now()
  for (let seen = -1; ; await pause(500)) {
    const stored = await listStored(url)
    const isFinished = stored.length >= size && stored.every(({ status }) => status === 1)
    if (isFinished || Date.now() - since > stallTimeoutMs) return stored
    if (webhooks.length !== seen) since = Date.now()
    seen = webhooks.length
  }
}

function figuresOf(run: PaymentRun): Record<string, number> {
  const { paid, checked, webhooks, stored, kills } = run
  return {
    payments: paid.length,
    'account checks': checked.length,
    kills: kills.length,
    stored: stored.length,
    webhooks: webhooks.length,
    'interrupted webhooks': webhooks.filter(({ status }) => status === undefined).length,
    'failed webhooks': webhooks.filter(({ status }) => status === 503).length,
    'duplicates of acknowledged webhooks': duplicatesIn(run).length,
  }
}
