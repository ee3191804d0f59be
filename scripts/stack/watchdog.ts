// Ends the child processes of a stack when this process ends, even after kill -9.
import childProcess, { type ChildProcess } from 'node:child_process'

const { spawn } = childProcess
const isWindows = process.platform === 'win32'
let isWatching = false

/** Makes every runtime (workerd) that this process starts end together with this process. */
export function watchRuntime() {
  if (isWatching) return
  isWatching = true
  // Replaces `spawn`, because Miniflare does not expose the pid of the runtime, and starts a new runtime after a crash.
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const child = spawn(...args)
    if (child.pid !== undefined && args[0].includes('workerd')) endWithThis(child, child.pid)
    return child
  }) as typeof spawn
}

/** Makes a child that leads a process group end, with its group, when this process ends. */
export function watchGroup(child: ChildProcess) {
  if (child.pid !== undefined) endWithThis(child, -child.pid)
  // Kills the group when the child exits, since the child's own children would survive it.
  child.once('exit', () => endGroup(child))
}

/** Kills a child and its process group. */
export function endGroup({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL')
  } catch {
    // An error means that the group has ended already.
  }
}

/**
 * Starts a watchdog that kills the target when this process ends. `target` is the child's pid, or the negative id of
 * its process group.
 */
function endWithThis(child: ChildProcess, target: number) {
  if (isWindows) return
  // `cat` ends when this process ends, which closes its end of the pipe. `detached` protects the watchdog from Ctrl-C.
  const watchdog = spawn('sh', ['-c', 'cat; kill -s KILL -- "$0"', String(target)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  child.once('exit', () => endGroup(watchdog))
}
