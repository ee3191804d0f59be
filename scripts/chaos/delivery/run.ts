// A delivery to many by mail and text messages, while all that takes part in it is killed again and again, its data_url fails
// and hangs, and the mail server refuses some.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../lib/random.ts'
import { freePort, host } from '../../stack/port.ts'
import { killAgainAndAgain } from '../kills.ts'
import { type ChaosReport, type ChaosSettings, judge } from '../law.ts'
import { type Victim, victimOf } from '../victim.ts'
import { DeliveryClient } from './client.ts'
import { laws } from './laws.ts'
import { type Receiver, startMailServer, startProvider } from './receivers.ts'
import type { DeliveryProgress, DeliveryRun } from './record.ts'
import { type DataSource, startSource } from './source.ts'

export const long = { size: 100_000, kills: 25 }

const daemons = 4
const width = 5

interface Around {
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
      // What hangs would be waited for long.
      DELIVERY_DATA_TIMEOUT: '2',
      ...{ SMTP_HOST: host, SMTP_PORT: String(mail.port), EMAIL_FROM: 'Chaos <chaos@example.com>' },
      ...{ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: `http://${host}:${sms.port}/` },
    },
  })
  try {
    const recorded = await record(settings, victim, { source, mail, sms })
    return { figures: figuresOf(recorded), verdicts: judge(laws, recorded) }
  } finally {
    await victim.end()
    for (const one of [source, mail, sms]) one.close()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

async function record({ size, kills, seed, log }: ChaosSettings, victim: Victim, around: Around): Promise<DeliveryRun> {
  const { source, mail, sms } = around
  const client = new DeliveryClient(victim.url)
  const done = () => mail.reached.taken.length + sms.reached.taken.length
  await victim.start()
  await client.start(source.url, size)
  const over = new AbortController()
  const watching = watch(client, over.signal)
  const pausing = pauseNowAndThen(client, { marks: [0.5 * size, 1.4 * size], done, over: over.signal, log })
  await killAgainAndAgain({
    victim,
    random: randomOf(seed),
    kills,
    whole: 2 * size,
    done,
    isRipe: () => mail.open() + sms.open() > 0,
    onKill: (kill) => log(`kill ${kill}: ${done()} messages so far, ${mail.open() + sms.open()} open`),
  })
  log(`no more kills, ${done()} messages so far`)
  const told = await untilOver(client, done)
  over.abort()
  await watching
  const [failures, failedPieces] = [await client.failures(), await client.failedPieces()]
  return {
    ...{ size, kills: victim.kills, daemons, width, told, failures, failedPieces },
    ...{ pages: source.pages, mail: mail.reached, sms: sms.reached, torn: [...mail.torn, ...sms.torn] },
    ...{ progress: client.progress, refusals: client.refusals, whilePaused: await pausing },
  }
}

async function watch(client: DeliveryClient, over: AbortSignal) {
  while (!over.aborted) {
    await client.read()
    await pause(200)
  }
}

interface Pausing {
  marks: number[]
  done(): number
  over: AbortSignal
  log: ChaosSettings['log']
}

/** How many messages come in a second of each pause, once nothing is under way any more. */
async function pauseNowAndThen(client: DeliveryClient, { marks, done, over, log }: Pausing): Promise<number[]> {
  const came: number[] = []
  for (const mark of marks) {
    while (done() < mark && !over.aborted) await pause(20)
    if (over.aborted) break
    await client.insist('pause')
    log(`paused: ${done()} messages so far`)
    while (await isSending(client)) await pause(50)
    const before = done()
    await pause(1_000)
    came.push(done() - before)
    await client.insist('resume')
  }
  return came
}

async function isSending(client: DeliveryClient): Promise<boolean> {
  const told = await client.read()
  if (!told) return true
  const { email, sms } = told.report
  return told.status === 'started' && email.sending + sms.sending > 0
}

// Longer than the last of the pauses before a message that was refused for now is sent again.
const patience = 330_000

/** How it stands when it is over, or when nothing has happened for so long that it never will be. */
async function untilOver(client: DeliveryClient, done: () => number): Promise<DeliveryProgress> {
  let since = Date.now()
  for (let seen = -1; ; await pause(250)) {
    const told = await client.read()
    if (told && (told.status !== 'started' || Date.now() - since > patience)) return told
    if (done() !== seen) since = Date.now()
    seen = done()
  }
}

function figuresOf({ size, kills, pages, mail, sms, told, failedPieces }: DeliveryRun): Record<string, number> {
  const { email, sms: texts } = told.report
  return {
    recipients: size,
    kills: kills.length,
    'pages asked for': pages.length,
    'bad pages': pages.filter(({ manner }) => manner !== 'good').length,
    'failed pieces': failedPieces.length,
    mails: mail.taken.length,
    'text messages': sms.taken.length,
    failed: email.failed + texts.failed,
    unknown: email.unknown + texts.unknown,
    duplicates: (email.reasons.duplicate ?? 0) + (texts.reasons.duplicate ?? 0),
  }
}
