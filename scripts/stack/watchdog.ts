// Ends the children of this process when it ends, even after kill -9.
import childProcess, { type ChildProcess } from 'node:child_process'

const { spawn } = childProcess
const isWindows = process.platform === 'win32'
let isWatching = false

/** Makes every runtime that this process starts end with it. */
export function watchRuntime() {
  if (isWatching) return
  isWatching = true
  // Miniflare does not expose the pid of the runtime, and starts a new one after a crash, so this wraps `spawn`.
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const child = spawn(...args)
    if (child.pid !== undefined && args[0].includes('workerd')) endWithThis(child, child.pid)
    return child
  }) as typeof spawn
}

/** Makes a child that leads a process group end with this process, together with its group. */
export function watchGroup(child: ChildProcess) {
  if (child.pid !== undefined) endWithThis(child, -child.pid)
  // Its own children would survive it.
  child.once('exit', () => endGroup(child))
}

/** Kills a child and its process group. */
export function endGroup({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

/** `target` is the child's pid, or the negative id of its process group. */
function endWithThis(child: ChildProcess, target: number) {
  if (isWindows) return
  // `cat` ends when this process closes its end of the pipe. `detached` protects the watchdog from Ctrl-C.
  const watchdog = spawn('sh', ['-c', 'cat; kill -s KILL -- "$0"', String(target)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  child.once('exit', () => endGroup(watchdog))
}
