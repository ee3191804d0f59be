// The load process of a soak test: calls the stack, and serves the systems that the components call.
// scripts/soak/run.ts forks this file.

import { clientOf } from '../lib/http-client.ts'
import { randomOf } from '../lib/random.ts'
import { startTarget } from '../lib/target.ts'
import { mix } from './mix/mix.ts'
import type { SoakWorld } from './mix/operation.ts'
import { arrive, type ScheduledCall } from './open-loop.ts'

/** A message from the parent process, which measures the memory. */
export type LoadCommand = { stop: true } | BeginCommand

export interface BeginCommand {
  url: string
  /** Names of the components under load. */
  components: string[]
  rate: number
  seconds: number
}

/** A message to the parent process: the address of the server, the start of the load, or its result. */
export type LoadMessage = { listening: string } | { began: true } | LoadResult

export interface LoadResult {
  /** Names of the operations. */
  operations: string[]
  calls: ScheduledCall[]
  /** Final checks that failed. */
  failedChecks: string[]
}

const send = (message: LoadMessage) => process.send!(message)

const stop = new AbortController()
// Ends the load at a signal. Ctrl-C ends the runtime too, so calls that fail later must not count.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())
process.on('disconnect', () => process.exit())
process.on('message', async (command: LoadCommand) => {
  if ('stop' in command) stop.abort()
  else send(await work(command))
})

const target = await startTarget()
send({ listening: target.url })

async function work({ url, components, rate, seconds }: BeginCommand): Promise<LoadResult> {
  const random = randomOf(Date.now())
  let count = 0
  const run = random.between(0, 2 ** 31).toString(36)
  const world: SoakWorld = { ...clientOf(url), url, random, target, unique: () => `s${run}-${count++}` }
  const parts = components.map((name) => mix[name]!)
  for (const part of parts) await part.prepare?.(world)
  send({ began: true })
  const began = performance.now()
  const operations = parts.flatMap((part) => part.operations)
  const make = (operation: (typeof operations)[number]) => operation.run(world)
  const calls = await arrive({ operations, rate, seconds, random, signal: stop.signal, make })
  const failedChecks: string[] = []
  for (const part of stop.signal.aborted ? [] : parts)
    await part.check?.(world, performance.now() - began).catch((error: Error) => failedChecks.push(error.message))
  return { operations: operations.map(({ name }) => name), calls, failedChecks }
}
