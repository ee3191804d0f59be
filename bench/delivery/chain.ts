// Measures the whole chain of a delivery in a separate runtime: recipients from a URL, ledger, queue, email.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { components } from '../../scripts/stack/components.ts'
import { freePort } from '../../scripts/stack/port.ts'
import { startStack } from '../../scripts/stack/stack.ts'
import { type Heap, heapOf } from './heap.ts'
import { gap, html, payload, subject } from './letter.ts'

interface Chain {
  /** Address of the email component. */
  email: string
  /** Sends to this number of recipients. Returns the rate in recipients a second. */
  deliver(url: string, recipients: number): Promise<number>
  /** Maximum memory of the Worker and its ledgers so far, in bytes. */
  memory(): number
  stop(): Promise<void>
}

const parts = ['queue', 'delivery', 'email']

export async function startChain(daemons: number, smtpPort: number): Promise<Chain> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
  const inspector = await freePort(0)
  const stack = await startStack({
    port: 0,
    stateDir,
    components: components().filter(({ name }) => parts.includes(name)),
    direct: ['email'],
    inspector,
    variables: {
      QUEUE_WORKERS: JSON.stringify({ delivery: daemons }),
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtpPort),
      EMAIL_FROM: 'Bench <bench@example.com>',
    },
    log: () => undefined,
  })
  const heap = await heapOf(inspector, 'delivery')
  const watched = { heap, most: 0 }
  return {
    email: stack.origins.email!,
    deliver: (url, recipients) => deliver(stack.url, url, recipients, watched),
    memory: () => watched.most,
    stop: async () => {
      heap.close()
      await stack.dispose()
      await rm(stateDir, { recursive: true })
    },
  }
}

interface Watched {
  heap: Heap
  most: number
}

interface DeliveryReply {
  delivery: { id: number; status: string; report: { email: { sent: number } } }
}

async function deliver(origin: string, data_url: string, recipients: number, watched: Watched): Promise<number> {
  const texts = { email_subject: { en: subject }, email_html: { en: html } }
  const range = { min: 1, max: recipients, gap }
  const newDelivery = { name: 'Bench', ...range, has_email: true, data_url, filters: {}, payload, ...texts }
  const began = performance.now()
  const started = await ask(`${origin}/delivery/delivery`, { method: 'POST', body: JSON.stringify(newDelivery) })
  for (;;) {
    const { delivery } = await ask(`${origin}/delivery/delivery?id=${started.delivery.id}`)
    if (delivery.status === 'finished' && delivery.report.email.sent === recipients) break
    if (delivery.status !== 'started') throw new Error(`It has ended otherwise: ${JSON.stringify(delivery.report)}`)
    watched.most = Math.max(watched.most, await watched.heap.size())
    await pause(100)
  }
  return (recipients / (performance.now() - began)) * 1_000
}

async function ask(url: string, init?: RequestInit): Promise<DeliveryReply> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { content: DeliveryReply }).content
}
