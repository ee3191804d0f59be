// Thousands of payments on their way from the processor to the operator, while what takes them dies again and again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort } from '../../stack/port.ts'
import { killAgainAndAgain } from '../kills.ts'
import { type ChaosReport, type ChaosSettings, judge } from '../law.ts'
import { type Victim, victimOf } from '../victim.ts'
import { copiesIn, laws } from './laws.ts'
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
    return { figures: figuresOf(recorded), verdicts: judge(laws, recorded) }
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
  const refusals: string[] = []
  const done = operator.acknowledged
  await victim.start()
  const { url } = victim
  const random = randomOf(seed + 1)
  const processing = process({ url, random, size, done, onRefusal: (line) => refusals.push(line) })
  await killAgainAndAgain({
    victim,
    random: randomOf(seed),
    kills,
    whole: size,
    done,
    isRipe: () => operator.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} payments told so far, ${operator.open()} requests open`),
  })
  const { paid, checked } = await processing
  log(`all paid, ${done()} told so far`)
  const stored = await untilOver(url, operator, size)
  return { paid, checked, told: operator.told, stored, kills: victim.kills, refusals }
}

// What a kill left is taken up by a sweep, once a minute, a minute after it came; what failed twice waits for another one.
const patience = 200_000

/** Until all payments are completed; or nothing happens any more. */
async function untilOver(url: string, { told }: Operator, size: number): Promise<ListedPayment[]> {
  let since = Date.now()
  for (let seen = -1; ; await pause(500)) {
    const stored = await listStored(url)
    const isOver = stored.length >= size && stored.every(({ status }) => status === 1)
    if (isOver || Date.now() - since > patience) return stored
    if (told.length !== seen) since = Date.now()
    seen = told.length
  }
}

function figuresOf(run: PaymentRun): Record<string, number> {
  const { paid, checked, told, stored, kills } = run
  return {
    payments: paid.length,
    'accounts asked about': checked.length,
    kills: kills.length,
    stored: stored.length,
    webhooks: told.length,
    'webhooks broken off': told.filter(({ status }) => status === undefined).length,
    'webhooks refused': told.filter(({ status }) => status === 503).length,
    'copies of what was acknowledged': copiesIn(run).length,
  }
}
