// A process that runs for as long as this one does.
import type { ChildProcessByStdio } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import { endGroup, watchGroup } from './watchdog.ts'

/** A process that leads a group of its own, and says something once it is up. */
type Leader = ChildProcessByStdio<null, Readable, Readable>

export interface KeptProcess {
  /** Nothing while it is about to start again. */
  pid(): number | undefined
  /** Resolves once it is up, or up again; one that was killed counts as up until `pid` says otherwise. */
  up(): Promise<void>
  /** Ends it for good, with its group. */
  end(): Promise<void>
}

/** Milliseconds before a new start: each time twice as many, until one has lived for as long as the longest. */
const pauses = { first: 100, longest: 5_000 }

/** Starts a process, and again whenever it ends, with nothing left of its group; `onEnd` learns how it ended. */
export function keep(start: () => Leader, onEnd: (how: string) => void): KeptProcess {
  const news = new EventEmitter<{ up: []; over: [] }>().setMaxListeners(0)
  let child: Leader
  let isUp = false
  let isOver = false
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
    // Not before all that it said is read.
    child.once('close', () => {
      isUp = false
      if (isOver) return void news.emit('over')
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
      isOver = true
      clearTimeout(timer)
      if (!isRunning()) return
      endGroup(child)
      await once(news, 'over')
    },
  }
}

/** What to say of how a process ended: its signal, what it said last of an error, or its exit code. */
function reasonOf(child: Leader): () => string {
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-10_000)
  })
  return () => child.signalCode ?? /^\w*Error\b.*/m.exec(tail)?.[0] ?? `exit code ${child.exitCode}`
}
