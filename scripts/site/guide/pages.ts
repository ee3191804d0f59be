// Reads the pages of the guide from `docs/`, in their order and groups.
import { existsSync, readFileSync } from 'node:fs'
import { groups } from '#core/manifest'
import { manifests } from '#manifests'

/** A page of the guide. */
export interface GuidePage {
  /** Name of its file in the guide, without `.html`. */
  name: string
  /** Path of its Markdown in the project. */
  file: string
  /** The first heading. */
  title: string
  markdown: string
}

export interface Group {
  title: string
  pages: GuidePage[]
}

/** The pages of the guide in order, by group. A page of another folder is given with its path. */
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
    'access-by-operation',
    'personal-data',
    'postgres',
    'backup',
    'retention',
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

/** Reads all pages. */
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
