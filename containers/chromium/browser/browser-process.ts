// Starts the operating system process of Chromium. The process leads a process group, which is killed as a whole, and
// never outlives the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'
import { killGroup, tailOf } from '../../shared/child.ts'
import { pipeTransport } from './devtools-pipe.ts'

export interface BrowserProcess {
  pid: number
  transport: ConnectionTransport
  /** Resolves with the last lines of stderr when the process has exited; never rejects. */
  ended: Promise<string>
  /** Kills the process group, so that no child process of the browser survives. */
  kill(): void
}

/**
 * Shell code that runs before the browser, so that a crash of the server leaves no browser behind. A background job
 * waits for the end of the pipe at file descriptor 5, which closes when the server exits for any reason, then deletes
 * the temporary folders and kills the process group.
 */
const watchdog =
  '(cat <&5; rm -rf -- "$TMPDIR"; rmdir -- "$(dirname -- "$TMPDIR")"; kill -9 -$$) 3<&- 4>&- >/dev/null 2>&1 & exec "$@" 5<&-'

/** Starts a browser that speaks the DevTools protocol on file descriptors 3 and 4. */
export function startBrowserProcess(command: string[], env: NodeJS.ProcessEnv): BrowserProcess {
  const child = spawn('sh', ['-c', watchdog, 'sh', ...command], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env,
  })
  const exited = once(child, 'exit')
  // If the limit of open files is reached, the started process has no streams, and counts as not started.
  if (!child.stdio)
    return { pid: 0, transport: closedTransport, ended: exited.then(notStarted, notStarted), kill: () => {} }
  const [, , stderr, out, incoming] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  const log = tailOf(stderr)
  const kill = () => killGroup(child)
  const ended = exited.then(log, notStarted)
  void ended.then(kill)
  return { pid: child.pid ?? 0, transport: pipeTransport(out, incoming), ended, kill }
}

const notStarted = () => 'cannot be started'

const closedTransport: ConnectionTransport = { send: () => {}, close: () => {} }
