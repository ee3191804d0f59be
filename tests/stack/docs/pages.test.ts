// Tests the pages of the guide: all are listed, their links lead somewhere, and every variable is described.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsIn } from '../../../scripts/site/guide/anchors.ts'
import { targetOf } from '../../../scripts/site/guide/links.ts'
import { readPages } from '../../../scripts/site/guide/pages.ts'

const pages = readPages().flatMap((group) => group.pages)

it('shows every page of docs in the list of pages', () => {
  const listed = pages.map(({ file }) => file).filter((file) => file.startsWith('docs/'))
  expect(listed.toSorted()).toEqual(globSync('docs/*.md').toSorted())
})

describe('links', () => {
  const texts = [...pages, { file: 'README.md', markdown: readFileSync('README.md', 'utf8') }]
  const link = /\]\(([^)\s]+)\)/g

  it.each(texts.map(({ file, markdown }) => ({ file, markdown })))('of $file exist', ({ file, markdown }) => {
    const prose = markdown.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '')
    const dead = [...prose.matchAll(link)].map(([, href]) => href!).filter((href) => isDead(href, file, markdown))
    expect(dead).toEqual([])
  })

  function isDead(href: string, file: string, markdown: string): boolean {
    if (href.startsWith('#')) return !anchorsIn(markdown).has(href.slice(1))
    const target = targetOf(href, file, pages)
    if (target.kind === 'page') return target.anchor !== '' && !anchorsIn(target.page.markdown).has(target.anchor)
    return target.kind === 'dead'
  }
})

describe('the sections', () => {
  const components = globSync('workers/*/wrangler.toml').map((file) => basename(dirname(file)))
  const pageOf: Record<string, string> = { fulltext: 'search', typeahead: 'search' }

  it.each(components)('of the page of %s are the standard ones', (component) => {
    const { markdown } = pages.find(({ name }) => name === (pageOf[component] ?? component))!
    const sections = [...anchorsIn(markdown)]
    const all = ['five-minutes', 'configuration', 'limits', 'costs', 'when-something-fails']
    expect(sections.filter((section) => all.includes(section))).toEqual(all)
  })
})

describe('the variables', () => {
  /**
   * The variables that the guide describes (the first column of tables with the heading "variable"), with the page of
   * each.
   */
  const described = pages
    .filter(({ file }) => file.startsWith('docs/'))
    .flatMap(({ name, markdown }) =>
      [...markdown.matchAll(/^\| variable \|.*\n\|[- |]+\n((?:\|.*\n)+)/gm)].flatMap(([, rows]) =>
        rows!.split('\n').flatMap((row) => {
          const [, first = ''] = row.split('|')
          return [...first.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, variable]) => ({
            variable: variable!,
            page: name,
          }))
        }),
      ),
    )

  /** The variables that the code of the components declares, without bindings. */
  const read = new Set(
    globSync(['src/*/{bindings,env}.ts', 'src/core/**/*.ts']).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {2}([A-Z][A-Z0-9_]+)\?: string$/gm)].map(([, name]) => name!),
    ),
  )

  it('that a component reads are in exactly one table', () => {
    const times = [...read].map((name) => [name, described.filter(({ variable }) => variable === name).length])
    expect(times.filter(([, count]) => count !== 1)).toEqual([])
    expect(read.size).toBeGreaterThan(70)
  })

  it('that limit the age of data are on the page of retention', () => {
    const { markdown } = pages.find(({ name }) => name === 'retention')!
    const ages = [...read].filter((name) => /_(RETENTION|LIFETIME|LOG_DAYS|RETRY_DAYS)$/.test(name))
    // The lifetime of a password is chosen by its sender, or for the bot by this variable.
    const lacking = ages.filter((name) => name !== 'CHATAPP_LIFETIME' && !markdown.includes(`\`${name}\``))
    expect(lacking).toEqual([])
    expect(ages.length).toBeGreaterThan(9)
  })

  it('are described once', () => {
    const own = described.filter(({ page }) => page !== 'sms-providers').map(({ variable }) => variable)
    expect(own.filter((name, at) => own.indexOf(name) !== at)).toEqual([])
  })
})
