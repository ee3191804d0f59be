// The import graph of the repository, for the selection of tests: which files a file imports, directly and through
// others.
import { existsSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { resolveImport } from '../lib/resolve-import.ts'

/** What one file imports when it runs: files of the repository by path, and everything else by specifier. */
interface Imports {
  files: string[]
  packages: string[]
}

const parsed = new Map<string, Imports>()

/** Finds the imports of one file. Imports of types are left out, since they do not exist at run time. */
export function importsOf(file: string): Imports {
  const known = parsed.get(file)
  if (known) return known
  const imports: Imports = { files: [], packages: [] }
  parsed.set(file, imports)
  for (const specifier of isCode(file) ? specifiersIn(file) : []) {
    const target = resolveImport(specifier, file, existsSync)
    if (target) imports.files.push(target)
    else imports.packages.push(specifier)
  }
  return imports
}

/** All files that are loaded with a file, itself included. */
export function filesReachedFrom(file: string): Set<string> {
  const reached = new Set([file])
  for (const each of reached) for (const next of importsOf(each).files) reached.add(next)
  return reached
}

export const isCode = (file: string) => /\.(ts|tsx|mjs|js)$/.test(file)

function specifiersIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ isType, moduleRequest }) => (isType || !moduleRequest ? [] : moduleRequest.value)),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => textBetween(text.slice(start, end))),
  ]
}

/** The specifier of a dynamic import, `import('…')`; empty if it is computed. */
const textBetween = (argument: string): string[] =>
  /^'([^']*)'$|^"([^"]*)"$/.exec(argument)?.slice(1).filter(Boolean) ?? []
