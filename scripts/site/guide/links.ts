import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import type { GuidePage } from './pages.ts'

/** Where a link leads. */
type Target =
  /** Elsewhere on the web, or within the page. */
  | { kind: 'as it stands' }
  /** What a server answers, by its path without the first slash. */
  | { kind: 'server'; path: string }
  | { kind: 'page'; page: GuidePage; anchor: string }
  /** A file of `docs/` that is served as it is. */
  | { kind: 'file'; file: string }
  /** A file of the project that the guide does not have. */
  | { kind: 'source' }
  | { kind: 'dead' }

/** Where a link in a page's Markdown leads, which is relative to its file as on GitHub. */
export function targetOf(href: string, from: string, pages: GuidePage[]): Target {
  const [, served] = /^http:\/\/localhost:8787\/(.*)$/.exec(href) ?? []
  if (served !== undefined) return { kind: 'server', path: served }
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return { kind: 'as it stands' }
  const [path = '', anchor = ''] = href.split('#')
  const file = posix.join(posix.dirname(from), decodeURIComponent(path))
  const page = pages.find((one) => one.file === (file === 'README.md' ? 'docs/index.md' : file))
  if (page) return { kind: 'page', page, anchor }
  if (!existsSync(file)) return { kind: 'dead' }
  return file.startsWith('docs/') && statSync(file).isFile() ? { kind: 'file', file } : { kind: 'source' }
}

/** The address of a page, from any other one. */
export const addressOf = (page: GuidePage, anchor = '') =>
  `${page.name === 'index' ? './' : page.name}${anchor && `#${anchor}`}`
