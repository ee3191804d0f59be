// Tests the console's page of deliveries in a browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the page of deliveries', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('delivery', 'queue', 'sms', 'email', 'feed', 'catcher') })
  })

  afterAll(() => console?.dispose())

  const call = async (method: string, path: string, params?: object) => {
    const query = method === 'GET' && params ? `?${new URLSearchParams(Object.entries(params))}` : ''
    const { body } = await askJson(console.stack.url + path + query, method, method === 'GET' ? undefined : params)
    expect(body).toMatchObject({ status: true })
    return (body as { content: Record<string, unknown> }).content
  }

  const deliveryOf = async (page: Page) => {
    const id = Number(/delivery\/(\d+)/.exec(page.url())?.[1])
    return (await call('GET', '/delivery/delivery', { id })).delivery as Record<string, unknown> & { id: number }
  }

  /** The URL of a `data_url` that returns this number of recipients. */
  const addressOf = async (count: number) => {
    const space = crypto.randomUUID()
    const content = Array.from({ length: count }, (_, n) => ({ email: `user${n}@example.com`, name: `User ${n}` }))
    await call('PUT', '/catcher/_requests_/reply', { space, json: { content } })
    return `${console.stack.url}/catcher/recipients?X-Catcher-Space=${space}`
  }

  const startOne = async (name: string, count: number, more: object = {}) => {
    const { delivery } = await call('POST', '/delivery/delivery', {
      ...{ name, min: 1, max: 10, gap: 10, data_url: await addressOf(count), filters: {}, has_email: true },
      ...{ email_subject: { en: 'Hello' }, email_html: { en: '<p>Hello, {{ name }}</p>' }, ...more },
    })
    return (delivery as { id: number }).id
  }

  /** A rate so low that the delivery does not finish during the test. */
  const slow = { max_per_second: 0.5 }

  it('sends to example recipients, shows the progress to the end, and lists the mail under messages', async () => {
    const page = await console.open('/delivery')
    await page.getByText('No deliveries yet.', { exact: false }).waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'New delivery' }).click()
    await page.locator('h1:focus').getByText('New delivery').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Spring sale')
    await page.getByLabel('Recipients', { exact: true }).fill('ann@example.com, Ann, en\n+7 701 123 45 67, Bob, kk')
    await page.getByLabel('Another').fill('kk')
    await page.getByRole('button', { name: 'Add the language' }).click()
    await page.getByRole('textbox', { name: 'SMS' }).fill('Сәлем, {{ name }}')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Start delivery' }).click()
    await page.getByRole('heading', { name: 'Delivery: Spring sale' }).waitFor()
    await page.getByRole('status').getByText('finished', { exact: true }).waitFor()
    await page.getByText('100 %').waitFor()
    await holdsUp(page)
    expect(await deliveryOf(page)).toMatchObject({
      report: { email: { sent: 1, skipped: 1 }, sms: { sent: 1, skipped: 1 }, recipients: 2 },
    })
    await page.getByRole('link', { name: 'Pieces' }).click()
    await page.getByRole('region', { name: 'Pieces' }).getByText('processed').waitFor()
    await page.getByRole('link', { name: 'Definition' }).click()
    await page.getByText('Сәлем, {{ name }}').waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'All deliveries' }).click()
    await page.getByText('2 sent, 2 skipped').waitFor()
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByText('Сәлем, Bob').waitFor()
    await page.getByRole('link', { name: 'Mail', exact: true }).click()
    await page.getByRole('link', { name: 'Hello, Ann' }).click()
    await page.frameLocator('iframe').getByText('Hello, Ann').waitFor()
    expect(console.complaints).toEqual([])
  })

  it('pauses, resumes and cancels a running delivery', async () => {
    const page = await console.open('/delivery/new')
    await page.getByLabel('Name', { exact: true }).fill('Slow one')
    // More recipients than the delivery reaches during the test.
    const lines = Array.from({ length: 300 }, (_, n) => `user${n}@example.com, User ${n}, en`)
    await page.getByLabel('Recipients', { exact: true }).fill(lines.join('\n'))
    await page.getByLabel('SMS').first().uncheck()
    await page.getByLabel('Messages per second').fill('1')
    await page.getByRole('button', { name: 'Start delivery' }).click()
    const sent = page.getByRole('region', { name: 'Messages by channel and state' }).getByRole('cell').nth(3)
    await expect.poll(async () => Number(await sent.textContent()), pageTimeout).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('paused', { exact: true }).waitFor()
    expect(await deliveryOf(page)).toMatchObject({ status: 'started', paused: true })
    await holdsUp(page)
    await page.getByRole('link', { name: 'All deliveries' }).click()
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Slow one' }) })
    await row.getByText('paused', { exact: true }).waitFor()
    await row.getByText(/\d+ sent, \d+ to go/).waitFor()
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('status').getByText('running', { exact: true }).waitFor()
    const before = Number(await sent.textContent())
    await expect.poll(async () => Number(await sent.textContent()), pageTimeout).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').getByText('canceled', { exact: true }).waitFor()
    expect(await deliveryOf(page)).toMatchObject({ status: 'canceled' })
    await page.getByText(/\d+: the delivery was canceled/).waitFor()
    expect(console.complaints).toEqual([])
  })

  it('changes the texts and the rate of unsent messages', async () => {
    const id = await startOne('To be changed', 40, slow)
    const page = await console.open(`/delivery/${id}/change`)
    await page.getByLabel('Subject').fill('Hello again')
    await page.getByLabel('Messages per second').fill('200')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Delivery changed.').waitFor()
    await page.getByRole('status').getByText('finished', { exact: true }).waitFor()
    expect(await deliveryOf(page)).toMatchObject({ email_subject: { en: 'Hello again' }, max_per_second: 200 })
    const { nb_results } = await call('GET', '/email/messages', { subject: 'Hello again', count: true })
    expect(nb_results).toBeGreaterThan(0)
    expect(console.complaints).toEqual([])
  })

  it('starts a copy under another name, and deletes a delivery', async () => {
    const id = await startOne('Original', 1)
    const page = await console.open(`/delivery/${id}`)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByLabel('Name of the copy').fill('The copy')
    await holdsUp(page)
    await page.getByRole('button', { name: 'Start copy' }).click()
    await page.getByRole('heading', { name: 'Delivery: The copy' }).waitFor()
    expect((await deliveryOf(page)).id).toBeGreaterThan(id)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Delivery deleted.').waitFor()
    await page.getByRole('link', { name: 'Original' }).waitFor()
    expect(await page.getByRole('link', { name: 'The copy' }).count()).toBe(0)
    // The page may have requested the deleted delivery once more, which gives a 404.
    expect(console.complaints.splice(0).filter((line) => !line.includes('status of 404'))).toEqual([])
  })

  it("calls the user's URL, and shows why it returned no recipients", async () => {
    const page = await console.open('/delivery/new')
    await page.getByLabel('Name', { exact: true }).fill('Nobody')
    await page.getByLabel('Recipients from my URL').check()
    await page.getByLabel('URL of the recipients').fill(`${console.stack.url}/catcher/nobody`)
    await page.getByLabel('Filters').fill('{"list": "vip"}')
    await page.getByText('{"list":"vip","_min":1,"_max":100,"_gap":100}').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Start delivery' }).click()
    await page.getByText('the reply has no array "content"', { exact: false }).first().waitFor()
    await page.getByText('0 of 10 processed').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').getByText('canceled', { exact: true }).waitFor()
    expect(console.complaints).toEqual([])
  })

  it('shows errors beside the fields: a line of the recipients, a template', async () => {
    const page = await console.open('/delivery/new')
    await page.getByLabel('Name', { exact: true }).fill('Wrong')
    const lines = page.getByLabel('Recipients', { exact: true })
    await lines.fill('ann@example.com\nnobody')
    await page.getByRole('button', { name: 'Start delivery' }).click()
    await page.getByText('Line 2 must begin with', { exact: false }).waitFor()
    expect(await lines.getAttribute('aria-invalid')).toBe('true')
    await lines.fill('ann@example.com')
    await page.getByLabel('HTML').fill('<p>\n{{ name </p>')
    await page.getByRole('button', { name: 'Start delivery' }).click()
    await page.getByRole('textbox', { name: 'HTML' }).and(page.locator('[aria-invalid=true]')).waitFor()
    expect(await page.getByText(/line 2, column 1/).count()).toBeGreaterThan(0)
    await holdsUp(page)
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })

  it('lists deliveries by pages, and by name and state', async () => {
    for (let n = 1; n <= 21; n++) await startOne(`Page ${n}`, 0)
    const page = await console.open('/delivery')
    await page.getByLabel('Name', { exact: true }).fill('Page ')
    await page.getByText('1 to 20 of 21').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('21 to 21 of 21').waitFor()
    await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor()
    await page.getByLabel('State').selectOption('canceled')
    await page.getByText('No deliveries found.').waitFor()
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })
})
