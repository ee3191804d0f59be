// The servers that Cloudflare runs in containers, as plain processes beside the local runtime.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type KeptProcess, keep } from './keep.ts'
import { host, lastingPort } from './port.ts'
import { type Variables, variableOf } from './variables.ts'

/** A server by its file. */
export interface ContainerServer {
  /** Its folder's; the Worker that fronts it is bound as `<name>-container`. */
  name: string
  main: string
}

/** A server that comes again, at the same address, whenever it dies. */
export interface RunningContainer extends Omit<KeptProcess, 'end'> {
  url: string
}

export interface Containers {
  /** By name. */
  running: Record<string, RunningContainer>
  /** Where components find them: `<NAME>_CONTAINER_URL` and `<NAME>_CONTAINER_TOKEN`. */
  variables: Variables
  /** Ends them, and what they have started. */
  dispose(): Promise<void>
}

interface ContainerOptions {
  servers: ContainerServer[]
  /** What the servers get too. One whose `<NAME>_CONTAINER_URL` is among them runs elsewhere, and is not started. */
  variables: Variables
  stateDir: string
  log: (line: string) => void
}

/** Every server that has a folder under `containers/`. */
export const containerServers = (): ContainerServer[] =>
  globSync('containers/*/server.ts').map((file) => ({ name: basename(dirname(file)), main: resolve(file) }))

/** Starts the servers. It does not wait until they listen: where they will is known before. */
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
  // A local start seldom prints a document, and prints trusted ones: without user namespaces it warns and continues.
  const usual = { WARM: 'false', CHROMIUM_NO_SANDBOX: 'true' }
  const own = { PORT: String(port), HOST: host, TOKEN: token, WORK_DIR: folder }
  const kept = keep(
    () =>
      spawn(process.execPath, [main], {
        // Its own group, which ends as one: a server that is killed cannot end what it has started.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...usual, ...process.env, ...variables, ...own },
      }),
    (how) => log(`The ${name} container ended (${how}); it starts again`),
  )
  return { name, url, kept, variables: { [variableFor(name, 'URL')]: url, [variableFor(name, 'TOKEN')]: token } }
}

const variableFor = (name: string, what: 'URL' | 'TOKEN') => `${variableOf(name)}_CONTAINER_${what}`
