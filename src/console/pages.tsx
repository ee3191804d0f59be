// All pages of the console with their titles, in the groups of the navigation menu.
import type { ComponentType } from 'preact'
import { groups as titles } from '#core/manifest'
import { manifests } from '#manifests'
import { pages } from './pages/index.ts'
import { Overview } from './pages/overview.tsx'
import type { PageOf } from './route.ts'

interface Listed {
  /** Name of the page in the URL. */
  name: string
  title: string
  page: ComponentType<PageOf>
}

/** All pages by group of the navigation. A page that several components share, such as Messages, is listed once per group. */
export const groups: { title: string; pages: Listed[] }[] = [
  { title: 'All', pages: [{ name: '', title: 'Overview', page: Overview }] },
  ...titles.map((group) => ({ title: group, pages: pagesOf(group) })),
]

/** The page with this name in the URL. Undefined if there is none. */
export const pageOf = (name: string): Listed | undefined =>
  groups.flatMap(({ pages }) => pages).find((page) => page.name === name)

function pagesOf(group: (typeof titles)[number]): Listed[] {
  const listed = manifests.flatMap(({ group: of, title, name, page = name }): [string, Listed][] =>
    of === group && pages[page] ? [[page, { name: page, title, page: pages[page] }]] : [],
  )
  return [...new Map(listed).values()]
}
