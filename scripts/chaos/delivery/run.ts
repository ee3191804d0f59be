// Chaos run of a delivery: messages by email and SMS, while the stack is killed repeatedly, the `data_url` fails and hangs, and the SMTP
// server rejects some messages.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort, host } from '../../stack/port.ts'
import { type ChaosReport, type ChaosSettings, evaluate } from '../invariant.ts'
import { killRepeatedly } from '../kills.ts'
import { type Victim, victimOf } from '../victim.ts'
import { DeliveryClient } from './client.ts'
import { invariants } from './invariants.ts'
import { type Receiver, startMailServer, startProvider } from './receivers.ts'
import type { DeliveryProgress, DeliveryRun } from './record.ts'
import { type DataSource, startSource } from './source.ts'

export const long = { size: 100_000, kills: 25 }

const daemons = 4
const width = 5

interface Servers {
  source: DataSource
  mail: Receiver
  sms: Receiver
}

export async function run(settings: ChaosSettings): Promise<ChaosReport> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-chaos-'))
  const source = await startSource(settings.size, randomOf(settings.seed + 1))
  const [mail, sms] = [await startMailServer(), await startProvider()]
  const victim = victimOf({
    components: ['delivery', 'queue', 'email', 'sms'],
    port: await freePort(0),
    stateDir,
    variables: {
      QUEUE_WORKERS: JSON.stringify({ delivery: daemons }),
      // Timeout of the `data_url` in seconds. The default is too long for a page that hangs.
      DELIVERY_DATA_TIMEOUT: '2',
      ...{ SMTP_HOST: host, SMTP_PORT: String(mail.port), EMAIL_FROM: 'ChaosModule <chaos@example.com>' },
      ...{ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: `http://${host}:${sms.port}/` },
    },
  })
  try {
    const recorded = await record(settings, victim, { source, mail, sms })
    return { figures: figuresOf(recorded), results: evaluate(invariants, recorded) }
  } finally {
    await victim.end()
    for (const one of [source, mail, sms]) one.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

async function record(
  { size, kills, seed, log }: ChaosSettings,
  victim: Victim,
  around: Servers,
): Promise<DeliveryRun> {
  const { source, mail, sms } = around
  const client = new DeliveryClient(victim.url)
  const done = () => mail.reached.taken.length + sms.reached.taken.length
  await victim.start()
  await client.start(source.url, size)
  const stop = new AbortController()
  const watching = watch(client, stop.signal)
  const pausing = pauseRepeatedly(client, { marks: [0.5 * size, 1.4 * size], done, stop: stop.signal, log })
  await killRepeatedly({
    victim,
    random: randomOf(seed),
    kills,
    total: 2 * size,
    done,
    isBusy: () => mail.open() + sms.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} messages so far, ${mail.open() + sms.open()} open`),
  })
  log(`no more kills, ${done()} messages so far`)
  const final = await untilFinished(client, done)
  stop.abort()
  await watching
  const [failures, failedPieces] = [await client.failures(), await client.failedPieces()]
  return {
    ...{ size, kills: victim.kills, daemons, width, final, failures, failedPieces },
    ...{ pages: source.pages, mail: mail.reached, sms: sms.reached, torn: [...mail.torn, ...sms.torn] },
    ...{ progress: client.progress, errorReplies: client.errorReplies, whilePaused: await pausing },
  }
}

async function watch(client: DeliveryClient, stop: AbortSignal) {
  while (!stop.aborted) {
    await client.read()
    await pause(200)
  }
}

interface PauseOptions {
  marks: number[]
  done(): number
  stop: AbortSignal
  log: ChaosSettings['log']
}

/**
 * Pauses and resumes the delivery at some points. Returns, for each pause, the number of messages that arrive within a
 * second after all messages in progress have ended.
 */
async function pauseRepeatedly(client: DeliveryClient, { marks, done, stop, log }: PauseOptions): Promise<number[]> {
  const arrived: number[] = []
  for (const mark of marks) {
    while (done() < mark && !stop.aborted) await pause(20)
    if (stop.aborted) break
    await client.insist('pause')
    log(`paused: ${done()} messages so far`)
    while (await isSending(client)) await pause(50)
    const before = done()
    await pause(1_000)
    arrived.push(done() - before)
    await client.insist('resume')
  }
  return arrived
}

async function isSending(client: DeliveryClient): Promise<boolean> {
  const delivery = await client.read()
  if (!delivery) return true
  const { email, sms } = delivery.report
  return delivery.status === 'started' && email.sending + sms.sending > 0
}

/**
 * Time without progress after which the run gives up. Longer than the longest delay before a deferred message is sent
 * again.
 */
const stallTimeoutMs = 330_000

/** Waits until the delivery is finished, or until nothing has happened for `stallTimeoutMs`, and returns it. */
async function untilFinished(client: DeliveryClient, done: () => number): Promise<DeliveryProgress> {
  let since = Date.now()
  for (let seen = -1; ; await pause(250)) {
    const delivery = await client.read()
    if (delivery && (delivery.status !== 'started' || Date.now() - since > stallTimeoutMs)) return delivery
    if (done() !== seen) since = Date.now()
    seen = done()
  }
}

function figuresOf({ size, kills, pages, mail, sms, final, failedPieces }: DeliveryRun): Record<string, number> {
  const { email, sms: texts } = final.report
  return {
    recipients: size,
    kills: kills.length,
    'requested pages': pages.length,
    'bad pages': pages.filter(({ behavior }) => behavior !== 'good').length,
    'failed pieces': failedPieces.length,
    emails: mail.taken.length,
    SMS: sms.taken.length,
    failed: email.failed + texts.failed,
    unknown: email.unknown + texts.unknown,
    duplicates: (email.reasons.duplicate ?? 0) + (texts.reasons.duplicate ?? 0),
  }
}
