import { globSync, readFileSync } from 'node:fs'
import { resolveImport } from '../lib/resolve-import.ts'
import { type Import, readSource, type SourceFile } from './source.ts'

/** An import of one file by another. */
export interface Edge extends Import {
  source: SourceFile
  /** Path of the imported file; a package's name if it is none. */
  target: string
}

/** All files, and what they import. */
export interface Tree {
  sources: ReadonlyMap<string, SourceFile>
  edges: readonly Edge[]
  components: readonly string[]
}

/** A violation of a rule. `detail` stays the same when lines are added above it. */
export interface Violation {
  rule: string
  file: string
  line: number
  detail: string
}

const patterns = [
  '{src,scripts,bench,containers,workers,migrations,tests}/**/*.{ts,tsx}',
  // The configurations of Vitest and of what else begins here.
  '*.ts',
]

/** The repository's own TypeScript files by their paths; generated declarations are left out. */
export const readFiles = (): Map<string, string> =>
  new Map(
    globSync(patterns, { exclude: (path) => path.endsWith('node_modules') || path.endsWith('.d.ts') })
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )

/** Folders of `src` that are no components. */
const others = ['core', 'gateway', 'console', 'client']

/** Reads files, given by their paths, into a tree. */
export function readTree(files: ReadonlyMap<string, string>): Tree {
  const sources = new Map([...files].map(([path, text]) => [path, readSource(path, text)]))
  const edges = [...sources.values()].flatMap((source) =>
    source.imports.map((found) => {
      const target = resolveImport(found.specifier, source.path, (path) => files.has(path))
      return { ...found, source, target: target ?? found.specifier }
    }),
  )
  const folders = [...files.keys()].flatMap((path) => /^src\/([^/]+)\//.exec(path)?.[1] ?? [])
  const components = [...new Set(folders)].filter((name) => !others.includes(name)).sort()
  return { sources, edges, components }
}

/** `src/bus` for `src/bus/documents.ts`: the folder that the rules treat as one. */
export const unitOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** `bus` for `src/bus/documents.ts`; undefined for files of no component. */
export const componentOf = (path: string, { components }: Tree): string | undefined =>
  components.find((name) => path.startsWith(`src/${name}/`))

export const isIn = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`))

/** An edge as a violation: `detail` is what is imported, with the reason. */
export const breach = (rule: string, { source, line, target }: Edge, why: string): Violation => ({
  rule,
  file: source.path,
  line,
  detail: `imports ${target}: ${why}`,
})
