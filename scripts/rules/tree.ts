// Reads the files of the repository and the imports between them, which the architecture rules check.
import { globSync, readFileSync } from 'node:fs'
import { resolveImport } from '../lib/resolve-import.ts'
import { type Import, readSource, type SourceFile } from './source.ts'

/** An import between two files. */
export interface Edge extends Import {
  source: SourceFile
  /** Path of the imported file, or the name of a package. */
  target: string
}

/** All files and their imports. */
export interface Tree {
  sources: ReadonlyMap<string, SourceFile>
  edges: readonly Edge[]
  components: readonly string[]
}

/**
 * A violation of a rule. `detail` has no line number, so that an exception still matches when lines are added above.
 */
export interface Violation {
  rule: string
  file: string
  line: number
  detail: string
}

const patterns = [
  '{src,scripts,bench,containers,workers,migrations,tests}/**/*.{ts,tsx}',
  // The configurations of Vitest and other tools in the root folder.
  '*.ts',
]

/** The TypeScript files of the repository, by path, without generated declarations. */
export const readFiles = (): Map<string, string> =>
  new Map(
    globSync(patterns, { exclude: (path) => path.endsWith('node_modules') || path.endsWith('.d.ts') })
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )

/** Folders of `src` that are not components. */
const others = ['core', 'gateway', 'console', 'client']

/** Parses files, given by path, into a tree. */
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

/** The folder that the rules treat as one unit: `src/bus` for `src/bus/documents.ts`. */
export const unitOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** The component of a file: `bus` for `src/bus/documents.ts`; undefined if it belongs to none. */
export const componentOf = (path: string, { components }: Tree): string | undefined =>
  components.find((name) => path.startsWith(`src/${name}/`))

export const isIn = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`))

/** Makes a violation of an import. Its `detail` is the import and the reason. */
export const breach = (rule: string, { source, line, target }: Edge, why: string): Violation => ({
  rule,
  file: source.path,
  line,
  detail: `imports ${target}: ${why}`,
})
