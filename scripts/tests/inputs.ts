// Finds the inputs of a test file, for `npm run test:changed`: the files that it imports, reads or starts, and the
// configuration that it runs in. A change of an input can change the test's result.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { filesReachedFrom, isCode } from './imports.ts'
import { nodeProjects, projectOf } from './selection.ts'
import { setupOf } from './setup.ts'

/** Files on which every test depends. */
const everyTest = ['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'scripts/tests/**']

/** The test files among `files` whose result a change of `changed` can change. */
export async function testsReachedBy(changed: string[], files: string[]): Promise<string[]> {
  if (changed.some((path) => everyTest.some((pattern) => matchesGlob(path, pattern)))) return files
  const reached: string[] = []
  for (const file of files) {
    const inputs = await inputsOf(file)
    const isInput = (path: string) => inputs.files.has(path) || inputs.patterns.some((each) => matchesGlob(path, each))
    if (changed.some(isInput)) reached.push(file)
  }
  return reached
}

/** The inputs of a test file: files, and patterns of files that it finds by name. */
async function inputsOf(test: string): Promise<{ files: Set<string>; patterns: string[] }> {
  const { entries, patterns } = await configurationOf(projectOf(test))
  const files = new Set([test, ...entries].flatMap((entry) => [...filesReachedFrom(entry)]))
  const named = [...files].filter((file) => /^(tests|scripts)\//.test(file) && isCode(file)).flatMap(pathsNamedIn)
  // Follows the imports of scripts too, since tests start them as processes, by their paths.
  for (const path of named)
    if (isCode(path) && existsSync(path)) for (const file of filesReachedFrom(path)) files.add(file)
  return { files, patterns: [...patterns, ...named] }
}

/** Files that the tests of a project load and read in addition to their imports. */
async function configurationOf(project: string): Promise<{ entries: string[]; patterns: string[] }> {
  if (project === 'unit' || nodeProjects.includes(project)) return { entries: [], patterns: [] }
  if (project === 'gateway') return { entries: ['src/gateway/index.ts'], patterns: ['wrangler.toml'] }
  const folder = project === 'core' ? 'tests/core/worker' : `workers/${project}`
  const { servers = [] } = await setupOf(project)
  const setups = ['databases', 'postgres', ...servers].map((name) => `tests/support/${name}.ts`)
  return {
    entries: [`${folder}/index.ts`, ...setups],
    patterns: [`${folder}/**`, `migrations/${project}/**`, `tests/${project}/setup.ts`],
  }
}

const folders = new Set(globSync('*/').map((folder) => folder.replace(/\/$/, '')))

const known = new Map<string, string[]>()

/**
 * The paths and patterns of files that the text of a file names: `'docs/*.md'`, `` `workers/${name}/wrangler.toml` ``,
 * `'README.md'`.
 */
function pathsNamedIn(file: string): string[] {
  const paths = known.get(file) ?? findPaths(readFileSync(file, 'utf8'))
  known.set(file, paths)
  return paths
}

const findPaths = (text: string): string[] =>
  [...text.matchAll(/['"`]((?:[\w.{},*-]|\$\{[^}]*\})+(?:\/(?:[\w.{},*-]|\$\{[^}]*\})+)*\/?)['"`]/g)].flatMap(
    ([, path]) => {
      const pattern = path!.replace(/\$\{[^}]*\}/g, '*').replace(/\/$/, '')
      const isInFolder = folders.has(pattern.split('/')[0]!) && pattern.includes('/')
      return isInFolder || /^[\w-]+\.(md|toml|json)$/.test(pattern) ? [pattern, `${pattern}/**`] : []
    },
  )
