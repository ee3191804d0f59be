// The whole chain with so many daemons: recipients from a URL, books, queue, mail. It has a runtime of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { components } from '../../stack/components.ts'
import { startStack } from '../../stack/stack.ts'
import { childrenOf, memoryOf, resetPeak } from '../media/processes.ts'
import { gap, html, payload, subject } from './letter.ts'

export interface Chain {
  /** Where the component is that sends mail. */
  email: string
  /** Sends to so many; gives how many a second. */
  deliver(url: string, recipients: number): Promise<number>
  /** Bytes of the runtime, with all components in it, at the most since it was last asked; 0 where that cannot be known. */
  memory(): number
  stop(): Promise<void>
}

const parts = ['queue', 'delivery', 'email']

export async function startChain(daemons: number, smtpPort: number): Promise<Chain> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
  const others = new Set(runtimes())
  const stack = await startStack({
    port: 0,
    stateDir,
    components: components().filter(({ name }) => parts.includes(name)),
    direct: ['email'],
    variables: {
      QUEUE_WORKERS: JSON.stringify({ delivery: daemons }),
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtpPort),
      EMAIL_FROM: 'Bench <bench@example.com>',
    },
    log: () => undefined,
  })
  const runtime = runtimes().find((pid) => !others.has(pid))
  return {
    email: stack.origins.email!,
    deliver: (url, recipients) => deliver(stack.url, url, recipients),
    memory: () => {
      if (!runtime) return 0
      const { peak } = memoryOf(runtime)
      resetPeak(runtime)
      return peak
    },
    stop: async () => {
      await stack.dispose()
      await rm(stateDir, { recursive: true })
    },
  }
}

const runtimes = () =>
  process.platform === 'linux'
    ? childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))
    : []

interface Shown {
  delivery: { id: number; status: string; report: { email: { sent: number } } }
}

async function deliver(origin: string, data_url: string, recipients: number): Promise<number> {
  const texts = { email_subject: { en: subject }, email_html: { en: html } }
  const range = { min: 1, max: recipients, gap }
  const asked = { name: 'Bench', ...range, has_email: true, data_url, filters: {}, payload, ...texts }
  const began = performance.now()
  const started = await ask(`${origin}/delivery/delivery`, { method: 'POST', body: JSON.stringify(asked) })
  for (;;) {
    const { delivery } = await ask(`${origin}/delivery/delivery?id=${started.delivery.id}`)
    if (delivery.status === 'finished' && delivery.report.email.sent === recipients) break
    if (delivery.status !== 'started') throw new Error(`It has ended otherwise: ${JSON.stringify(delivery.report)}`)
    await pause(100)
  }
  return (recipients / (performance.now() - began)) * 1_000
}

async function ask(url: string, init?: RequestInit): Promise<Shown> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { content: Shown }).content
}
