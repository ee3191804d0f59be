// Decides for each test file where it runs (its project) and when (its tier), from its path and its imports.
import { globSync, readFileSync } from 'node:fs'
import { filesReachedFrom, importsOf, isCode } from './imports.ts'

/**
 * `fast` is `npm test`. `rest` is what `npm run test:full` adds to it. `all` is both in one run, and what runs when a test
 * file is named on the command line without a mode.
 */
export type Tier = 'fast' | 'rest' | 'all'

/** The tier of a run, from the mode that it was started with (`vitest run --mode=fast`). */
export const tierOf = (mode: string): Tier => (mode === 'fast' || mode === 'rest' ? mode : 'all')

/** Folders whose tests start whole stacks, browsers or native programs. These run only in `npm run test:full`. */
const fullFolders = [
  ...['boot', 'browser', 'chaos', 'client', 'console', 'crash', 'gateway', 'measure', 'media', 'pdf', 'walks'].map(
    (folder) => `tests/stack/${folder}`,
  ),
]

/** Module whose importers differ between the tiers: tests of stores run on another database in each. */
const tierModule = 'tests/support/tier.ts'

const isFull = (file: string) =>
  file.endsWith('.full.test.ts') || fullFolders.some((folder) => file.startsWith(`${folder}/`))

export const isInTier = (file: string, tier: Tier): boolean =>
  tier === 'all' || (tier === 'fast' ? !isFull(file) : isFull(file) || filesReachedFrom(file).has(tierModule))

export const allTestFiles = (): string[] => globSync('tests/**/*.test.ts').sort()

/** Vitest's commands. One of them may be the first argument, and is then not the name of a file. */
const commands = new Set(['run', 'watch', 'dev', 'bench', 'related', 'list'])

/** Options of Vitest whose value is the next argument, which is then not the name of a file. */
const optionsWithValue = new Set(['-t', '--testNamePattern', '--reporter', '--outputFile', '--mode'])

/** The arguments that name test files: neither the command of Vitest nor options. */
const fileWords = ([first, ...others]: string[]): string[] =>
  (commands.has(first ?? '') ? others : [first ?? '', ...others]).filter(
    (word, i, words) => word !== '' && !word.startsWith('-') && !optionsWithValue.has(words[i - 1] ?? ''),
  )

/**
 * The test files that the arguments of `vitest` name: those whose path contains one of the words that name files, or all if
 * there is no such word.
 */
export function namedTestFiles(args: string[], files = allTestFiles()): string[] {
  const words = fileWords(args).map((word) => word.replace(/^\.\//, ''))
  const named = files.filter((file) => words.some((word) => file.includes(word)))
  return named.length === 0 ? files : named
}

/** Projects of the folders whose tests always run in Node. */
export const nodeProjects = ['stack', 'client', 'containers', 'deploy']

/**
 * The project in which a test file runs: that of its folder, or `unit` if nothing that the file loads needs workerd.
 */
export function projectOf(file: string): string {
  const [, folder = ''] = file.split('/')
  if (nodeProjects.includes(folder)) return folder
  if (!needsWorkerd(file)) return 'unit'
  return folder === 'search' ? 'fulltext' : folder
}

/**
 * Matches code that needs workerd: APIs that Node lacks, and `inject`, which gives tests the servers of a component's
 * project.
 */
const workerdOnly =
  /\b(HTMLRewriter|WebSocketPair|DigestStream|FixedLengthStream|IdentityTransformStream|timingSafeEqual|caches\.default|scheduler\.wait|(to|[fF]rom)(Base64|Hex)\b|inject\()/

const needsWorkerd = (file: string): boolean =>
  [...filesReachedFrom(file)].some(
    (each) =>
      !isCode(each) ||
      importsOf(each).packages.some((name) => name.startsWith('cloudflare:') || name.includes('wasm')) ||
      (each !== tierModule && workerdOnly.test(readFileSync(each, 'utf8'))),
  )
