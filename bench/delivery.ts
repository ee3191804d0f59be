// Benchmark of the delivery: its operations, and the rate and memory of a whole delivery by email.
import { post } from '../scripts/lib/post.ts'
import { verdict } from '../scripts/lib/verdict.ts'
import { freePort } from '../scripts/stack/port.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import { startChain } from './delivery/chain.ts'
import { gap, html, payload, subject } from './delivery/letter.ts'
import type { Loop } from './delivery/loop.ts'
import type { DeliverySink } from './delivery/sink.ts'
import type { RecipientServer } from './delivery/source.ts'
import { line, median } from './figures.ts'
import type { BenchOperation } from './operation.ts'
import { start } from './queue/remote.ts'

const rounds = 3

export const operations: BenchOperation[] = [
  { name: 'GET /delivery', request: () => ({ method: 'GET', path: '/delivery?id=1' }), floor: 'object' },
  { name: 'GET /deliveries, 100', request: () => ({ method: 'GET', path: '/deliveries' }), floor: 'read' },
]

/**
 * Creates the deliveries of the operations. Their queue worker runs no tasks, because sending would share the machine.
 */
export async function prepare(stack: Stack, origin: string) {
  await post(`${stack.url}/queue`, '/worker/pause', { worker: 'delivery' })
  const texts = { email_subject: { en: subject }, email_html: { en: html } }
  const newDelivery = {
    name: 'Bench',
    min: 1,
    max: 1e6,
    gap,
    has_email: true,
    data_url: stack.url,
    filters: {},
    payload,
    ...texts,
  }
  for (let n = 0; n < 100; n++) await post(origin, '/delivery', newDelivery)
}

/** Memory limit of an isolate, in megabytes, which the Worker must stay below. */
const maxMemoryMb = 128

function memoryOf(bytes: number): string {
  const megabytes = Math.ceil(bytes / 2 ** 20)
  return line(
    '  the Worker and its ledger',
    {},
    `${megabytes} MB`,
    verdict(megabytes <= maxMemoryMb, `${maxMemoryMb} MB`),
  )
}

/** Number of concurrent messages per daemon. A batch sends as many, so that the plain loop has the same concurrency. */
const width = 5

/**
 * Compares the delivery (the chain) with a plain loop in Node. They take turns, so that a slower machine slows both,
 * and the median round counts.
 */
export async function* compare(_: string, seconds: number): AsyncIterable<string> {
  const source = await start<RecipientServer>('bench/delivery/source.ts')
  const sink = await start<DeliverySink>('bench/delivery/sink.ts')
  const loop = await start<Loop>('bench/delivery/loop.ts')
  const smtpPort = await freePort(0)
  await sink.listen(smtpPort)
  const url = await source.url()
  try {
    for (const daemons of [1, 8]) {
      const chain = await startChain(daemons, smtpPort)
      await chain.deliver(url, 10 * gap)
      const recipients = Math.ceil((seconds * 300) / gap) * gap
      const [own, plain]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        own.push(await chain.deliver(url, recipients))
        plain.push(await loop.send(url, chain.email, recipients, daemons * width))
      }
      const ratio = median(own) / median(plain)
      yield line(
        `recipients, ${daemons} daemons`,
        { rate: median(own) },
        `${ratio.toFixed(2)} of a plain loop`,
        verdict(ratio >= 0.5, '0.5'),
      )
      yield line('  a plain loop in Node', { rate: median(plain) })
      yield memoryOf(chain.memory())
      await chain.stop()
    }
  } finally {
    await Promise.all([source.end(), sink.end(), loop.end()])
  }
}
