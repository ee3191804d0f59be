// Tests the console's pages of feeds and badges in a browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the pages of the feed and of badges', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('feed', 'badge', 'queue') })
  })

  afterAll(() => console?.dispose())

  const call = async (method: string, path: string, params: object) => {
    const { status, body } = await askJson(`${console.stack.url}${path}`, method, params)
    expect(status).toBeLessThan(300)
    return body
  }

  const makeRecords = async (collection: string, recipients: string[]) => {
    await call('POST', '/feed/collection', { name: collection })
    const records = recipients.map((recipient, i) => ({ recipient, title: `Title ${i}`, text: `Text ${i}` }))
    await call('POST', '/feed/records', { collection, records })
  }

  const rows = (page: Page, label = 'Records') => page.getByRole('region', { name: label }).locator('tbody tr')
  const waitForStatus = (page: Page, text: string | RegExp) =>
    page.getByRole('main').getByRole('status').getByText(text).waitFor()

  it('creates a collection, adds a record, and shows it', async () => {
    const page = await console.open('/feed')
    await page.getByLabel('Name').fill('No name')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), pageTimeout).toBe('true')
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await page.getByLabel('Name').fill('orders')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await page.getByText('No records yet.', { exact: false }).waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'New record' }).click()
    await page.getByLabel('Recipient').fill('ann/1')
    await page.getByLabel('Title').fill('Your order')
    await page.getByLabel('Text').fill('It is on its way.')
    await page.getByLabel('Payload').fill('{"order":7}')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Add record' }).click()
    await waitForStatus(page, '1 record, 1 unread')
    await page.getByRole('button', { name: /^Your order/ }).click()
    await page.getByRole('dialog').getByText('"order": 7').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All collections' }).click()
    await page.getByRole('link', { name: 'orders' }).waitFor()
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('shows the newest records of all recipients, loads more, and deletes one', async () => {
    await makeRecords(
      'busy',
      Array.from({ length: 30 }, (_, i) => (i % 2 ? 'ann' : 'bob')),
    )
    const page = await console.open('/feed/busy')
    await expect.poll(() => rows(page).count(), pageTimeout).toBe(25)
    await page.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => rows(page).count(), pageTimeout).toBe(30)
    await rows(page)
      .last()
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Record deleted.').waitFor()
    await expect.poll(() => rows(page).count(), pageTimeout).toBe(29)
    await rows(page)
      .first()
      .getByRole('button', { name: /^Mark read/ })
      .click()
    await rows(page).first().getByText('read', { exact: true }).waitFor()
    expect(await rows(page).count()).toBe(29)
    await holdsUp(page)
    await rows(page).first().getByRole('link', { name: 'ann' }).click()
    await waitForStatus(page, '15 records, 14 unread')
    expect(console.complaints).toEqual([])
  })

  it('filters and searches the records of a recipient, marks them read and unread, and deletes all', async () => {
    await makeRecords(
      'mail',
      Array.from({ length: 27 }, () => 'ann'),
    )
    const page = await console.open('/feed/mail/of/ann')
    await page.getByText('1 to 25 of 27').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect.poll(() => rows(page).count(), pageTimeout).toBe(2)
    await rows(page)
      .first()
      .getByRole('button', { name: /^Mark read/ })
      .click()
    await waitForStatus(page, '27 records, 26 unread')
    await page.getByLabel('Unread only').check()
    await page.getByText('1 to 25 of 26').waitFor()
    expect(page.url()).toContain('show=unread')
    await page.getByLabel('Search').fill('text 13')
    await expect.poll(() => rows(page).count(), pageTimeout).toBe(1)
    await holdsUp(page)
    await page.getByLabel('Search').fill('')
    await page.getByRole('button', { name: 'Mark all read' }).click()
    await waitForStatus(page, '27 records, 0 unread')
    await page.getByText('No records found.').waitFor()
    await page.getByLabel('Unread only').uncheck()
    await rows(page)
      .first()
      .getByRole('button', { name: /^Mark unread/ })
      .click()
    await waitForStatus(page, '27 records, 1 unread')
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
    await waitForStatus(page, '0 records, 0 unread')
    expect(await call('GET', '/feed/records/count', { collection: 'mail', recipient: 'ann' })).toMatchObject({
      content: { records: 0 },
    })
    expect(console.complaints).toEqual([])
  })

  it('follows a recipient live while the switch is on', async () => {
    await makeRecords('live', ['bob'])
    const page = await console.open('/feed/live/of/ann')
    await waitForStatus(page, '0 records, 0 unread')
    const stream = page.waitForResponse(/\/feed\/stream\?/)
    await page.getByRole('switch', { name: 'Live' }).check()
    expect((await stream).status()).toBe(200)
    const records = [{ recipient: 'ann', title: 'Fresh' }]
    const { content } = (await call('POST', '/feed/records', { collection: 'live', records })) as {
      content: { records: { id: number }[] }
    }
    await waitForStatus(page, /new record: Fresh\./)
    await waitForStatus(page, '1 record, 1 unread')
    await holdsUp(page)
    await call('POST', '/feed/record/read', { collection: 'live', id: content.records[0]!.id })
    await waitForStatus(page, / is read\./)
    await waitForStatus(page, '1 record, 0 unread')
    await page.getByRole('switch', { name: 'Live' }).uncheck()
    await page.getByText(/ is read\./).waitFor({ state: 'detached' })
    expect(console.complaints).toEqual([])
  })

  it('shows an error for an unknown collection', async () => {
    const page = await console.open('/feed/nothing')
    await page.getByRole('alert').waitFor()
    await holdsUp(page)
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 404')])
  })

  it('adds badges, counts them as a tree, and deletes a branch', async () => {
    const page = await console.open('/badge')
    await page.getByText('No badges yet.', { exact: false }).waitFor()
    await page.getByLabel('Collection').fill('shop')
    await page.getByLabel('User').fill('ann')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByLabel('Name').fill('inbox//mail')
    await page.getByRole('button', { name: 'Add badge' }).click()
    await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid'), pageTimeout).toBe('true')
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await page.getByLabel('Name').fill('inbox/mail')
    await page.getByLabel('Payload').fill('{"from":"bob"}')
    await page.getByRole('button', { name: 'Add badge' }).click()
    await page.getByText('Badge added.').waitFor()
    for (const name of ['inbox/mail', 'inbox/news', 'a-b', 'a/b'])
      await call('POST', '/badge/badge', { collection: 'shop', user: 'ann', name })
    await page.reload()
    await expect
      .poll(() => rows(page, 'Counters').allTextContents(), pageTimeout)
      .toEqual([
        'all5Delete',
        'a1Delete',
        'a/b1Delete',
        'a-b1Delete',
        'inbox3Delete',
        'inbox/mail2Delete',
        'inbox/news1Delete',
      ])
    await holdsUp(page)
    await page.getByRole('link', { name: 'inbox/mail' }).click()
    await expect.poll(() => rows(page, 'Badges').count(), pageTimeout).toBe(2)
    expect(page.url()).toContain('name=inbox%2Fmail')
    await page.getByText('"from": "bob"').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Delete inbox', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('3 badges deleted.').waitFor()
    await page.getByText('No badges found.').waitFor()
    const counted = await call('GET', '/badge/counters', { collection: 'shop', user: 'ann', names: '_all' })
    expect(counted).toMatchObject({ content: { counters: { _all: 2 } } })
    expect(console.complaints).toEqual([])
  })

  it('lists the users of a collection, page by page', async () => {
    for (let i = 10; i < 62; i++)
      await call('POST', '/badge/badge', { collection: 'many', user: `user ${i}`, name: 'one' })
    const page = await console.open('/badge')
    await page.getByRole('link', { name: 'many' }).click()
    await expect.poll(() => rows(page, 'Users').count(), pageTimeout).toBe(50)
    await page.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => rows(page, 'Users').count(), pageTimeout).toBe(52)
    await holdsUp(page)
    await page.getByRole('link', { name: 'user 61' }).click()
    await page.getByRole('heading', { name: 'Badges: user 61' }).waitFor()
    await expect.poll(() => rows(page, 'Badges').count(), pageTimeout).toBe(1)
    expect(console.complaints).toEqual([])
  })
})
