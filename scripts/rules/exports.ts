import { isIn, type Tree, type Violation } from './tree.ts'

/** Files whose exports are read by something else than an import. */
const entries: { pattern: RegExp; why: string }[] = [
  { pattern: /^workers\/[^/]+\/index\.ts$/, why: 'the exports of a Worker are read by the runtime' },
  { pattern: /^containers\/[^/]+\/worker\.ts$/, why: 'the exports of a Worker are read by the runtime' },
  { pattern: /^src\/client\/(?:index\.ts$|api\/)/, why: 'the client is a package: applications import it' },
  { pattern: /^scripts\/bench\/[^/]+\.ts$/, why: 'scripts/bench.ts imports the benchmark that the command line names' },
  { pattern: /^scripts\/chaos\/[^/]+\/[^/]+\.ts$/, why: 'scripts/chaos.ts imports what the command line names' },
  { pattern: /^[^/]+\.ts$|\.config\.ts$/, why: 'a configuration is read by its tool' },
]

const isChecked = (path: string) =>
  isIn(path, 'src', 'scripts', 'containers', 'workers', 'migrations', 'tests') &&
  !entries.some(({ pattern }) => pattern.test(path))

/** Exported names that no other file imports. */
export function checkExports({ sources, edges }: Tree): Violation[] {
  const used = new Map<string, Set<string>>()
  for (const { target, names } of edges) {
    const known = used.get(target) ?? new Set()
    for (const name of names) known.add(name)
    used.set(target, known)
  }
  return [...sources.values()]
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name }) => !used.get(path)?.has('*') && !used.get(path)?.has(name))
        .map(({ name, line }) => ({
          rule: 'unused-exports',
          file: path,
          line,
          detail: `exports ${name}, which no other file imports`,
        })),
    )
}

/** Types that by convention each component has under the same name. */
const conventional = ['Env']

/** Exported types that share their name with another one. */
export function checkTypeNames({ sources }: Tree): Violation[] {
  const found = [...sources.values()]
    .filter(({ path }) => isIn(path, 'src', 'scripts', 'containers') && !isIn(path, 'src/client/api'))
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

/** Files of more than 300 lines, tests and generated ones left out. */
export const checkLength = ({ sources }: Tree): Violation[] =>
  [...sources.values()]
    .filter(({ path, lines }) => lines > maxLines && !isIn(path, 'tests', 'src/client/api'))
    .map(({ path, lines }) => ({
      rule: 'file-length',
      file: path,
      line: 1,
      detail: `has ${lines} lines: at most ${maxLines} are allowed`,
    }))
