// Measures the memory that an operation takes, in a fresh runtime. The isolate cannot be measured, so the growth of the
// runtime's process counts, although that includes R2 and others.
import { setTimeout as pause } from 'node:timers/promises'
import { childrenOf, memoryOf, resetPeak } from '../../scripts/lib/processes.ts'
import { verdict } from '../../scripts/lib/verdict.ts'
import { components, type WorkerFiles } from '../../scripts/stack/components.ts'
import { startStack } from '../../scripts/stack/stack.ts'
import type { Form } from './client.ts'

/**
 * An operation whose memory is measured. It runs once, after the same operation with a small file, which warms up the
 * runtime.
 */
export interface MemoryTask {
  name: string
  small: Form
  large: Form
  act: (origin: string, form: Form) => Promise<unknown>
  /** Whether the operation must work without the container. */
  withoutContainer: boolean
  /** A Worker that makes the same calls of R2 and nothing else. The growth of its runtime is subtracted. */
  floor?: WorkerFiles
}

const isolate = 128 * 1024 * 1024

/** Yields a line of the report per task. `folder` is for the state of the runtimes. */
export async function* measureMemory(tasks: MemoryTask[], folder: string): AsyncIterable<string> {
  if (process.platform !== 'linux') return yield 'without Linux: no memory is measured'
  for (const task of tasks) {
    const worker = components().find(({ name }) => name === 'media')!
    const { grown, container, ffmpeg } = await measure(task, worker, folder)
    const aside = task.floor ? (await measure(task, task.floor, folder)).grown : 0
    const cells = [
      task.name.padEnd(32),
      `workerd +${megabytes(grown)}`,
      container ? `container ${megabytes(container)}` : ''.padEnd(16),
      ffmpeg ? `ffmpeg ${megabytes(ffmpeg)}` : ''.padEnd(13),
      verdict(grown - aside < isolate, `128 MB${aside ? ` beyond the ${megabytes(aside)} of a bare Worker` : ''}`),
    ]
    yield cells.join('  ')
  }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0).padStart(3)} MB`

async function measure({ small, large, act, withoutContainer }: MemoryTask, worker: WorkerFiles, folder: string) {
  const others = new Set(runtimes())
  const stack = await startStack({
    port: 0,
    stateDir: folder,
    components: [worker],
    ...(withoutContainer && { containers: [] }),
    direct: [worker.name],
    log: () => undefined,
  })
  try {
    const runtime = runtimes().find((pid) => !others.has(pid))!
    const container = stack.containers.media
    await container?.up()
    const origin = stack.origins[worker.name]!
    await act(origin, small)
    await pause(settling)
    const server = container?.pid()
    for (const pid of [runtime, server]) if (pid) resetPeak(pid)
    const before = memoryOf(runtime).now
    const ffmpeg = server ? watch(server, 'ffmpeg') : undefined
    await act(origin, large)
    return {
      grown: memoryOf(runtime).peak - before,
      container: server ? memoryOf(server).peak : 0,
      ffmpeg: ffmpeg?.() ?? 0,
    }
  } finally {
    await stack.dispose()
  }
}

/** Time in milliseconds within which the runtime frees the memory of earlier operations. */
const settling = 500

const runtimes = () => childrenOf(process.pid).flatMap(({ pid, name }) => (name === 'workerd' ? pid : []))

/** Polls the memory of a program that a process starts. Returns a function that returns the maximum so far. */
function watch(parent: number, name: string): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const child of childrenOf(parent)) if (child.name === name) peak = Math.max(peak, memoryOf(child.pid).peak)
  }, 50)
  return () => {
    clearInterval(timer)
    return peak
  }
}
