// Measures the memory of the Chromium container and its browser over many documents.
import { readFileSync } from 'node:fs'
import { childrenOf } from '../../scripts/lib/processes.ts'
import { verdict } from '../../scripts/lib/verdict.ts'
import type { RunningContainer } from '../../scripts/stack/containers.ts'
import { median } from '../figures.ts'
import type { Remote } from '../queue/remote.ts'
import type { Contenders } from './contenders.ts'

const steps = 20

/**
 * Prints the documents, and yields lines of the report: how much memory grows from the second fifth of the documents,
 * when both are warm, to the last.
 */
export async function* measureMemory(
  { pid }: RunningContainer,
  origin: string,
  contenders: Remote<Contenders>,
  documents: number,
): AsyncIterable<string> {
  if (process.platform !== 'linux') return yield 'without Linux: no memory is measured'
  const seen: { server: number; browser: number }[] = []
  for (let step = 0; step < steps; step++) {
    await contenders.documents(origin, 4, documents / steps)
    seen.push(heldBy(pid()!))
  }
  const fifth = steps / 5
  const of = (part: typeof seen, who: 'server' | 'browser') => median(part.map((one) => one[who]))
  for (const who of ['server', 'browser'] as const) {
    const [before, after] = [of(seen.slice(fifth, 2 * fifth), who), of(seen.slice(-fifth), who)]
    const peak = Math.max(...seen.map((one) => one[who]))
    const summary = `${megabytes(before)} warm, ${megabytes(after)} at last, ${megabytes(peak)} at peak`
    const flat = verdict(after < before * 1.25, 'grows by less than a quarter')
    yield [`${documents} documents, ${who}`.padEnd(32), summary, flat].join('  ')
  }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`

/** Memory in bytes of the server, and of its descendants, which are the browser. */
function heldBy(server: number) {
  return { server: shareOf(server), browser: below(server).reduce((sum, pid) => sum + shareOf(pid), 0) }
}

const below = (parent: number): number[] => childrenOf(parent).flatMap(({ pid }) => [pid, ...below(pid)])

/** Memory of a process in bytes. Shared memory is divided between its processes (proportional set size). */
function shareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0 // The process has ended.
  }
}
