// Applies changed files during `npm run dev`: restarts a Worker with a new bundle, applies a migration, or restarts a
// container.
import { type BuildFailure, formatMessages } from 'esbuild'
import { type Bundled, bundle } from '../stack/bundle.ts'
import { type Configured, configure, type WorkerFiles } from '../stack/components.ts'
import type { RunningContainer } from '../stack/containers.ts'
import { migrateD1 } from '../stack/d1.ts'
import type { DevWorkers } from './workers.ts'

interface Watched {
  components: WorkerFiles[]
  workers: DevWorkers
  /** Changes a Worker's configuration for development. */
  adapt: (worker: Configured) => Configured
  containers: Record<string, RunningContainer>
  /** Folder of all databases of the stack. */
  persist: string
  log: (line: string) => void
}

/** Files whose change cannot be applied: the developer must start `npm run dev` again. */
const restartFiles = new Set(['.dev.vars', 'package.json', 'package-lock.json', 'tsconfig.json'])

/** Returns a function that applies a set of changed paths. */
export async function changesOf({ components, workers, adapt, containers, persist, log }: Watched) {
  const bundles = await bundle(components)
  /**
   * Names of Workers whose last build failed. They are built again after any change, since the fix may be in any file.
   */
  const failed = new Set<string>()

  const report = async (what: string, error: unknown) => log(`${what}: ${await textOf(error)}`)

  async function rebuild(affected: WorkerFiles[]) {
    if (affected.length === 0) return
    const names = affected.map(({ name }) => name)
    try {
      const built = await bundle(affected)
      for (const name of names) failed.delete(name)
      await Promise.all([...built].map(([name, made]) => reload(name, made)))
    } catch (error) {
      for (const name of names) failed.add(name)
      await report(`Build failed; the last version keeps running: ${names.join(', ')}`, error)
    }
  }

  async function reload(name: string, made: Bundled) {
    bundles.set(name, made)
    const { configured, modules } = workers.version(name)
    if (modules[0]!.contents === made.modules[0]!.contents) return
    const began = performance.now()
    try {
      await workers.restart(name, { configured, modules: made.modules })
      log(`${name} reloaded (${Math.round(performance.now() - began)} ms)`)
    } catch (error) {
      await report(`${name} does not start, and runs its last version again`, error)
    }
  }

  async function reconfigure(changed: WorkerFiles[]) {
    for (const [at, configured] of (await configure(changed)).entries()) {
      const { name } = changed[at]!
      await workers.restart(name, { configured: adapt(configured), modules: workers.version(name).modules })
      log(`${name} restarted with its new configuration`)
    }
  }

  async function migrate(name: string) {
    const { databases } = workers.version(name).configured
    const applied = await workers.without(name, () => migrateD1(databases, persist))
    for (const file of applied) log(`${name} migrated: ${file}`)
  }

  function restartContainer(name: string) {
    const pid = containers[name]?.pid()
    // The process is only killed here: the stack's supervisor starts it again.
    if (pid) process.kill(pid, 'SIGKILL')
  }

  return async (paths: Set<string>): Promise<void> => {
    const changed = [...paths]
    const mustRestart = changed.filter((path) => restartFiles.has(path))
    if (mustRestart.length > 0) log(`${mustRestart.join(', ')} changed: start npm run dev again`)
    const reconfigured = components.filter(({ config }) => changed.some((path) => config === absolute(path)))
    await reconfigure(reconfigured).catch((error: unknown) => report('Configuration refused', error))
    for (const name of namesIn(changed, /^migrations\/([^/]+)\/d1\/[^/]+\.sql$/))
      await migrate(name).catch((error: unknown) => report(`${name} is not migrated`, error))
    const restarted = namesIn(changed, /^containers\/([^/]+)\//)
    for (const name of restarted.includes('shared') ? Object.keys(containers) : restarted) restartContainer(name)
    const isSource = changed.some((path) => /^(src|workers)\//.test(path))
    const uses = ({ name }: WorkerFiles) => bundles.get(name)!.inputs.some((input) => paths.has(input))
    await rebuild(components.filter((component) => uses(component) || (isSource && failed.has(component.name))))
  }
}

const absolute = (path: string) => `${process.cwd()}/${path}`

const namesIn = (paths: string[], pattern: RegExp) => [
  ...new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? [])),
]

async function textOf(error: unknown): Promise<string> {
  const { errors } = error as Partial<BuildFailure>
  if (errors) return `\n${(await formatMessages(errors, { kind: 'error', color: process.stdout.isTTY })).join('\n')}`
  return error instanceof Error ? error.message : String(error)
}
