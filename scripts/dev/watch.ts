// Watches the files of the repository, so that `npm run dev` can apply changes.
import { watch as watchPath } from 'node:fs'
import { join } from 'node:path'

const folders = ['src', 'workers', 'migrations', 'containers']

/** Changes within this time count as one, because editors write a file in several steps. */
const settleMs = 20

/** Calls `onChange` with the changed paths, one call at a time. */
export function watch(onChange: (paths: Set<string>) => Promise<void>): void {
  let changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isBusy = false
  const report = async () => {
    if (isBusy || changed.size === 0) return
    isBusy = true
    const paths = changed
    changed = new Set()
    await onChange(paths)
    isBusy = false
    await report()
  }
  const add = (folder: string) => (_: string, name: string | null) => {
    if (name === null) return
    changed.add(join(folder, name).replaceAll('\\', '/'))
    clearTimeout(timer)
    timer = setTimeout(report, settleMs)
  }
  for (const folder of folders) watchPath(folder, { recursive: true }, add(folder))
  watchPath('.', add(''))
}
