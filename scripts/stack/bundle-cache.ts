// Disk cache of the Workers' bundles, keyed by the contents of all their inputs, so that `npm start` and tests need not
// bundle again. Several processes can share it.
import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { version as esbuildVersion } from 'esbuild'

/** A file of a bundle. Its path is relative to the bundle's folder. */
interface Output {
  path: string
  contents: Uint8Array<ArrayBuffer>
}

/** A bundle in its folder, with the main module first. */
export interface Bundle {
  folder: string
  outputs: Output[]
  /** The files from which the bundle was built. */
  inputs: string[]
}

interface Manifest {
  /** The main module, as the Worker's configuration names it. Workers of one name may have different main modules. */
  main: string
  /** Hash of each input by its path. */
  inputs: Record<string, string>
  outputs: string[]
}

const manifestFile = 'manifest.json'

/**
 * Files that decide how a Worker is bundled and what its imports resolve to. A change of one makes all cached bundles
 * invalid.
 */
const configurationFiles = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/stack/bundle.ts']

/**
 * Number of bundles kept per Worker, enough for two branches and some edits. The least recently used ones are removed.
 */
const maxBundlesPerWorker = 4

/** Age at which an unfinished folder of another process is removed, since that process must have died. */
const staleAfterMs = 3_600_000

/**
 * Tolerance when a file's time of change is compared with the clock: kernels may date a change some milliseconds back.
 */
const clockErrorMs = 20

/** The cache during one build: each input file is read and hashed once. */
export class BundleCache {
  readonly #folder: string
  readonly #startedAt = Date.now()
  readonly #hashes = new Map<string, string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the bundle of a Worker if the cache has one of its main module and the current contents of all inputs. */
  async read(worker: string, main: string): Promise<Bundle | undefined> {
    for (const folder of this.#bundlesOf(worker)) {
      const bundle = await this.#readBundle(worker, main, folder)
      if (bundle) return bundle
    }
    return undefined
  }

  /** Stores a bundle that was built from these files after this cache was created. */
  async write(worker: string, main: string, files: string[], outputs: Output[]): Promise<Bundle> {
    const inputs = Object.fromEntries(files.map((file) => [file, this.#hashOf(file)]))
    const folder = this.#folderOf(worker, main, inputs)
    await mkdir(this.#folder, { recursive: true })
    const made = await mkdtemp(join(this.#folder, 'new-'))
    await Promise.all(outputs.map(({ path, contents }) => writeTo(join(made, path), contents)))
    // The bundle is not stored if an input changed during the build, since it may contain the old or the new contents.
    if (!files.some((file) => this.#hasChanged(file))) {
      const manifest: Manifest = { main, inputs, outputs: outputs.map(({ path }) => path) }
      await writeTo(join(made, manifestFile), JSON.stringify(manifest))
    }
    await rename(made, folder).catch(() => rm(made, { recursive: true })) // Another process stored the same bundle.
    await this.#removeOld(worker)
    return { folder, outputs, inputs: files }
  }

  async #readBundle(worker: string, main: string, folder: string): Promise<Bundle | undefined> {
    try {
      const { inputs, outputs, ...built }: Manifest = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'))
      if (built.main !== main || folder !== this.#folderOf(worker, main, inputs)) return undefined
      if (Object.entries(inputs).some(([file, expected]) => this.#hashOf(file) !== expected)) return undefined
      const contents = outputs.map(async (path) => ({
        path,
        contents: new Uint8Array(await readFile(join(folder, path))),
      }))
      const bundle = { folder, outputs: await Promise.all(contents), inputs: Object.keys(inputs) }
      utimesSync(folder, new Date(), new Date())
      return bundle
    } catch {
      return undefined // The folder has no manifest, or another process has just removed it.
    }
  }

  #folderOf(worker: string, main: string, inputs: Manifest['inputs']): string {
    const key = createHash('sha256').update(esbuildVersion).update(JSON.stringify(main))
    for (const file of configurationFiles) key.update(this.#hashOf(file))
    key.update(JSON.stringify(Object.entries(inputs).sort()))
    return join(this.#folder, `${worker}-${key.digest('hex').slice(0, 16)}`)
  }

  /** The folders of a Worker's bundles, most recently used first. */
  #bundlesOf(worker: string): string[] {
    return folders(this.#folder)
      .filter(({ name }) => name.replace(/-[0-9a-f]{16}$/, '') === worker)
      .sort((a, b) => b.usedAt - a.usedAt)
      .map(({ name }) => join(this.#folder, name))
  }

  async #removeOld(worker: string): Promise<void> {
    const stale = folders(this.#folder)
      .filter(({ name, usedAt }) => name.startsWith('new-') && usedAt < Date.now() - staleAfterMs)
      .map(({ name }) => join(this.#folder, name))
    const old = [...stale, ...this.#bundlesOf(worker).slice(maxBundlesPerWorker)]
    await Promise.all(old.map((folder) => rm(folder, { recursive: true, force: true })))
  }

  #hasChanged(file: string): boolean {
    const { ctimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {}
    return ctimeMs > this.#startedAt - clockErrorMs
  }

  /** Hash of a file's contents. Empty if the file does not exist. */
  #hashOf(file: string): string {
    const known = this.#hashes.get(file)
    if (known !== undefined) return known
    const hashed = statSync(file, { throwIfNoEntry: false }) ? hash('sha256', readFileSync(file)) : ''
    this.#hashes.set(file, hashed)
    return hashed
  }
}

function folders(parent: string): { name: string; usedAt: number }[] {
  if (!statSync(parent, { throwIfNoEntry: false })) return []
  return readdirSync(parent).map((name) => {
    const usedAt = statSync(join(parent, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return { name, usedAt }
  })
}

async function writeTo(file: string, contents: string | Uint8Array) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, contents)
}
