// Keeps a child process running: restarts it with exponential backoff until this process ends.
import type { ChildProcessByStdio } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import { endGroup, watchGroup } from './watchdog.ts'

/** A process that leads a process group, and prints a first line when it is up. */
type Leader = ChildProcessByStdio<null, Readable, Readable>

export interface SupervisedProcess {
  /** The id of the process. Undefined while the process restarts. */
  pid(): number | undefined
  /**
   * Resolves when the process is up. After a kill, the process counts as up until its exit is seen: compare `pid`
   * before and after.
   */
  up(): Promise<void>
  /** Ends the process and its group, and does not restart it. */
  end(): Promise<void>
}

/**
 * Delay before a restart in milliseconds: doubles from `first` up to `longest`, and returns to `first` if the process
 * has lived for longer than `longest`.
 */
const pauses = { first: 100, longest: 5_000 }

/** Starts a process, and restarts it whenever it ends, after killing the rest of its group. `onEnd` gets the reason. */
export function supervise(start: () => Leader, onEnd: (reason: string) => void): SupervisedProcess {
  const news = new EventEmitter<{ up: []; over: [] }>().setMaxListeners(0)
  let child: Leader
  let isUp = false
  let hasEnded = false
  let pause = pauses.first
  let timer: NodeJS.Timeout | undefined

  function run() {
    const began = Date.now()
    child = start()
    watchGroup(child)
    child.stdout.once('data', () => {
      isUp = true
      news.emit('up')
    })
    const reason = reasonOf(child)
    // Waits for `close` and not `exit`, since all output of the process has been read then.
    child.once('close', () => {
      isUp = false
      if (hasEnded) return void news.emit('over')
      onEnd(reason())
      if (Date.now() - began > pauses.longest) pause = pauses.first
      timer = setTimeout(run, pause)
      pause = Math.min(2 * pause, pauses.longest)
    })
  }
  run()

  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    pid: () => (isRunning() ? child.pid : undefined),
    up: async () => {
      if (!(isUp && isRunning())) await once(news, 'up')
    },
    end: async () => {
      hasEnded = true
      clearTimeout(timer)
      if (!isRunning()) return
      endGroup(child)
      await once(news, 'over')
    },
  }
}

/** Returns a function that describes the end of a process: its signal, the last line of its error output, or its exit code. */
function reasonOf(child: Leader): () => string {
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-10_000)
  })
  return () => child.signalCode ?? /^\w*Error\b.*/m.exec(tail)?.[0] ?? `exit code ${child.exitCode}`
}
