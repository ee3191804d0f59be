// Chromium as a process: it leads a group of its own, which ends as one, and never lives longer than the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'
import { killGroup, tailOf } from '../../shared/child.ts'
import { pipeTransport } from './pipe.ts'

export interface BrowserProcess {
  pid: number
  transport: ConnectionTransport
  /** Resolves with the end of what it said on stderr, once it is gone; never rejects. */
  ended: Promise<string>
  /** Ends it at once, with all that it has started. */
  kill(): void
}

/** In the shell that becomes the browser. The pipe at 5 closes with the server, however that comes about: nothing is left. */
const guard =
  '(cat <&5; rm -rf -- "$TMPDIR"; rmdir -- "$(dirname -- "$TMPDIR")"; kill -9 -$$) 3<&- 4>&- >/dev/null 2>&1 & exec "$@" 5<&-'

/** Starts a command that speaks the DevTools protocol at 3 and 4. */
export function startChild(command: string[], env: NodeJS.ProcessEnv): BrowserProcess {
  const child = spawn('sh', ['-c', guard, 'sh', ...command], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env,
  })
  const exited = once(child, 'exit')
  // Where there may be no more open files, it has no streams.
  if (!child.stdio) return { pid: 0, transport: nowhere, ended: exited.then(notStarted, notStarted), kill: () => {} }
  const [, , stderr, out, incoming] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  const log = tailOf(stderr)
  const kill = () => killGroup(child)
  const ended = exited.then(log, notStarted)
  void ended.then(kill)
  return { pid: child.pid ?? 0, transport: pipeTransport(out, incoming), ended, kill }
}

const notStarted = () => 'cannot be started'

const nowhere: ConnectionTransport = { send: () => {}, close: () => {} }
