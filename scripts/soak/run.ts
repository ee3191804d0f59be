// One soak: the stack in this process, the load in another, and what was seen of both.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { components } from '../stack/components.ts'
import { freePort } from '../stack/port.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import type { Variables } from '../stack/variables.ts'
import { garbageOf } from './garbage.ts'
import type { Begin, LoadResult, News, Order } from './load.ts'
import { lookAt, type Sample } from './memory.ts'
import { administratorSecret } from './mix/bus.ts'

interface Soak {
  seconds: number
  /** Operations a second. */
  rate: number
  /** The components that are worked; all run. */
  components: string[]
  /** What the stack gets besides. */
  variables: Variables
  /** Ends it early, with what there is by then. */
  signal: AbortSignal
}

export interface Seen extends LoadResult {
  samples: Sample[]
  /** Lines that components logged as errors. */
  logged: string[]
}

/** How many lines of errors are kept. */
const mostLogged = 100

export async function soak({ seconds, rate, components: worked, variables, signal }: Soak): Promise<Seen> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-soak-'))
  const load = fork('scripts/soak/load.ts')
  const logged: string[] = []
  const log = (line: string) => {
    if (isError(line) && logged.length < mostLogged) logged.push(line)
  }
  let stack: Stack | undefined
  try {
    const { listening } = await newsOf(load, 'listening')
    const own = {
      BOX_ADMIN_SECRET: administratorSecret,
      PAYMENT_CHECK_URL: `${listening}/account`,
      PAYMENT_WEBHOOK_URL: `${listening}/payment`,
    }
    const inspector = await freePort(0)
    stack = await keepingSignals(() =>
      startStack({ port: 0, stateDir, variables: { ...variables, ...own }, components: components(), inspector, log }),
    )
    const begin = { url: stack.url, components: worked, rate, seconds }
    return { ...(await work(stack, inspector, load, begin, signal)), logged }
  } catch (error) {
    for (const line of logged) console.error(line)
    throw error
  } finally {
    if (load.connected) load.disconnect()
    await stack?.dispose()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

/** Starts something that ends this process at a signal, and takes that from it: there is a report to be made first. */
async function keepingSignals<T>(start: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const own = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const started = await start()
  for (const signal of signals)
    for (const listener of process.listeners(signal)) if (!own.has(listener)) process.off(signal, listener)
  return started
}

async function work(stack: Stack, inspector: number, load: ChildProcess, begin: Begin, signal: AbortSignal) {
  const stop = () => say(load, { stop: true })
  const sweeps = setInterval(() => void stack.sweep().catch(() => undefined), 60_000)
  const garbage = await garbageOf(inspector)
  const collections = setInterval(garbage.collect, collected)
  const samples: Sample[] = []
  let looks: NodeJS.Timeout | undefined
  try {
    const over = newsOf(load, 'calls')
    over.catch(() => undefined) // It is waited for below.
    const began = newsOf(load, 'began')
    say(load, begin)
    await began
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const start = performance.now()
    const look = () => samples.push(lookAt(stack, performance.now() - start))
    look()
    looks = setInterval(look, everyOf(begin.seconds))
    const outcome = await over
    look()
    return { ...outcome, samples }
  } finally {
    clearInterval(looks)
    clearInterval(sweeps)
    clearInterval(collections)
    garbage.close()
    signal.removeEventListener('abort', stop)
  }
}

/** Milliseconds from one collection of garbage to the next; there is one in each of the parts that growth is judged by. */
const collected = 15_000

/** Milliseconds between looks at the memory. */
const everyOf = (seconds: number) => Math.min(5_000, Math.max(250, seconds * 4))

const say = (load: ChildProcess, order: Order) => void load.send(order)

type Saying<Key extends string> = Extract<News, Record<Key, unknown>>

/** The next news of a kind; fails when the load ends first. */
async function newsOf<Key extends 'listening' | 'began' | 'calls'>(load: ChildProcess, key: Key): Promise<Saying<Key>> {
  const heard = new AbortController()
  const { signal } = heard
  try {
    return await Promise.race([
      new Promise<Saying<Key>>((resolve) => {
        const take = (news: News) => {
          if (key in news) resolve(news as Saying<Key>) // It has the key that only this kind has.
        }
        load.on('message', take)
        signal.addEventListener('abort', () => load.off('message', take))
      }),
      once(load, 'exit', { signal }).then(() => {
        throw new Error('The load ended by itself')
      }),
    ])
  } finally {
    heard.abort()
  }
}

const isError = (line: string) => line.includes('"level":"error"')
