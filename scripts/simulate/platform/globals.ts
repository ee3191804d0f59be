// Replaces the globals of a thread by those of the running simulation: clock, timers, random numbers, network and log.
import type { Random } from '../../lib/random.ts'
import { type EventLoop, running, type ScheduledEvent } from './event-loop.ts'
import type { ScriptedNetwork } from './network.ts'
import { Crashed } from './storage.ts'

/** What the globals of a thread refer to. */
interface World {
  loop: EventLoop
  network: ScriptedNetwork
  random: Random
  /** Called with each line of the log. */
  onLog: (line: string) => void
}

let network: ScriptedNetwork | undefined
let onUnhandled: (error: unknown) => void = () => undefined

process.on('unhandledRejection', (error) => onUnhandled(error))

/** The network of the running simulation. */
export function currentNetwork(): ScriptedNetwork {
  if (!network) throw new Error('No simulation runs')
  return network
}

/** Gives the globals of this thread to a simulation. */
export function useWorld({ loop, random, onLog, ...world }: World): void {
  const { network: fetcher } = world
  network = fetcher
  onUnhandled = (error) => error instanceof Crashed || loop.onUncaught(error)
  const timer = (run: () => void, delayMs = 0) => loop.schedule(delayMs, run, running.getStore())
  const cancel = (event: ScheduledEvent | undefined) => {
    if (event) event.isCanceled = true
  }
  const timeoutSignal = (delayMs: number) => {
    const controller = new AbortController()
    timer(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), delayMs)
    return controller.signal
  }
  Object.assign(globalThis, {
    setTimeout: timer,
    clearTimeout: cancel,
    scheduler: { wait: (delayMs: number) => loop.wait(delayMs) },
    fetch: (url: string, init?: RequestInit) => fetcher.fetch(url, init),
  })
  Date.now = () => loop.now
  Math.random = () => random.share()
  AbortSignal.timeout = timeoutSignal
  const logLine = (line: string) => {
    // A process may still log its own crash.
    if (!running.getStore()?.isDead) onLog(line)
  }
  console.log = logLine
  console.error = logLine
}
