// Measures the memory of a browser's processes, so that the pool can replace a browser that grows too large.
import { readdirSync, readFileSync } from 'node:fs'

const pageSize = 4096

/** Private memory of the processes of a group in bytes, from /proc; 0 if the system has no /proc. */
export function memoryOf(group: number): number {
  return processes()
    .filter((pid) => groupOf(pid) === group)
    .reduce((sum, pid) => sum + privateOf(pid), 0)
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/**
 * The process group id: the third field after the program's name. The name is in parentheses and may contain any
 * character, so fields are counted from its end.
 */
const groupOf = (pid: string) =>
  Number(
    read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[2],
  )

function privateOf(pid: string): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
  return (resident - shared) * pageSize
}

/** Reads a file of /proc. Empty if the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
