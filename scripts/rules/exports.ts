// Rules for exports: each is used by another file, type names are unique, and files are not too long.
import { isIn, type Tree, type Violation } from './tree.ts'

/**
 * Exports that are used without an import of this repository: all names of the matching files, or the given names, each
 * with the reason.
 */
const entries: { pattern: RegExp; names?: RegExp; why: string }[] = [
  { pattern: /^(?:workers|bench|tests)\/.*\/index\.ts$/, why: 'the runtime reads the exports of a Worker' },
  { pattern: /^src\/gateway\/index\.ts$/, names: /^Operations$/, why: 'the runtime reads the exports of a Worker' },
  { pattern: /^containers\/[^/]+\/worker\.ts$/, why: 'the runtime reads the exports of a Worker' },
  { pattern: /^scripts\/cost\/meter\/\w+\.ts$/, names: /^metered/, why: 'generated Workers import it' },
  { pattern: /^src\/client\/(?:index\.ts$|api\/)/, why: 'applications import the client, which is a package' },
  { pattern: /^bench\/[^/]+\.ts$/, why: 'scripts/bench.ts imports the benchmark that the command line names' },
  { pattern: /^scripts\/chaos\/[^/]+\/[^/]+\.ts$/, why: 'scripts/chaos.ts imports what the command line names' },
  {
    pattern: /^scripts\/simulate\/[^/]+\/simulation\.ts$/,
    why: 'scripts/simulate.ts imports what the command line names',
  },
  { pattern: /^scripts\/simulate\/stubs\//, why: 'they replace modules of the platform' },
  { pattern: /^tests\/support\/[^/]+\.ts$/, names: /^default$/, why: 'vitest.config.ts names files of global set-up' },
  { pattern: /^tests\/stack\/client\/sample\.ts$/, why: 'a test compiles it as an application' },
  {
    pattern: /^tests\/[^/]+\/(?:full-database|setup)\.ts$/,
    why: 'a test, or its configuration, imports that of each component',
  },
  { pattern: /^[^/]+\.ts$|\.config\.ts$/, why: 'its tool reads a configuration' },
]

const isEntry = (path: string, name: string) =>
  entries.some(({ pattern, names }) => pattern.test(path) && (!names || names.test(name)))

/** Finds exported names that no other file imports. */
export function checkExports({ sources, edges }: Tree): Violation[] {
  const used = new Map<string, Set<string>>()
  for (const { target, names } of edges) {
    const known = used.get(target) ?? new Set()
    for (const name of names) known.add(name)
    used.set(target, known)
  }
  return [...sources.values()].flatMap(({ path, exports }) =>
    exports
      .filter(({ name }) => !isEntry(path, name))
      .filter(({ name }) => !used.get(path)?.has('*') && !used.get(path)?.has(name))
      .map(({ name, line }) => ({
        rule: 'unused-exports',
        file: path,
        line,
        detail: `exports ${name}, which no other file imports`,
      })),
  )
}

/** Type names that every component may declare. */
const conventional = ['Env', 'ErrorCode']

/** Finds exported types that share their name with another one, since one name must have one meaning. */
export function checkTypeNames({ sources }: Tree): Violation[] {
  const found = [...sources.values()]
    .filter(({ path }) => isIn(path, 'src', 'scripts', 'bench', 'containers') && !isIn(path, 'src/client/api'))
    .flatMap(({ path, exports }) =>
      exports.filter(({ isNamedType }) => isNamedType).map(({ name, line }) => ({ name, file: path, line })),
    )
  return [...Map.groupBy(found, ({ name }) => name)]
    .filter(([name, same]) => same.length > 1 && !conventional.includes(name))
    .flatMap(([name, same]) =>
      same.map(({ file, line }) => ({
        rule: 'type-names',
        file,
        line,
        detail: `exports the type ${name}, as does another file`,
      })),
    )
}

const maxLines = 300

/** Finds files of more than 300 lines, except tests and generated files. */
export const checkLength = ({ sources }: Tree): Violation[] =>
  [...sources.values()]
    .filter(({ path, lines }) => lines > maxLines && !isIn(path, 'tests', 'src/client/api'))
    .map(({ path, lines }) => ({
      rule: 'file-length',
      file: path,
      line: 1,
      detail: `has ${lines} lines: at most ${maxLines} are allowed`,
    }))
