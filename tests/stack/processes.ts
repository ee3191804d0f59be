// Runs `npm start`, or a fixture in its place, as a child process of a test, and finds the processes that it leaves
// behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'

export interface Run {
  /** The child process, which leads its process group, as under a shell. */
  child: ChildProcess
  output(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Runs `npm start` with this state folder and port. */
export const npmStart = (stateDir: string, port: number): Run => runWith(stateDir, port, 'npm', 'start')

/** Options of waits for a start. Long, because the machine may start other stacks at the same time. */
const startTimeout = { timeout: 280_000 }

/** Runs `npm start`, and waits until it serves requests. */
export async function started(stateDir: string, port: number): Promise<Run> {
  const run = npmStart(stateDir, port)
  await says(run, 'Data: ')
  return run
}

/** Starts the fixture and its container in a separate process, and waits until they serve requests. */
export async function fixtureStarted(stateDir: string, port: number): Promise<Run> {
  const run = runWith(stateDir, port, process.execPath, 'tests/stack/boot/fixture/start.ts')
  await says(run, 'up\n')
  return run
}

/** Waits for a text in the output of a process. Rejects if the process ends first. */
async function says({ output, ended }: Run, text: string) {
  const end = ended.then((code) => Promise.reject(new Error(`It has ended with ${code}: ${output()}`)))
  end.catch(() => undefined)
  await Promise.race([vi.waitFor(() => expect(output()).toContain(text), startTimeout), end])
}

/** Runs `npm run dev` in a copy of the repository, and waits until it serves requests. */
export async function devStarted(folder: string, stateDir: string, port: number): Promise<Run> {
  const run = runIn(folder, stateDir, port, process.execPath, 'scripts/dev.ts')
  await says(run, 'Data: ')
  return run
}

const runWith = (stateDir: string, port: number, command: string, ...settings: string[]): Run =>
  runIn('.', stateDir, port, command, ...settings)

function runIn(folder: string, stateDir: string, port: number, command: string, ...settings: string[]): Run {
  // Removes BASE_URL, which Vitest sets: components would take it for their public address.
  const { BASE_URL: _, ...env } = process.env
  const child = spawn(command, settings, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PORT: String(port), STATE_DIR: stateDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

export interface Process {
  pid: number
  /** File name of the process's program. */
  program: string
  command: string
}

/** The living processes that were started with this state folder, found by their environment. */
export const processesOf = (stateDir: string): Process[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || !read(`/proc/${pid}/environ`).includes(`STATE_DIR=${stateDir}\0`)) return []
    const command = read(`/proc/${pid}/cmdline`).split('\0')
    return { pid: Number(pid), program: command[0]!.split('/').at(-1)!, command: command.join(' ') }
  })

/** Kills all processes with this state folder, and resolves when none is left. */
export async function killProcessesOf(stateDir: string): Promise<void> {
  for (const { pid } of processesOf(stateDir))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // An error means that the process has ended with one of the others.
    }
  await vi.waitFor(() => expect(processesOf(stateDir)).toEqual([]), { timeout: 60_000 })
}

/** Whether a process is running. A zombie has ended although its pid still exists, which only Linux shows. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return read(`/proc/${pid}/cmdline`) !== ''
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // It ended meanwhile, or is another user's.
  }
}
