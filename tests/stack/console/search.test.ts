// Tests the console's page of search in a browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the page of search', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('fulltext', 'typeahead', 'queue') })
  })

  afterAll(() => console?.dispose())

  const call = (method: string, path: string, params: object) => askJson(`${console.stack.url}${path}`, method, params)

  const makeIndex = async (variant: string, index: string, documents: object[]) => {
    await call('POST', `/${variant}/index`, { name: index })
    expect((await call('POST', `/${variant}/documents`, { index, documents })).status).toBe(200)
  }

  const results = (page: Page) =>
    page
      .getByRole('list')
      .filter({ has: page.locator('small') })
      .getByRole('listitem')
  const status = (page: Page) => page.getByRole('main').getByRole('status')

  it('creates an index, adds one document and many, and lists the index with its size', async () => {
    const page = await console.open('/search')
    await page.getByText('No indexes yet.', { exact: false }).waitFor()
    await page.getByLabel('Name').fill('Articles!')
    await page.getByRole('button', { name: 'Create index' }).click()
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), pageTimeout).toBe('true')
    await holdsUp(page)
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await page.getByLabel('Name').fill('articles')
    await page.getByLabel('Shards').fill('2')
    await page.getByLabel('Stop words').fill('foo, bar')
    await page.getByRole('button', { name: 'Create index' }).click()
    await page.getByRole('heading', { name: 'Search: articles' }).waitFor()
    await page.getByLabel('Code', { exact: true }).fill('a1')
    await page.getByLabel('Title').fill('Boats')
    await page.getByLabel('Text').fill('A boat needs <water> & wind.')
    await page.getByRole('button', { name: 'Write', exact: true }).click()
    await page.getByText('Document written').waitFor()
    await page.getByLabel('JSON lines').fill('{"code":"b1","text":"one"}\n\n{"code":')
    await page.getByRole('button', { name: 'Write all' }).click()
    await page.getByRole('alert').getByText('Line 3 is not JSON').waitFor()
    const lines = Array.from({ length: 1_200 }, (_, i) => JSON.stringify({ code: `b${i}`, text: `Number ${i}` }))
    await page.getByLabel('JSON lines').fill(lines.join('\n'))
    await page.getByRole('button', { name: 'Write all' }).click()
    await page.getByText('1200 documents written').waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('foo, bar').waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'All indexes' }).click()
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'articles' }) })
    await row.waitFor()
    expect(await row.getByRole('cell').nth(1).textContent()).toBe('1201')
    expect(await row.getByRole('cell').nth(3).textContent()).toBe('2')
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('shows highlighted results at each letter, and never a stale reply', async () => {
    await makeIndex('typeahead', 'cities', [
      { code: 'ber', text: 'Berlin' },
      { code: 'bern', text: 'Bern' },
      { code: 'bor', text: 'Bordeaux' },
      { code: 'x', text: '<b>Bertha</b> & "co"' },
    ])
    const page = await console.open('/search/typeahead/cities')
    const held: (() => Promise<void>)[] = []
    // Holds the reply for the second letter back, so that it arrives last.
    await page.route(/typeahead\/documents\?.*search=Be&/, (route) => void held.push(() => route.continue()))
    const box = page.getByLabel('Search')
    await box.press('B')
    await expect.poll(() => results(page).count(), pageTimeout).toBe(4)
    await box.press('e')
    await expect.poll(() => held.length, pageTimeout).toBe(1)
    for (const letter of 'rl') await box.press(letter)
    await status(page).getByText('1 found for “Berl”', { exact: false }).waitFor()
    const late = page.waitForResponse(/search=Be&/)
    await held[0]!()
    await (await late).finished()
    expect(await status(page).textContent()).toMatch(/^1 found for “Berl” in \d+ ms$/)
    expect(await page.locator('mark').allTextContents()).toEqual(['Berl'])
    await box.press('Backspace')
    await expect.poll(() => results(page).count(), pageTimeout).toBe(3)
    expect(await page.getByText('<b>Bertha</b> & "co"').count()).toBe(1)
    await holdsUp(page)
    expect(page.url()).toContain('text=Ber')
    await box.fill('')
    await status(page).getByText('Type to search.').waitFor()
    expect(console.complaints).toEqual([])
  })

  it('searches by words, opens a document and deletes it', async () => {
    const long = `${'word '.repeat(2_000)}needle ${'word '.repeat(2_000)}`
    await makeIndex('fulltext', 'notes', [
      { code: 'n1', title: 'Sailing <boats>', text: 'How boats sail against the wind' },
      { code: 'n2', title: 'Long', text: long },
    ])
    const page = await console.open('/search/fulltext/notes?text=boat')
    await status(page).getByText('1 found', { exact: false }).waitFor()
    expect(await page.locator('mark').allTextContents()).toEqual(['boats', 'boats'])
    await holdsUp(page)
    await page.getByLabel('Search').fill('needle')
    await page.locator('mark').getByText('needle').waitFor()
    expect((await results(page).textContent())!.length).toBeLessThan(600)
    await holdsUp(page)
    await page.getByLabel('Search').fill('wind')
    await page.getByRole('button', { name: 'Sailing <boats>' }).click()
    await page.getByRole('dialog').getByText('How boats sail against the wind').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Delete n1' }).click()
    await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Document deleted').waitFor()
    await status(page).getByText('Nothing found', { exact: false }).waitFor()
    expect((await call('GET', '/fulltext/document', { index: 'notes', code: 'n1' })).status).toBe(404)
    expect(console.complaints).toEqual([])
  })

  it('opens a document by its code, and reports an unknown code', async () => {
    await makeIndex('fulltext', 'codes', [{ code: 'c/1', text: 'found by its code' }])
    const page = await console.open('/search/fulltext/codes/documents')
    await page.getByLabel('Document code').fill('c/1')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('found by its code').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Document code').fill('nothing')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 404')])
  })

  it('deletes an index', async () => {
    await makeIndex('fulltext', 'gone', [{ code: 'g', text: 'g' }])
    const page = await console.open('/search/fulltext')
    await page.getByRole('button', { name: 'Delete gone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Index deleted').waitFor()
    await page.getByRole('link', { name: 'gone' }).waitFor({ state: 'detached' })
    const page2 = await console.open('/search/fulltext/gone?text=g')
    await status(page2).getByText('No index is named "gone"').waitFor()
    await holdsUp(page2)
    expect(console.complaints.splice(0).every((text) => text.includes('status of 404'))).toBe(true)
  })

  it('pages through the results', async () => {
    await makeIndex(
      'typeahead',
      'many',
      Array.from({ length: 45 }, (_, i) => ({ code: `m${i}`, text: `same ${i}` })),
    )
    const page = await console.open('/search/typeahead/many?text=same')
    await page.getByText('1 to 20 of 45').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByText('same 20', { exact: true }).waitFor()
    await page.getByLabel('Search').press('End')
    await page.getByLabel('Search').pressSequentially(' 44')
    await expect.poll(() => page.locator('mark').last().textContent(), pageTimeout).toContain('44')
    expect(console.complaints).toEqual([])
  })
})
