// Runs a soak test: the stack in this process, and the load in a forked process, so that the load does not disturb the
// measured memory.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { components } from '../stack/components.ts'
import { freePort } from '../stack/port.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import type { Variables } from '../stack/variables.ts'
import { garbageOf } from './garbage-collection.ts'
import type { BeginCommand, LoadCommand, LoadMessage, LoadResult } from './load.ts'
import { type Sample, sampleMemory } from './memory.ts'
import { administratorSecret } from './mix/bus.ts'

interface Soak {
  seconds: number
  /** Operations a second. */
  rate: number
  /** Names of the components under load. All components run. */
  components: string[]
  /** Additional variables of the stack. */
  variables: Variables
  /** Ends the test early, with the results so far. */
  signal: AbortSignal
}

export interface SoakResult extends LoadResult {
  samples: Sample[]
  /** Lines that components logged as errors, which make the test fail. */
  logged: string[]
}

/** Maximum number of error lines that are kept. */
const maxLogged = 100

export async function soak({ seconds, rate, components: loaded, variables, signal }: Soak): Promise<SoakResult> {
  const stateDir = await mkdtemp(join(tmpdir(), 'quartermaster-soak-'))
  const load = fork('scripts/soak/load.ts')
  const logged: string[] = []
  const log = (line: string) => {
    if (isError(line) && logged.length < maxLogged) logged.push(line)
  }
  let stack: Stack | undefined
  try {
    const { listening } = await nextMessage(load, 'listening')
    const soakVariables = {
      BOX_ADMIN_SECRET: administratorSecret,
      PAYMENT_CHECK_URL: `${listening}/account`,
      PAYMENT_WEBHOOK_URL: `${listening}/payment`,
    }
    const inspector = await freePort(0)
    stack = await withoutSignalHandlers(() =>
      startStack({
        port: 0,
        stateDir,
        variables: { ...variables, ...soakVariables },
        components: components(),
        inspector,
        log,
      }),
    )
    const begin = { url: stack.url, components: loaded, rate, seconds }
    return { ...(await runLoad(stack, inspector, load, begin, signal)), logged }
  } catch (error) {
    for (const line of logged) console.error(line)
    throw error
  } finally {
    if (load.connected) load.disconnect()
    await stack?.dispose()
    await rm(stateDir, { recursive: true, maxRetries: 5 })
  }
}

/**
 * Runs `start` and removes the signal handlers that it installs: they would end the process before the report is
 * printed.
 */
async function withoutSignalHandlers<T>(start: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const soakVariables = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const started = await start()
  for (const signal of signals)
    for (const listener of process.listeners(signal)) if (!soakVariables.has(listener)) process.off(signal, listener)
  return started
}

async function runLoad(stack: Stack, inspector: number, load: ChildProcess, begin: BeginCommand, signal: AbortSignal) {
  const stop = () => send(load, { stop: true })
  const sweeps = setInterval(() => void stack.sweep().catch(() => undefined), 60_000)
  const garbage = await garbageOf(inspector)
  const collections = setInterval(garbage.collect, collectionIntervalMs)
  const samples: Sample[] = []
  let sampling: NodeJS.Timeout | undefined
  try {
    const result = nextMessage(load, 'calls')
    result.catch(() => undefined) // Awaited below; this avoids an unhandled rejection.
    const began = nextMessage(load, 'began')
    send(load, begin)
    await began
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    const start = performance.now()
    const sample = () => samples.push(sampleMemory(stack, performance.now() - start))
    sample()
    sampling = setInterval(sample, sampleIntervalMs(begin.seconds))
    const outcome = await result
    sample()
    return { ...outcome, samples }
  } finally {
    clearInterval(sampling)
    clearInterval(sweeps)
    clearInterval(collections)
    garbage.close()
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Interval of garbage collections in milliseconds. Memory growth is measured in twelve parts of the run, each of which
 * needs at least one collection.
 */
const collectionIntervalMs = 15_000

/** Interval of memory samples in milliseconds. */
const sampleIntervalMs = (seconds: number) => Math.min(5_000, Math.max(250, seconds * 4))

const send = (load: ChildProcess, command: LoadCommand) => void load.send(command)

type MessageWith<Key extends string> = Extract<LoadMessage, Record<Key, unknown>>

/** Resolves with the next message of a kind from the load process. Throws if the load process exits first. */
async function nextMessage<Key extends 'listening' | 'began' | 'calls'>(
  load: ChildProcess,
  key: Key,
): Promise<MessageWith<Key>> {
  const received = new AbortController()
  const { signal } = received
  try {
    return await Promise.race([
      new Promise<MessageWith<Key>>((resolve) => {
        const take = (message: LoadMessage) => {
          if (key in message) resolve(message as MessageWith<Key>) // Only messages of this kind have the key.
        }
        load.on('message', take)
        signal.addEventListener('abort', () => load.off('message', take))
      }),
      once(load, 'exit', { signal }).then(() => {
        throw new Error('The load process exited')
      }),
    ])
  } finally {
    received.abort()
  }
}

const isError = (line: string) => line.includes('"level":"error"')
