// `npm start` as a process of its own, and what it leaves behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

export interface Run {
  /** The leader of its process group, as under a shell. */
  child: ChildProcess
  output(): string
  /** Its exit code. */
  ended: Promise<number | null>
}

/** Runs `npm start` with this state and port. */
export function npmStart(stateDir: string, port: number): Run {
  const child = spawn('npm', ['start'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: String(port), STATE_DIR: stateDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

/** The same, up and serving. */
export async function started(stateDir: string, port: number): Promise<Run> {
  const run = npmStart(stateDir, port)
  await expect.poll(run.output, { timeout: 30_000 }).toContain('Data: ')
  return run
}

/** The living processes that `npm start` has started with this state, known by their environment, by the names of their programs. */
export const processesOf = (stateDir: string): { pid: number; program: string }[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || !read(`/proc/${pid}/environ`).includes(`STATE_DIR=${stateDir}\0`)) return []
    return { pid: Number(pid), program: read(`/proc/${pid}/cmdline`).split('\0', 1)[0]!.split('/').at(-1)! }
  })

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended meanwhile, or is another user's.
  }
}
