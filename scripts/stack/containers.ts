// Runs the servers of containers as plain Node processes beside the local runtime.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { host, lastingPort } from './port.ts'
import { type SupervisedProcess, supervise } from './supervisor.ts'
import { type Variables, variableOf } from './variables.ts'

/** A container's server and its file. */
export interface ContainerServer {
  /** Name of the container's folder. The Worker in front of it is bound as `<name>-container`. */
  name: string
  main: string
}

/** A server that is restarted at the same address when it dies. */
export interface RunningContainer extends Omit<SupervisedProcess, 'end'> {
  url: string
}

export interface Containers {
  /** Servers by name. */
  running: Record<string, RunningContainer>
  /** Variables with which components find the servers: `<NAME>_CONTAINER_URL` and `<NAME>_CONTAINER_TOKEN`. */
  variables: Variables
  /** Stops the servers and their children. */
  dispose(): Promise<void>
}

interface ContainerOptions {
  servers: ContainerServer[]
  /**
   * Variables of the stack, which the servers get too. A server whose `<NAME>_CONTAINER_URL` is set runs elsewhere, and
   * is not started.
   */
  variables: Variables
  stateDir: string
  log: (line: string) => void
}

/** Every server with a folder under `containers/`. */
export const containerServers = (): ContainerServer[] =>
  globSync('containers/*/server.ts').map((file) => ({ name: basename(dirname(file)), main: resolve(file) }))

/** Starts the servers, and returns before they listen, since their addresses are known in advance. */
export async function startContainers(options: ContainerOptions): Promise<Containers> {
  const servers = options.servers.filter(({ name }) => !options.variables[variableFor(name, 'URL')])
  const started = await Promise.all(servers.map((server) => startContainer(server, options)))
  return {
    running: Object.fromEntries(started.map(({ name, url, kept: { pid, up } }) => [name, { url, pid, up }])),
    variables: Object.assign({}, ...started.map(({ variables }) => variables)),
    dispose: async () => {
      await Promise.all(started.map(({ kept }) => kept.end()))
    },
  }
}

async function startContainer({ name, main }: ContainerServer, { variables, stateDir, log }: ContainerOptions) {
  const port = await lastingPort()
  const url = `http://${host}:${port}`
  const token = variables[variableFor(name, 'TOKEN')] || randomBytes(32).toString('base64url')
  const folder = join(stateDir, 'containers', name)
  mkdirSync(folder, { recursive: true })
  // Defaults of a local start, which prints few documents, all trusted: no browser is started in advance, and Chromium
  // may run without its sandbox if the system has no user namespaces.
  const localDefaults = { WARM: 'false', CHROMIUM_NO_SANDBOX: 'true' }
  const own = { PORT: String(port), HOST: host, TOKEN: token, WORK_DIR: folder }
  const kept = supervise(
    () =>
      spawn(process.execPath, [main], {
        // A separate process group, which is killed as a whole: a killed server cannot end its own children.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...localDefaults, ...process.env, ...variables, ...own },
      }),
    (how) => log(`The ${name} container ended (${how}); it starts again`),
  )
  return { name, url, kept, variables: { [variableFor(name, 'URL')]: url, [variableFor(name, 'TOKEN')]: token } }
}

const variableFor = (name: string, what: 'URL' | 'TOKEN') => `${variableOf(name)}_CONTAINER_${what}`
