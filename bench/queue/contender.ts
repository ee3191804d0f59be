// The interface of a queue that the benchmark measures, ours or a peer's.

/** The JSON body of every task. */
export interface Load {
  n: number
  text: string
  /** Time at which the task is due, in milliseconds since 1970. Set if lateness is measured. */
  due?: number
}

/** A measured queue with its client, in a separate process. Every task posts its load to the target server. */
export interface QueueContender {
  /** Creates due tasks for a worker with this number of daemons, and runs none of them. */
  fill(count: number, daemons: number): Promise<void>
  /** Runs tasks until `stop` is called, at most this number at a time. */
  start(daemons: number): Promise<void>
  stop(): Promise<void>
  /** Creates a task for each of these times, in milliseconds since 1970, while one daemon runs. */
  schedule(times: number[]): Promise<void>
  /**
   * Creates tasks for this time, one per call, 16 calls at a time, while none runs. Returns the rate in tasks a second.
   */
  enqueue(seconds: number): Promise<number>
}

/** Number of concurrent calls with which tasks are created. */
export const width = 16

export const loadOf = (n: number): Load => ({ n, text: 'Lorem ipsum dolor sit amet' })

type Act = (n: number, lane: number) => Promise<unknown>

/** Calls `act` with each number from 0 to below `count`, `width` calls at a time. */
export async function times(count: number, act: Act) {
  let next = 0
  const lanes = Array.from({ length: width }, async (_, lane) => {
    while (next < count) await act(next++, lane)
  })
  await Promise.all(lanes)
}

/** Repeats calls for this time. Returns how many calls end a second. */
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

/** The loads from 0 to below `count`, in bulks of a size that a queue accepts. */
export function* bulksOf(count: number, size = 1_000): Generator<Load[]> {
  for (let from = 0; from < count; from += size)
    yield Array.from({ length: Math.min(size, count - from) }, (_, i) => loadOf(from + i))
}
