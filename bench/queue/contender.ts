// The interface of a measured queue.

/** The JSON body of every task. */
export interface Load {
  n: number
  text: string
  /** Due time in milliseconds since 1970, if lateness is measured. */
  due?: number
}

/** A queue and its client, in a separate process. Every task posts its load to the target. */
export interface QueueContender {
  /** Creates due tasks for a worker with this number of daemons; runs none. */
  fill(count: number, daemons: number): Promise<void>
  /** Runs tasks, at most this number at a time, until `stop`. */
  start(daemons: number): Promise<void>
  stop(): Promise<void>
  /** Creates a task for each time, in milliseconds since 1970, while one daemon runs. */
  schedule(times: number[]): Promise<void>
  /** Creates tasks, one per call, 16 calls at a time, while none runs; returns tasks a second. */
  enqueue(seconds: number): Promise<number>
}

/** Number of concurrent calls of a client. */
export const width = 16

export const loadOf = (n: number): Load => ({ n, text: 'Lorem ipsum dolor sit amet' })

type Act = (n: number, lane: number) => Promise<unknown>

/** Calls `act` with 0 up to below `count`. */
export async function times(count: number, act: Act) {
  let next = 0
  const lanes = Array.from({ length: width }, async (_, lane) => {
    while (next < count) await act(next++, lane)
  })
  await Promise.all(lanes)
}

/** Calls that end a second, measured over `seconds`. */
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

/** All loads from 0 up to below `count`, in bulks that a queue accepts. */
export function* bulksOf(count: number, size = 1_000): Generator<Load[]> {
  for (let from = 0; from < count; from += size)
    yield Array.from({ length: Math.min(size, count - from) }, (_, i) => loadOf(from + i))
}
