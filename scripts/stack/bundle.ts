// Bundles Workers as wrangler does: its conditions, and modules of Node and the platform left to the runtime.
import { mkdir, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, extname, relative, resolve } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import type { Component } from './components.ts'

/** A module of a bundle, as the local runtime takes it. */
export interface Module {
  type: 'ESModule' | 'CompiledWasm' | 'Data'
  path: string
  contents: string | Uint8Array<ArrayBuffer>
}

const folder = resolve('.build')
const types: Record<string, Module['type']> = { '.js': 'ESModule', '.wasm': 'CompiledWasm', '.bin': 'Data' }

/** All components' modules by name, the main one first; also written to `.build`, for who reads a stack trace. */
export async function bundle(components: Component[]): Promise<Map<string, Module[]>> {
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
  const modules = outputFiles.map(({ path, contents, text }): Module => {
    const type = types[extname(path)]!
    return { type, path: relative(folder, path), contents: type === 'ESModule' ? text : new Uint8Array(contents) }
  })
  await Promise.all(modules.map(store))
  // Each has what it imports and no more: every Worker compiles all the WebAssembly that it is given.
  const pathsOf = (main: string) => [main, ...importsOf(metafile, main)]
  const modulesOf = (name: string) =>
    pathsOf(`${name}/index.js`).flatMap((path) => modules.find((module) => module.path === path) ?? [])
  return new Map(components.map(({ name }) => [name, modulesOf(name)]))
}

/** The modules that a bundle imports, by their paths. */
const importsOf = ({ outputs }: Metafile, main: string) =>
  outputs[relative('.', resolve(folder, main))]!.imports.map(({ path }) => relative(folder, path))

async function store({ path, contents }: Module) {
  const file = resolve(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, contents)
}

/** Node's modules without their prefix, and those that CommonJS requires, which only an import can reach in a Worker. */
const nodeModules: Plugin = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)
    onResolve({ filter }, ({ path, kind }) => {
      const name = path.startsWith('node:') ? path : `node:${path}`
      return kind === 'require-call' ? { path: name, namespace: 'required' } : { path: name, external: true }
    })
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `import required from '${path}'; module.exports = required`,
    }))
  },
}
