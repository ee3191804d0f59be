// Runs code of the containers in a process that cannot open more files, to test failures of child processes.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/**
 * Starts a separate process without free file descriptors and runs `start` in it, code that starts a child process with
 * a function of `module`. Returns the child's log.
 */
export async function startedWithoutFiles(module: string, start: string): Promise<string> {
  const script = `
    import { closeSync, openSync } from 'node:fs'
    const module = await import('${pathToFileURL(resolve(module))}')
    const open = []
    try {
      for (;;) open.push(openSync('/dev/null'))
    } catch {}
    const ended = module.${start}.ended
    for (const file of open) closeSync(file)
    const ending = await ended
    console.log(ending.log ?? ending)`
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 256; exec "$@"', 'sh', ...node])
  return stdout.trim()
}
