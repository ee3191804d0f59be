// Bundles Workers with esbuild as wrangler does, for the local stack: with its conditions, and with modules of Node and
// the platform left to the runtime.
import { builtinModules } from 'node:module'
import { extname, join, relative, resolve } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { type Bundle, BundleCache } from './bundle-cache.ts'
import type { WorkerFiles } from './components.ts'

/** A module of a bundle, in the runtime's format. */
export interface Module {
  type: 'ESModule' | 'CompiledWasm' | 'Data'
  /** Path relative to `.build`. Stack traces show it. */
  path: string
  contents: string | Uint8Array<ArrayBuffer>
}

const folder = resolve('.build')
const types: Record<string, Module['type']> = { '.js': 'ESModule', '.wasm': 'CompiledWasm', '.bin': 'Data' }

/** A Worker's modules, the main one first, and the files that they were built from. */
export interface Bundled {
  modules: Module[]
  inputs: string[]
}

/** Returns the bundles of all components, by name. Builds only those that are not in the cache. */
export async function bundle(
  components: WorkerFiles[],
  cacheFolder = join(folder, 'bundles'),
): Promise<Map<string, Bundled>> {
  const cache = new BundleCache(cacheFolder)
  const bundles = new Map<string, Bundle>()
  for (const { name, main } of components) {
    const bundle = await cache.read(name, main)
    if (bundle) bundles.set(name, bundle)
  }
  const missing = components.filter(({ name }) => !bundles.has(name))
  if (missing.length > 0) for (const [name, bundle] of await buildAll(missing, cache)) bundles.set(name, bundle)
  return new Map(
    [...bundles].map(([name, bundle]) => [name, { modules: modulesOf(bundle), inputs: bundle.inputs }] as const),
  )
}

/** Builds several Workers in one run of esbuild, because they share most inputs. */
async function buildAll(components: WorkerFiles[], cache: BundleCache): Promise<[name: string, Bundle][]> {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(components.map(({ name, main }) => [`${name}/index`, main])),
    outdir: folder,
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['cloudflare:*', 'node:*'],
    loader: { '.sql': 'text', '.html': 'text', '.txt': 'text', '.wasm': 'copy', '.bin': 'copy' },
    plugins: [nodeModules],
    logLevel: 'silent',
  })
  const outputs = new Map(outputFiles.map(({ path, contents }) => [path, new Uint8Array(contents)]))
  return Promise.all(
    components.map(async ({ name, main }) => {
      const paths = outputsOf(metafile, `${name}/index.js`)
      const bundle = paths.map((path) => ({ path, contents: outputs.get(resolve(folder, path))! }))
      return [name, await cache.write(name, main, inputsOf(metafile, relative('.', main)), bundle)] as [string, Bundle]
    }),
  )
}

function modulesOf({ folder: from, outputs }: Bundle): Module[] {
  return outputs.map(({ path, contents }): Module => {
    const type = types[extname(path)]!
    const text = type === 'ESModule' ? new TextDecoder().decode(contents) : contents
    return { type, path: join(relative(folder, from), path), contents: text }
  })
}

/**
 * The files of a Worker in esbuild's output: its main module and the modules that it imports. Modules of other Workers
 * are left out, since the runtime compiles all WebAssembly modules that it gets.
 */
function outputsOf({ outputs }: Metafile, main: string): string[] {
  const { imports } = outputs[relative('.', resolve(folder, main))]!
  return [main, ...imports.filter(({ external }) => !external).map(({ path }) => relative(folder, path))]
}

/**
 * A file and all files that it imports, directly or indirectly. Virtual modules are left out, since they have no file.
 */
function inputsOf({ inputs }: Metafile, main: string): string[] {
  const found = new Set([main])
  for (const file of found)
    for (const { path, external } of inputs[file]!.imports) if (!external && inputs[path]) found.add(path)
  return [...found].filter((path) => !virtual.some((prefix) => path.startsWith(prefix))).sort()
}

const namespace = 'required'

/** Namespaces of virtual modules: those of the plugin, and modules that a package's "browser" field disables. */
const virtual = [`${namespace}:`, '(disabled):']

/**
 * Plugin of esbuild that leaves Node's modules to the runtime, also those that are imported without the prefix `node:`.
 * A Worker cannot `require` them, so calls of `require` become imports.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)
    onResolve({ filter }, ({ path, kind }) => {
      const name = path.startsWith('node:') ? path : `node:${path}`
      return kind === 'require-call' ? { path: name, namespace } : { path: name, external: true }
    })
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `import required from '${path}'; module.exports = required`,
    }))
  },
}
