// Writes the files of a component that `npm run new` generates, from the templates in this folder.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface NewComponent {
  name: string
  /** What the component does, in one sentence. */
  summary: string
  hasDatabase: boolean
}

const root = resolve(import.meta.dirname, 'template')

/** The files of a new component, by path. */
export function templateFiles(template: NewComponent): Map<string, string> {
  const folders = [join(root, 'common'), join(root, template.hasDatabase ? 'database' : 'plain')]
  return new Map(
    folders.flatMap((folder) =>
      globSync('*/**/*.txt', { cwd: folder }).map((file): [string, string] => [
        fill(file, template).replace(/\.txt$/, ''),
        fill(readFileSync(join(folder, file), 'utf8'), template),
      ]),
    ),
  )
}

/**
 * Writes the files of a new component, and adds the component to the files that no generator writes: the list of
 * manifests, the README and a page of the guide.
 */
export function writeComponent(template: NewComponent): void {
  const { name } = template
  for (const [file, text] of templateFiles(template)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const call = fill(
    readFileSync(join(root, template.hasDatabase ? 'database' : 'plain', 'README.sh.txt'), 'utf8'),
    template,
  )
  edit('src/manifests.ts', /^import type/m, `import { manifest as ${name} } from '#${name}/manifest'\nimport type`)
  edit('src/manifests.ts', /^\]$/m, `  ${name},\n]`)
  edit(
    'README.md',
    /^Each component has its documentation at/m,
    `${titleOf(name)}:\n\n\`\`\`sh\n${call}\`\`\`\n\nEach component has its documentation at`,
  )
  edit('docs/console.md', /(^\| page \|.*\n(?:\|.*\n)+)/m, `$1| ${titleOf(name)} | ${template.summary} |\n`)
}

const titleOf = (name: string) => name[0]!.toUpperCase() + name.slice(1)

const fill = (text: string, { name, summary }: NewComponent) =>
  text
    .replaceAll('__name__', name)
    .replaceAll('__Name__', titleOf(name))
    .replaceAll('__summary__', () => summary)

/** Replaces the only match of a pattern in a file. Throws if there is no match, since the file has changed its form. */
function edit(file: string, pattern: RegExp, replacement: string): void {
  const text = readFileSync(file, 'utf8')
  if (!pattern.test(text)) throw new Error(`${file} has no ${pattern}`)
  writeFileSync(file, text.replace(pattern, replacement))
}
