// Benchmark of the email component: how fast it sends mail, compared with nodemailer.
import { verdict } from '../scripts/lib/verdict.ts'
import { lastingPort } from '../scripts/stack/port.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import type { Clients } from './email/clients.ts'
import { mail } from './email/mail.ts'
import { measureMemory } from './email/memory.ts'
import type { EmailSink } from './email/sink.ts'
import { line, median } from './figures.ts'
import type { Measured } from './load.ts'
import type { BenchOperation } from './operation.ts'
import { type Remote, start } from './queue/remote.ts'

const rounds = 3

/** Numbers of concurrent clients: below the connection limit of a typical SMTP server, and at the limit. */
const clientCounts = [16, 64]

// The port is reserved before the stack starts, since the stack needs it. The load process also imports this module,
// and ignores the port.
const port = await lastingPort()

export const variables = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), EMAIL_FROM: 'Bench <bench@example.com>' }

export const operations: BenchOperation[] = [
  { name: 'POST /smtp', request: (n) => ({ method: 'POST', path: '/smtp', body: mail(n) }) },
]

let sink: Remote<EmailSink>
let folder: string

export async function prepare({ stateDir }: Stack) {
  folder = `${stateDir}/memory`
  sink = await start<EmailSink>('bench/email/sink.ts')
  await sink.listen(port)
}

/** Compares the component with nodemailer. They take turns, so that a slower machine slows both. */
export async function* compare(origin: string, seconds: number) {
  const clients = await start<Clients>('bench/email/clients.ts')
  try {
    for (const crowd of clientCounts) {
      const ours: Measured[] = []
      const fresh: Measured[] = []
      const pooled: Measured[] = []
      for (let round = 0; round < rounds; round++) {
        ours.push(await clients.component(origin, crowd, seconds))
        fresh.push(await clients.nodemailer(port, crowd, seconds, false))
        pooled.push(await clients.nodemailer(port, crowd, seconds, true))
      }
      const share = median(ours.map(({ rate }, i) => rate / fresh[i]!.rate))
      const met = verdict(share >= 0.8, `0.8 of nodemailer, is ${share.toFixed(2)}`)
      yield line(`${crowd} clients, through the component`, middle(ours), met)
      yield line('  nodemailer in plain Node', middle(fresh))
      yield line('  the same, keeping connections', middle(pooled))
    }
    yield* measureMemory(variables, folder)
  } finally {
    await clients.end()
    await sink.end()
  }
}

function middle(measured: Measured[]): Measured {
  const rate = median(measured.map((one) => one.rate))
  return measured.find((one) => one.rate === rate)!
}
