// Finds the variables that a Worker's source code declares. A deployment sets these on the Worker, and no others.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { manifests } from '#manifests'

/**
 * Prefixes of variables whose names the code composes at run time, so that no type declares them, by main source file.
 */
const composed = new Map(
  manifests.map(({ name, source = name, variablePrefixes = [] }) => [`src/${source}/index.ts`, variablePrefixes]),
)

/** Variables that a Worker reads: full names, and prefixes of names. */
export interface Reads {
  names: string[]
  prefixes: string[]
}

export const isRead = ({ names, prefixes }: Reads, name: string) =>
  names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))

/** Finds the variables of a Worker's code. `main` is its main file, relative to the project. */
export function readsOf(root: string, main: string): Reads {
  const files = sourcesOf(root, main)
  const names = [...files.values()].flatMap((text) => [...text.matchAll(declaration)].map(([, name]) => name!))
  return {
    names: [...new Set(names)].sort(),
    prefixes: [...files.keys()].flatMap((file) => composed.get(file) ?? []),
  }
}

/** Matches a variable that an interface declares, such as `AUTH_TOKENS?: string`. */
const declaration = /^\s+(?:readonly )?([A-Z][A-Z0-9_]*)\??: string\b/gm

/** The text of each file that `main` imports, directly or indirectly, by its path. */
function sourcesOf(root: string, main: string): Map<string, string> {
  const files = new Map<string, string>()
  const visit = (file: string) => {
    if (files.has(file) || !existsSync(join(root, file))) return
    const text = readFileSync(join(root, file), 'utf8')
    files.set(file, text)
    for (const [, isType, path] of text.matchAll(imports)) {
      const imported = path && resolve(file, path)
      if (imported && !(isType && isOfAnother(file, imported))) visit(imported)
    }
  }
  visit(main)
  return files
}

const imports = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm

/** The project's file that an import names; undefined for a package. */
function resolve(from: string, path: string): string | undefined {
  if (path.startsWith('#')) return `src/${path.slice(1)}.ts`
  return path.startsWith('.') ? posix.normalize(posix.join(dirname(from), path)) : undefined
}

/**
 * Whether a file belongs to another component. The interfaces of such a file declare variables of that component, not
 * of this one.
 */
const isOfAnother = (from: string, file: string) => ![rootOf(from), 'src/core'].includes(rootOf(file))

const rootOf = (file: string) => file.split('/').slice(0, 2).join('/')
