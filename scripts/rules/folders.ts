// Rules for imports between folders, and for names of components in shared code.
import { manifests } from '#manifests'
import { breach, type Edge, isIn, type Tree, unitOf, type Violation } from './tree.ts'

/** A restriction of the imports of some folders. */
interface Limit {
  rule: string
  why: string
  /** Whether an import is forbidden by this restriction. */
  isBrokenBy: (edge: Edge, tree: Tree) => boolean
}

const isFile = ({ target }: Edge) => /^(?:src|scripts|bench|containers|workers|migrations|tests)\//.test(target)

/** Whether a file in `folder` imports a file outside of all `allowed` folders. */
const leaves = (edge: Edge, folder: string, ...allowed: string[]) =>
  isIn(edge.source.path, folder) && isFile(edge) && !isIn(edge.target, folder, ...allowed)

/**
 * Path of the list of all manifests. Every file except core, the client and the containers may import this plain data.
 */
const manifestList = 'src/manifests.ts'

/** The script to which a file belongs: `scripts/chaos` for `scripts/chaos.ts` and all files in `scripts/chaos/`. */
const scriptOf = (path: string) => unitOf(path).replace(/\.ts$/, '')

/** Folders that other scripts may import: helpers, the local stack, and the site that the stack serves. */
const sharedScripts = ['scripts/lib', 'scripts/stack', 'scripts/site']

const limits: Limit[] = [
  {
    rule: 'core-alone',
    why: 'core imports nothing but core',
    isBrokenBy: (edge) => leaves(edge, 'src/core'),
  },
  {
    rule: 'gateway-alone',
    why: 'the gateway imports nothing but core, itself and the manifests',
    isBrokenBy: (edge) => edge.target !== manifestList && leaves(edge, 'src/gateway', 'src/core'),
  },
  {
    rule: 'console-alone',
    why: 'the console imports nothing but the client, itself and the manifests',
    isBrokenBy: (edge) =>
      ![manifestList, 'src/core/manifest.ts'].includes(edge.target) && leaves(edge, 'src/console', 'src/client'),
  },
  {
    rule: 'client-alone',
    why: 'the client is a package and imports nothing but itself',
    isBrokenBy: (edge) => leaves(edge, 'src/client'),
  },
  {
    rule: 'component-isolation',
    why: 'a component imports values from core and itself, and nothing but types from other components',
    isBrokenBy: (edge, { components }) =>
      edge.target !== manifestList &&
      components.some((name) => leaves(edge, `src/${name}`, 'src/core')) &&
      !(edge.isType && components.some((name) => isIn(edge.target, `src/${name}`))),
  },
  {
    rule: 'worker-imports',
    why: 'a Worker imports core, its component and the migrations of its durable objects',
    isBrokenBy: (edge) => isIn(edge.source.path, 'workers') && isFile(edge) && !isIn(edge.target, 'src', 'migrations'),
  },
  {
    rule: 'container-folders',
    why: 'containers share code through containers/shared',
    isBrokenBy: (edge) =>
      isIn(edge.source.path, 'containers') &&
      isFile(edge) &&
      !isIn(edge.target, unitOf(edge.source.path), 'containers/shared'),
  },
  {
    rule: 'script-folders',
    why: 'scripts share code through scripts/lib, and start the stack and the site',
    isBrokenBy: ({ source, target }) =>
      isIn(source.path, 'scripts') &&
      isIn(target, 'scripts') &&
      scriptOf(source.path) !== scriptOf(target) &&
      !sharedScripts.includes(scriptOf(target)),
  },
  {
    rule: 'bench-folder',
    why: 'only benchmarks import benchmarks, which are a separate package',
    isBrokenBy: ({ source, target }) => isIn(target, 'bench') && !isIn(source.path, 'bench', 'tests'),
  },
  {
    rule: 'bench-folder',
    why: 'benchmarks share code with scripts through scripts/lib, and start the stack',
    isBrokenBy: ({ source, target }) =>
      isIn(source.path, 'bench') && isIn(target, 'scripts') && !sharedScripts.includes(scriptOf(target)),
  },
  {
    rule: 'no-tests',
    why: 'scripts import no tests',
    isBrokenBy: ({ source, target }) => isIn(target, 'tests') && isIn(source.path, 'scripts', 'bench', 'migrations'),
  },
  {
    rule: 'relative-paths',
    why: 'a relative path stays in its folder; files under src are imported as #folder/file',
    isBrokenBy: ({ source, specifier, target }) =>
      specifier.startsWith('.') &&
      // `bench` and `containers` are left out: they are separate packages, whose package.json defines no import names
      // for files outside of them.
      !isIn(source.path, 'bench', 'containers') &&
      isIn(target, 'src') &&
      unitOf(source.path) !== unitOf(target),
  },
]

/** Finds imports that leave the folder in which they must stay, as the restrictions above say. */
export const checkFolders = (tree: Tree): Violation[] =>
  limits.flatMap(({ rule, why, isBrokenBy }) =>
    tree.edges.filter((edge) => isBrokenBy(edge, tree)).map((edge) => breach(rule, edge, why)),
  )

/**
 * Finds names of components in core, the gateway and the queue, which must work for any component: in strings, at the
 * beginning of paths, or in lists.
 */
export function checkNames({ sources, components }: Tree): Violation[] {
  const names = [...new Set([...components, ...manifests.map(({ name }) => name)])]
  return ['core', 'gateway', 'queue'].flatMap((folder) =>
    [...sources.values()]
      .filter(({ path }) => isIn(path, `src/${folder}`))
      .flatMap(({ path, strings }) =>
        strings.flatMap(({ text, line }) =>
          componentsIn(text, names)
            .filter((name) => name !== folder)
            .map((name) => ({
              rule: 'component-names',
              file: path,
              line,
              detail: `names the component ${name}: ${folder} knows no component`,
            })),
        ),
      ),
  )
}

function componentsIn(text: string, names: string[]): string[] {
  const isList = /^[a-z-]+(?:[ ,|]+[a-z-]+)*$/.test(text)
  const words = isList ? text.split(/[ ,|]+/) : [/^[#/]?([a-z-]+)\//.exec(text)?.[1]]
  return names.filter((name) => words.includes(name))
}
