// Compares the duration of an operation of the media component with that of a peer.
import { performance } from 'node:perf_hooks'
import { line, median } from '../figures.ts'

/** An operation, ours or a peer's, run the n-th time. It can use `n` to make each run different. */
type Act = (n: number) => Promise<unknown>

/** Median durations in milliseconds. */
interface Turns {
  ours: number
  peers: number
  /** Our median duration divided by the peer's. */
  ratio: number
}

/** Measures both operations in turn, so that a slower machine slows both. The first run of each does not count. */
export async function takeTurns(rounds: number, ours: Act, peers: Act): Promise<Turns> {
  const [own, other]: [number[], number[]] = [[], []]
  for (let n = 0; n <= rounds; n++) {
    const times = [await timeOf(() => ours(n)), await timeOf(() => peers(n))] as const
    if (n === 0) continue
    own.push(times[0])
    other.push(times[1])
  }
  return { ours: median(own), peers: median(other), ratio: median(own) / median(other) }
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** Two lines of the report: our figures with notes, and the peer's. */
export function* rows(name: string, peer: string, turns: Turns, ...notes: string[]): Generator<string> {
  yield line(name, { p50: turns.ours }, `${turns.ratio.toFixed(2)} times`.padEnd(10), ...notes)
  yield line(`  ${peer}`, { p50: turns.peers })
}
