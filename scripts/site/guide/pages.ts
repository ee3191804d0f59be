import { existsSync, readFileSync } from 'node:fs'
import { groups } from '#core/manifest'
import { manifests } from '#manifests'

/** A page of the guide. */
export interface GuidePage {
  /** Its file's in the guide, without `.html`. */
  name: string
  /** Its Markdown, relative to the project. */
  file: string
  /** The first heading. */
  title: string
  markdown: string
}

export interface Group {
  title: string
  pages: GuidePage[]
}

/** The pages in their order, by what they are about. Those of other folders are named with their file. */
const order: Record<string, Iterable<string | [name: string, file: string]>> = {
  'First steps': ['index', 'getting-started', 'console', 'api', 'configuration', 'client'],
  ...Object.fromEntries(
    groups.map((group) => [
      group,
      new Set(manifests.flatMap(({ name, docs = [name], group: of }) => (of === group ? docs : []))),
    ]),
  ),
  Running: [
    'deploying',
    'domain',
    'security',
    'postgres',
    'backup',
    'upgrading',
    'scaling',
    'costs',
    'observability',
    'measuring',
  ],
  'The project': [
    'glossary',
    ['architecture', 'ARCHITECTURE.md'],
    ['contributing', 'CONTRIBUTING.md'],
    ['changelog', 'CHANGELOG.md'],
    ['media-container', 'containers/media/README.md'],
    ['chromium-container', 'containers/chromium/README.md'],
  ],
}

/** All pages that there are, read from their files. */
export function readPages(): Group[] {
  return Object.entries(order).map(([title, names]) => ({
    title,
    pages: [...names]
      .map((name) => (typeof name === 'string' ? { name, file: `docs/${name}.md` } : { name: name[0], file: name[1] }))
      .filter(({ file }) => existsSync(file))
      .map(readPage),
  }))
}

function readPage({ name, file }: { name: string; file: string }): GuidePage {
  const markdown = readFileSync(file, 'utf8')
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
  return { name, file, title, markdown }
}
