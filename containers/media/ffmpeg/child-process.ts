// Programs that read what strangers sent: niced, bounded, and never longer alive than the server.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { killGroup, tailOf } from '../../shared/child.ts'

/** A program and the arguments that come first. */
export type Tool = [command: string, ...args: string[]]

interface Limits {
  /** Bytes that it may allocate; undefined where it bounds itself. */
  memory: number | undefined
  signal: AbortSignal
}

export interface ToolProcess {
  stdin: Writable
  /** Resolves when it is gone; never rejects. */
  ended: Promise<ProcessExit>
}

export interface ProcessExit {
  /** Null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of what it said on stderr. */
  log: string
}

/**
 * In the shell that becomes the program. The pipe at 3 closes with the server, however that comes about. What the program
 * may allocate is bounded by `-d` rather than `-v`, which would count its libraries and whatever it only reserves.
 */
const guard =
  '(cat <&3; kill -9 $$) >/dev/null 2>&1 & memory=$1; shift; ulimit -d "$memory" 2>/dev/null; exec nice -n 10 "$@" 3<&-'

/** Starts it with just these arguments; each line of its output goes to `onLine`. */
export function startChild(tool: Tool, args: string[], limits: Limits, onLine: (line: string) => void): ToolProcess {
  limits.signal.throwIfAborted()
  const child = spawnGuarded([...tool, ...args], limits.memory)
  const failed = new Promise<ProcessExit>((resolve) => child.once('error', () => resolve(notStarted)))
  const { stdin, stdout, stderr } = child
  // Where there may be no more open files, it has no streams.
  if (!stdin) return { stdin: new Writable({ write: (_chunk, _encoding, done) => done() }), ended: failed }
  // It may end before it has read everything.
  stdin.on('error', () => {})
  createInterface({ input: stdout }).on('line', onLine)
  const log = tailOf(stderr)
  const kill = () => killGroup(child)
  limits.signal.addEventListener('abort', kill, { once: true })
  child.once('exit', kill)
  const closed = new Promise<ProcessExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, log: log() }))
  })
  const ended = Promise.race([failed, closed]).finally(() => limits.signal.removeEventListener('abort', kill))
  return { stdin, ended }
}

/** Counts as killed: what it was to read is not to blame. */
const notStarted: ProcessExit = { code: null, signal: 'SIGKILL', log: 'cannot be started' }

function spawnGuarded(command: string[], memory: number | undefined): ChildProcessWithoutNullStreams {
  // An arena of memory per thread would be most of what it allocates.
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', MALLOC_ARENA_MAX: '2', LC_ALL: 'C' }
  if (process.platform === 'win32') return spawn(command[0]!, command.slice(1))
  const kilobytes = memory === undefined ? 'unlimited' : String(Math.floor(memory / 1024))
  return spawn('sh', ['-c', guard, 'sh', kilobytes, ...command], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env,
    detached: true,
  })
}

/** Resolves when the child has taken it, or takes nothing more. */
export const write = (stdin: Writable, chunk: Buffer) =>
  new Promise<void>((resolve) => stdin.write(chunk, () => resolve()))
