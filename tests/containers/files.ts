import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The log of a child that a module's `startChild` starts, in a process of its own, when no more files may be open there. */
export async function startedWithoutFiles(module: string, start: string): Promise<string> {
  const script = `
    import { closeSync, openSync } from 'node:fs'
    const { startChild } = await import('${pathToFileURL(resolve(module))}')
    const open = []
    try {
      for (;;) open.push(openSync('/dev/null'))
    } catch {}
    const ended = ${start}.ended
    for (const file of open) closeSync(file)
    const ending = await ended
    console.log(ending.log ?? ending)`
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 256; exec "$@"', 'sh', ...node])
  return stdout.trim()
}
