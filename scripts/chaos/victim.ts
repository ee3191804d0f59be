// The stack under test in a chaos run: a process that the run kills and restarts with the same state folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { host } from '../stack/port.ts'
import { childOf, hasEnded, isAlive, pidsWith } from './processes.ts'

/** When a kill happened, in milliseconds since 1970. */
export interface Kill {
  /** Time before the signal was sent. */
  at: number
  /** Time when the last killed process had ended. */
  endedAt: number
}

interface VictimOptions {
  components: string[]
  port: number
  stateDir: string
  variables: Record<string, string>
}

export interface Victim {
  url: string
  kills: Kill[]
  /** Starts the stack, and resolves when it answers. */
  start(): Promise<void>
  /** Sends SIGKILL to all processes of the stack. The caller starts it again. */
  kill(): Promise<void>
  /** Sends SIGKILL to workerd only, which the stack restarts; resolves when it answers. False if workerd is not found. */
  killRuntime(): Promise<boolean>
  /** Sends SIGKILL to a component's container only; resolves when it answers again. False if the container is not found. */
  killContainer(component: string): Promise<boolean>
  /** Ends the stack at the end of the run, which is not recorded as a kill. */
  end(): Promise<void>
}

export function victimOf({ components, port, stateDir, variables }: VictimOptions): Victim {
  const url = `http://localhost:${port}`
  const kills: Kill[] = []
  let child: ChildProcess | undefined
  let output = ''

  function spawnStack() {
    output = ''
    const started = spawn(process.execPath, ['scripts/chaos/serve.ts', ...components], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...variables, PORT: String(port), STATE_DIR: stateDir },
    })
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child = started
  }

  async function untilAnswers(health = `${url}/${components[0]}/_health`) {
    for (const began = Date.now(); Date.now() - began < stateTimeoutMs; ) {
      if (await answers(health)) return
      if (child?.exitCode != null) throw new Error(`The stack exited:\n${output}`)
      await pause(50)
    }
    throw new Error(`The stack does not answer:\n${output}`)
  }

  async function end() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const all = pidsWith(`STATE_DIR=${stateDir}`)
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'close')
    // Waits until each process has ended, since it holds its ports and files until then and the next start needs them.
    for (const began = Date.now(); !all.every(hasEnded); await pause(5))
      if (Date.now() - began > stateTimeoutMs) throw new Error('A killed process does not end')
  }

  async function killOne(pid: number) {
    const at = Date.now()
    process.kill(pid, 'SIGKILL')
    while (isAlive(pid)) await pause(1)
    kills.push({ at, endedAt: Date.now() })
  }

  return {
    url,
    kills,
    end,
    start: async () => {
      spawnStack()
      await untilAnswers()
    },
    kill: async () => {
      const at = Date.now()
      await end()
      kills.push({ at, endedAt: Date.now() })
    },
    killRuntime: async () => {
      const runtime = childOf(child!.pid!, ({ program }) => program === 'workerd')
      if (!runtime) return false
      await killOne(runtime.pid)
      await untilAnswers()
      return true
    },
    killContainer: async (component) => {
      const folder = `WORK_DIR=${join(stateDir, 'containers', component)}`
      const container = childOf(child!.pid!, ({ environment }) => environment.includes(folder))
      if (!container) return false
      const port = container.environment.find((variable) => variable.startsWith('PORT='))!.slice('PORT='.length)
      await killOne(container.pid)
      await untilAnswers(`http://${host}:${port}/health`)
      return true
    },
  }
}

/** Time within which the stack must answer, or end, also on a busy machine. */
const stateTimeoutMs = 180_000

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
