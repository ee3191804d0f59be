// What is measured of a queue, whichever it is.

/** The JSON body of every task. */
export interface Load {
  n: number
  text: string
  /** When it should come, in milliseconds since 1970, where that is measured. */
  due?: number
}

/** A queue, and the client that adds to it, in a process of their own. Every task posts its load to the target. */
export interface QueueContender {
  /** Adds so many tasks, due at once, where this many daemons will run them; runs none. */
  fill(count: number, daemons: number): Promise<void>
  /** Runs tasks, at most this many at a time, until `stop`. */
  start(daemons: number): Promise<void>
  stop(): Promise<void>
  /** Adds a task for each of these times, in milliseconds since 1970, where one daemon runs. */
  schedule(times: number[]): Promise<void>
  /** Adds tasks, each by itself, 16 at a time, where none runs; how many each second. */
  enqueue(seconds: number): Promise<number>
}

/** How many calls a client has under way at a time. */
export const width = 16

export const loadOf = (n: number): Load => ({ n, text: 'Lorem ipsum dolor sit amet' })

type Act = (n: number, lane: number) => Promise<unknown>

/** Calls it with 0 up to below a count. */
export async function times(count: number, act: Act) {
  let next = 0
  const lanes = Array.from({ length: width }, async (_, lane) => {
    while (next < count) await act(next++, lane)
  })
  await Promise.all(lanes)
}

/** How many calls end each second, over so many seconds. */
export async function rateOf(seconds: number, act: Act): Promise<number> {
  const begun = performance.now()
  const until = begun + seconds * 1_000
  let next = 0
  const lanes = Array.from({ length: width }, async (_, lane) => {
    while (performance.now() < until) await act(next++, lane)
  })
  await Promise.all(lanes)
  return (next / (performance.now() - begun)) * 1_000
}

/** All loads from 0 up to below a count, in pieces that a queue takes at once. */
export function* bulksOf(count: number, size = 1_000): Generator<Load[]> {
  for (let from = 0; from < count; from += size)
    yield Array.from({ length: Math.min(size, count - from) }, (_, i) => loadOf(from + i))
}
