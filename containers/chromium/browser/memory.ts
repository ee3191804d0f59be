import { readdirSync, readFileSync } from 'node:fs'

const pageSize = 4096

/** Bytes that the processes of a group hold for themselves; 0 where the system does not say. */
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

/** The fields follow the program's name, which may have anything in it. */
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

/** Empty of a process that is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
