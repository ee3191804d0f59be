// Starts ffmpeg and other programs that read untrusted files: with low priority and limited memory, and killed together
// with the server.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { killGroup, tailOf } from '../../shared/child.ts'

/** A program and its first arguments, such as Node with the script of the WebAssembly build. */
export type Tool = [command: string, ...args: string[]]

interface Limits {
  /** Memory limit of the process in bytes; undefined if the program limits itself. */
  memory: number | undefined
  signal: AbortSignal
}

export interface ToolProcess {
  stdin: Writable
  /** Resolves when the process has exited; never rejects. */
  ended: Promise<ProcessExit>
}

export interface ProcessExit {
  /** Exit code. Null if a signal ended the process. */
  code: number | null
  signal: NodeJS.Signals | null
  /** The last lines of stderr, which say why the program failed. */
  log: string
}

/**
 * Shell script that starts the program, so that a crash of the server leaves no process behind: file descriptor 3 is a
 * pipe that closes when the server exits for any reason, and the program is then killed. The memory limit is `ulimit
 * -d`, since `-v` would also count libraries and reserved address space.
 */
const guard =
  '(cat <&3; kill -9 $$) >/dev/null 2>&1 & memory=$1; shift; ulimit -d "$memory" 2>/dev/null; exec nice -n 10 "$@" 3<&-'

/** Starts a program with these arguments. Calls `onLine` with each line of its output. */
export function startChild(tool: Tool, args: string[], limits: Limits, onLine: (line: string) => void): ToolProcess {
  limits.signal.throwIfAborted()
  const child = spawnGuarded([...tool, ...args], limits.memory)
  const failed = new Promise<ProcessExit>((resolve) => child.once('error', () => resolve(notStarted)))
  const { stdin, stdout, stderr } = child
  // Without free file descriptors the process cannot start, and has no streams. The returned `stdin` then discards its
  // input.
  if (!stdin) return { stdin: new Writable({ write: (_chunk, _encoding, done) => done() }), ended: failed }
  // Errors of writing are ignored, since the program may exit before it has read its input.
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

/**
 * The result of a program that could not start. It counts as killed, so that a retry is possible: the input is not the
 * cause.
 */
const notStarted: ProcessExit = { code: null, signal: 'SIGKILL', log: 'cannot be started' }

function spawnGuarded(command: string[], memory: number | undefined): ChildProcessWithoutNullStreams {
  // `MALLOC_ARENA_MAX` limits the heaps of malloc: with one for each thread, the program would exceed the memory limit.
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', MALLOC_ARENA_MAX: '2', LC_ALL: 'C' }
  if (process.platform === 'win32') return spawn(command[0]!, command.slice(1))
  const kilobytes = memory === undefined ? 'unlimited' : String(Math.floor(memory / 1024))
  return spawn('sh', ['-c', guard, 'sh', kilobytes, ...command], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env,
    detached: true,
  })
}

/** Resolves when the program has read the chunk (backpressure), or has closed its input. */
export const write = (stdin: Writable, chunk: Buffer) =>
  new Promise<void>((resolve) => stdin.write(chunk, () => resolve()))
