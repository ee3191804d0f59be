// The stack as a process that is killed and started again, always with the same state.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { host } from '../stack/port.ts'
import { childOf, isAlive, isOver, pidsWith } from './processes.ts'

/** Times in milliseconds since 1970. */
export interface Kill {
  /** Before the signal was sent. */
  at: number
  /** When no process was left that could do anything. */
  over: number
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
  /** Starts it, and resolves once it answers. */
  start(): Promise<void>
  /** SIGKILL to all its processes; the next start is the caller's. */
  kill(): Promise<void>
  /** SIGKILL to workerd alone, which what runs it starts again; resolves once it answers. False where it cannot be found. */
  killRuntime(): Promise<boolean>
  /** SIGKILL to a component's container alone; resolves once it answers again. False where it cannot be found. */
  killContainer(component: string): Promise<boolean>
  /** Ends it for good, which is no kill. */
  end(): Promise<void>
}

export function victimOf({ components, port, stateDir, variables }: VictimOptions): Victim {
  const url = `http://localhost:${port}`
  const kills: Kill[] = []
  let child: ChildProcess | undefined
  let output = ''

  function spawnIt() {
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

  async function answering(health = `${url}/${components[0]}/_health`) {
    for (const began = Date.now(); Date.now() - began < patience; ) {
      if (await answers(health)) return
      if (child?.exitCode != null) throw new Error(`The stack ended by itself:\n${output}`)
      await pause(50)
    }
    throw new Error(`The stack does not answer:\n${output}`)
  }

  async function end() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const all = pidsWith(`STATE_DIR=${stateDir}`)
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'close')
    // The others die each in its own time, and have their ports and files until then.
    for (const began = Date.now(); !all.every(isOver); await pause(5))
      if (Date.now() - began > patience) throw new Error('What was killed does not end')
  }

  async function killOne(pid: number) {
    const at = Date.now()
    process.kill(pid, 'SIGKILL')
    while (isAlive(pid)) await pause(1)
    kills.push({ at, over: Date.now() })
  }

  return {
    url,
    kills,
    end,
    start: async () => {
      spawnIt()
      await answering()
    },
    kill: async () => {
      const at = Date.now()
      await end()
      kills.push({ at, over: Date.now() })
    },
    killRuntime: async () => {
      const runtime = childOf(child!.pid!, ({ program }) => program === 'workerd')
      if (!runtime) return false
      await killOne(runtime.pid)
      await answering()
      return true
    },
    killContainer: async (component) => {
      const folder = `WORK_DIR=${join(stateDir, 'containers', component)}`
      const container = childOf(child!.pid!, ({ environment }) => environment.includes(folder))
      if (!container) return false
      const port = container.environment.find((variable) => variable.startsWith('PORT='))!.slice('PORT='.length)
      await killOne(container.pid)
      await answering(`http://${host}:${port}/health`)
      return true
    },
  }
}

// On a machine that does other things besides.
const patience = 180_000

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
