// Ends the local runtime when this process is gone, however that came about; after a kill -9 nothing else would.
import childProcess from 'node:child_process'

let isWatching = false

/** From now on a runtime that this process starts ends with it. */
export function watchRuntime() {
  if (isWatching || process.platform === 'win32') return
  isWatching = true
  const { spawn } = childProcess
  // Miniflare tells nobody the runtime's pid, and starts a new one after a crash.
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const child = spawn(...args)
    if (child.pid === undefined || !args[0].includes('workerd')) return child
    // `cat` ends when this end of its pipe closes; `detached` keeps it out of what a terminal ends by Ctrl-C.
    const watchdog = spawn('sh', ['-c', 'cat; kill -9 "$0"', String(child.pid)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    watchdog.unref()
    child.once('exit', () => watchdog.pid && process.kill(-watchdog.pid, 'SIGKILL'))
    return child
  }) as typeof spawn
}
