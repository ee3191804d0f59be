// Generates the files that repeat a part of the manifests, for `npm run manifests`: whole index files, and the tables
// and bindings inside other files.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { manifests } from '#manifests'

/** Writes every derived file that is out of date, and returns the paths of these. */
export function writeDerived(): string[] {
  const changed = [...derivedFiles()].filter(([path, text]) => read(path) !== text)
  for (const [path, text] of changed) writeFileSync(path, text)
  return changed.map(([path]) => path)
}

/** The text of each derived file, by its path. */
export const derivedFiles = (): Map<string, string> =>
  new Map([
    ['wrangler.toml', services(read('wrangler.toml'))],
    ['README.md', table(read('README.md'), 'docs/', (name) => `**${name}**`)],
    ['docs/index.md', table(read('docs/index.md'), '', (name) => name)],
    ['src/console/pages/index.ts', consolePages()],
    [
      'scripts/soak/mix/mix.ts',
      index('scripts/soak/mix', 'mix', 'ComponentMix', 'The load of each component in a soak test.'),
    ],
    [
      'scripts/cost/operations/operations.ts',
      index(
        'scripts/cost/operations',
        'operations',
        'Costed',
        'The operations of each component whose cost is measured.',
      ),
    ],
  ])

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** The first line of a generated file: its purpose, and the command that writes it. */
const header = (purpose: string) => `// ${purpose} Written by \`npm run manifests\`.\n`

const names = manifests.map(({ name }) => name)

/** The bindings of the gateway: all service bindings of its configuration, which are its last part. */
const services = (config: string) => {
  const bindings = names.map((name) => `[[services]]\nbinding = "${name.toUpperCase()}"\nservice = "${name}"\n`)
  return `${config.slice(0, config.indexOf('[[services]]'))}${bindings.join('\n')}`
}

/** A Markdown page with its first table of components generated from the manifests. */
const table = (markdown: string, folder: string, label: (name: string) => string) => {
  const rows = manifests.map(
    ({ name, docs = [name], summary }) => `| [${label(name)}](${folder}${docs[0]}.md) | ${summary} |\n`,
  )
  return markdown.replace(
    /^(\| component \|.*\n\| --- \| --- \|\n)(?:\|.*\n)+/m,
    (_, head: string) => head + rows.join(''),
  )
}

/** The pages of the console, by their folders. */
const consolePages = () => {
  const pages = globSync('src/console/pages/*/page.tsx')
    .map((file) => basename(dirname(file)))
    .sort()
  return `${header('The pages of the console, one for each folder here.')}import type { ComponentType } from 'preact'
import type { PageOf } from '../route.ts'
${pages.map((name) => `import ${name} from './${name}/page.tsx'\n`).join('')}
/** The page of each folder, by its name. */
export const pages: Record<string, ComponentType<PageOf>> = {
${pages.map((name) => `  ${name},\n`).join('')}}
`
}

/**
 * The text of an index file: a record, by component, of the constants that the files of a folder export, such as
 * `export const badge: ComponentMix`.
 */
const index = (folder: string, variable: string, type: string, purpose: string) => {
  const declaration = new RegExp(`^export const (\\w+): ${type}\\b`, 'gm')
  const imports = globSync(`${folder}/*.ts`)
    .sort()
    .map((file) => ({ file: basename(file), exported: [...read(file).matchAll(declaration)].map(([, name]) => name!) }))
    .filter(({ exported }) => exported.length > 0)
    .map(({ file, exported }) => ({
      file,
      line: `import { ${exported.sort().join(', ')} } from './${file}'\n`,
      exported,
    }))
  const known = new Set(imports.flatMap(({ exported }) => exported))
  const lines = [...imports, { file: 'operation.ts', line: `import type { ${type} } from './operation.ts'\n` }]
  return `${header(purpose)}${lines
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ line }) => line)
    .join('')}
/** The constants of the files in this folder, by component. */
export const ${variable}: Record<string, ${type}> = {
${names.flatMap((name) => (known.has(name) ? `  ${name},\n` : [])).join('')}}
`
}
