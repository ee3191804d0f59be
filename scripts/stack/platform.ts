// The only file that calls unstable functions of wrangler and miniflare, so that an update affects one file.
// tests/stack/scripts/platform.test.ts tests it.
import { createRequire } from 'node:module'
import {
  convertV4MiniflareOptions,
  type Json,
  type LegacyWorkerOptions,
  Miniflare,
  type V4WorkerOptions,
} from 'miniflare'

export type { Miniflare } from 'miniflare'

/** A Worker with its code, in the runtime's format. */
export type WorkerOptions = V4WorkerOptions

type RuntimeOptions = Parameters<typeof convertV4MiniflareOptions>[0]

/** Settings of a local runtime. Runtimes with the same `registry`, a folder, find each other's Workers by name. */
export type RuntimeSettings = RuntimeOptions & { registry?: string }

const optionsOf = ({ registry, ...options }: RuntimeSettings) =>
  // `cf: false` keeps the runtime from asking the network for the location of this machine.
  convertV4MiniflareOptions({ cf: false, ...(registry && { unsafeDevRegistryPath: registry }), ...options })

/** Starts a local runtime. The runtime listens once its `ready` resolves. */
export const startRuntime = (settings: RuntimeSettings): Miniflare => new Miniflare(optionsOf(settings))

/** Restarts a runtime with other options, and resolves when it listens. Stored data stays. */
export const restartRuntime = (runtime: Miniflare, settings: RuntimeSettings): Promise<void> =>
  runtime.setOptions(optionsOf(settings))

/**
 * Settings that make the runtime itself listen for a Worker. Miniflare's own listener changes headers and compresses
 * replies.
 */
export const listenerOf = (host: string, port: number) => ({ unsafeDirectSockets: [{ host, port }] })

/** The origin of a Worker that has a listener. */
export const originOf = async (runtime: Miniflare, worker: string): Promise<string> =>
  (await runtime.unsafeGetDirectURL(worker)).origin

/** The settings of a Worker without its code. */
export type SourcelessOptions = Omit<LegacyWorkerOptions, 'modules' | 'modulesRoot' | 'script' | 'scriptPath'>

/** The parts of a wrangler.toml that scripts read. Wrangler does not publish its own type. */
interface WorkerConfig {
  vars: Record<string, Json>
  secrets?: { required?: string[] }
  d1_databases: { binding: string; database_name?: string; migrations_dir?: string }[]
}

/** Loads wrangler, which takes a second the first time. */
async function wrangler() {
  Object.assign(process.env, {
    WRANGLER_LOG: 'error',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
  })
  return import('wrangler')
}

/** Reads wrangler.toml files: parsed, and as options of the local runtime. */
export async function readConfigs(files: string[]): Promise<{ config: WorkerConfig; options: SourcelessOptions }[]> {
  const { unstable_getMiniflareWorkerOptions: workerOptionsOf, unstable_readConfig: read } = await wrangler()
  return files.map((file) => {
    const { modulesRules, ...options } = workerOptionsOf(file).workerOptions
    return { config: read({ config: file }), options }
  })
}

/** Reads a wrangler.toml without adding defaults. */
export function readRawConfig(file: string): object {
  // `require` loads wrangler when it is first needed. With `import()`, all callers would have to be asynchronous.
  const { experimental_readRawConfig: read } = createRequire(import.meta.url)('wrangler') as typeof import('wrangler')
  return read({ config: file }).rawConfig
}

/** Generates TypeScript declarations of a Worker's bindings. */
export async function typesOf(config: string, path: string, envInterface: string): Promise<string> {
  const { experimental_generateTypes: generate } = await wrangler()
  return (await generate({ config, path, envInterface, includeRuntime: false })).env ?? ''
}

/** Splits the text of a migration into its statements. */
export async function splitStatements(sql: string): Promise<string[]> {
  const { unstable_splitSqlQuery: split } = await wrangler()
  return split(sql)
}
