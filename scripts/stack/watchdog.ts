// Ends what this process has started when it is gone, however that came about; after a kill -9 nothing else would.
import childProcess, { type ChildProcess } from 'node:child_process'

const { spawn } = childProcess
const isWindows = process.platform === 'win32'
let isWatching = false

/** From now on a runtime that this process starts ends with it. */
export function watchRuntime() {
  if (isWatching) return
  isWatching = true
  // Miniflare tells nobody the runtime's pid, and starts a new one after a crash.
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const child = spawn(...args)
    if (child.pid !== undefined && args[0].includes('workerd')) endWithThis(child, child.pid)
    return child
  }) as typeof spawn
}

/** From now on a child, which leads a group of its own, ends with this process, and all of its group with it. */
export function watchGroup(child: ChildProcess) {
  if (child.pid !== undefined) endWithThis(child, -child.pid)
  // What it has started would outlive it.
  child.once('exit', () => endGroup(child))
}

/** Kills a child and all of its group. */
export function endGroup({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL')
  } catch {
    // There is nothing left of it.
  }
}

/** `target` is the child's pid, or its group's as a negative number. */
function endWithThis(child: ChildProcess, target: number) {
  if (isWindows) return
  // `cat` ends when this end of its pipe closes; `detached` keeps it out of what a terminal ends by Ctrl-C.
  const watchdog = spawn('sh', ['-c', 'cat; kill -s KILL -- "$0"', String(target)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  child.once('exit', () => endGroup(watchdog))
}
