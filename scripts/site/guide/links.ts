// Resolves links in the Markdown of the guide, which must work both on GitHub and on the site.
import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import type { GuidePage } from './pages.ts'

/** What a link leads to. */
type Target =
  /** A link to another site, or to a place in the same page. */
  | { kind: 'unchanged' }
  /** A path that the running server answers, such as a component's API documentation, without the leading slash. */
  | { kind: 'server'; path: string }
  | { kind: 'page'; page: GuidePage; anchor: string }
  /** A file of `docs/` that is served unchanged. */
  | { kind: 'file'; file: string }
  /** A file of the project that is not part of the guide. The link is rendered as text. */
  | { kind: 'source' }
  | { kind: 'dead' }

/** Finds what a link in a page's Markdown leads to. Links are relative to the page's file, as on GitHub. */
export function targetOf(href: string, from: string, pages: GuidePage[]): Target {
  const [, served] = /^http:\/\/localhost:8787\/(.*)$/.exec(href) ?? []
  if (served !== undefined) return { kind: 'server', path: served }
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return { kind: 'unchanged' }
  const [path = '', anchor = ''] = href.split('#')
  const file = posix.join(posix.dirname(from), decodeURIComponent(path))
  const page = pages.find((one) => one.file === (file === 'README.md' ? 'docs/index.md' : file))
  if (page) return { kind: 'page', page, anchor }
  if (!existsSync(file)) return { kind: 'dead' }
  return file.startsWith('docs/') && statSync(file).isFile() ? { kind: 'file', file } : { kind: 'source' }
}

/** The relative address of a page, from any other page. */
export const addressOf = (page: GuidePage, anchor = '') =>
  `${page.name === 'index' ? './' : page.name}${anchor && `#${anchor}`}`
