// Runs each Worker of `npm run dev` in a separate runtime process, so that a change restarts only that Worker.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { ownPrefixOf } from '#manifests'
import type { Module } from '../stack/bundle.ts'
import { type Configured, gateway } from '../stack/components.ts'
import { type Miniflare, restartRuntime, startRuntime } from '../stack/platform.ts'
import { host } from '../stack/port.ts'
import { type Running, type RunOptions, settingsOf, sweepBy } from '../stack/runtime.ts'
import { watchRuntime } from '../stack/watchdog.ts'

interface DevOptions extends RunOptions {
  gatewayPort: number
  /**
   * Folder in which the processes register the addresses of their Workers, by which service bindings find each other.
   */
  registry: string
}

/** The code and configuration with which a Worker runs. A restart replaces both. */
interface Version {
  configured: Configured
  modules: Module[]
}

const reachableTimeoutMs = 30_000
const probeIntervalMs = 20

export class DevWorkers implements Running {
  readonly origins = {}
  readonly #options: DevOptions
  readonly #versions: Map<string, Version>
  readonly #runtimes = new Map<string, Miniflare>()
  /** Random request id of health probes, by which their log lines are recognized and hidden. */
  readonly #probe = `probe-${randomUUID()}`

  constructor(options: DevOptions) {
    const log = (line: string) => {
      if (!line.includes(this.#probe)) options.log(line)
    }
    this.#options = { ...options, log }
    this.#versions = new Map(
      options.configured.map((configured) => {
        const { name } = configured
        return [name, { configured, modules: options.modules.get(name)! }]
      }),
    )
  }

  /** Resolves when every Worker answers through the gateway. */
  async start(): Promise<void> {
    watchRuntime()
    await Promise.all([...this.#versions.keys()].map((name) => this.#startRuntime(name)))
    await Promise.all([...this.#versions.keys()].map((name) => this.#reachable(name)))
  }

  version = (name: string): Version => this.#versions.get(name)!

  /**
   * Restarts a Worker with another version, and resolves when it answers. Keeps the old version if the new one does not start.
   */
  async restart(name: string, version: Version): Promise<void> {
    const last = this.version(name)
    this.#versions.set(name, version)
    try {
      await restartRuntime(this.#runtimes.get(name)!, this.#settingsOf(name))
    } catch (error) {
      this.#versions.set(name, last)
      await this.#runtimes.get(name)!.dispose()
      await this.#startRuntime(name)
      throw error
    } finally {
      await this.#reachable(name)
    }
  }

  /** Stops a Worker, runs `work`, such as a migration of its database, and starts the Worker again. */
  async without<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#runtimes.get(name)!.dispose()
    try {
      return await work()
    } finally {
      await this.#startRuntime(name)
      await this.#reachable(name)
    }
  }

  sweep = (): Promise<void> => sweepBy(this.#runtimes.get(gateway.name)!)

  database = (component: string): Promise<D1Database> => this.#runtimes.get(component)!.getD1Database('DB', component)

  dispose = async (): Promise<void> => {
    await Promise.all([...this.#runtimes.values()].map((runtime) => runtime.dispose()))
  }

  async #startRuntime(name: string): Promise<void> {
    const runtime = startRuntime(this.#settingsOf(name))
    this.#runtimes.set(name, runtime)
    await runtime.ready
  }

  #settingsOf(name: string) {
    const { configured, modules } = this.version(name)
    const options = { ...this.#options, modules: new Map([[name, modules]]) }
    return { ...settingsOf([configured], options), registry: this.#options.registry }
  }

  /** Waits until the gateway knows the new address of a restarted Worker. */
  async #reachable(name: string): Promise<void> {
    const path = name === gateway.name ? '/_health' : `/${name}${ownPrefixOf(name)}/_health`
    const deadline = Date.now() + reachableTimeoutMs
    while (!(await this.#answers(path))) {
      if (Date.now() > deadline) throw new Error(`${name} does not answer`)
      await new Promise((resolve) => setTimeout(resolve, probeIntervalMs))
    }
  }

  #answers(path: string): Promise<boolean> {
    const headers = { host: 'localhost', 'x-request-id': this.#probe }
    const port = this.#options.gatewayPort
    return new Promise((resolve) => {
      request({ host, port, path, headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode! < 500)
      })
        .on('error', () => resolve(false))
        .end()
    })
  }
}
