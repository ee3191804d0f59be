// Tests the console's page of notification templates in a browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the page of notifications', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('notification', 'queue', 'sms', 'email', 'feed') })
  })

  afterAll(() => console?.dispose())

  const call = async (method: string, path: string, params: object = {}) => {
    const { body } = await askJson(console.stack.url + path, method, params)
    expect(body).toMatchObject({ status: true })
    return (body as { content: Record<string, unknown> }).content
  }

  const create = (code: string, more: object = {}) =>
    call('POST', '/notification/notification', {
      ...{ code, name: `Template ${code}`, has_email: true, has_sms: true },
      email_subject: { en: 'Order {{ order }}', kk: '{{ order }} тапсырысы' },
      email_html: { en: '<p>Hello, {{ name }}</p>', kk: '<p>Сәлем, {{ name }}</p>' },
      ...{ sms_message: 'Order {{ order }} is on its way', ...more },
    })

  const templateOf = async (code: string) =>
    (await call('GET', '/notification/notification', { code })).notification as object

  const subjectIn = (page: Page) => page.getByRole('region', { name: 'Preview of the email' }).locator('dd').first()

  it('previews a template while it is typed, and creates it', async () => {
    const page = await console.open('/notification')
    await page.getByText('No templates yet.', { exact: false }).waitFor()
    await holdsUp(page)
    await page.getByRole('link', { name: 'New template' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Welcome')
    await page.getByLabel('Code', { exact: true }).fill('welcome')
    await page.getByLabel('Subject').fill('Welcome, {{ name }}')
    await page.getByLabel('Values').fill('{"name": "Bob"}')
    await page.getByText('Welcome, Bob').waitFor()
    await page.getByLabel('HTML').fill('<h1>For <b>{{ name }}</b></h1>')
    await page.frameLocator('iframe').getByRole('heading', { name: 'For Bob' }).waitFor()
    await page.getByText('1 segment, GSM alphabet').waitFor()
    await page.getByRole('textbox', { name: 'SMS' }).fill('Сәлем')
    await page.getByText('UCS-2', { exact: false }).waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Template: Welcome' }).waitFor()
    expect(await templateOf('welcome')).toMatchObject({
      email_subject: { en: 'Welcome, {{ name }}' },
      sms_message: { en: 'Сәлем' },
    })
    expect(console.complaints).toEqual([])
  })

  it('adds and removes a language, and previews each', async () => {
    await create('languages')
    const page = await console.open('/notification/languages')
    const missing = page.getByText('No value, so blank: order', { exact: true })
    await missing.waitFor()
    await page.getByLabel('Values').fill('{"name": "Ann", "order": 7}')
    await missing.waitFor({ state: 'detached' })
    await expect.poll(() => subjectIn(page).textContent(), pageTimeout).toBe('Order 7')
    await page.getByRole('button', { name: 'kk', exact: true }).click()
    await expect.poll(() => subjectIn(page).textContent(), pageTimeout).toBe('7 тапсырысы')
    await page.getByLabel('Another').fill('ru')
    await page.keyboard.press('Enter')
    await page.getByLabel('Subject').fill('Заказ {{ order }}')
    await expect.poll(() => subjectIn(page).textContent(), pageTimeout).toBe('Заказ 7')
    await page.getByText('email_html of en', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'kk', exact: true }).click()
    await page.getByRole('button', { name: 'Remove kk' }).click()
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Template saved.').waitFor()
    expect(await templateOf('languages')).toMatchObject({
      email_subject: { en: 'Order {{ order }}', ru: 'Заказ {{ order }}' },
      email_html: { en: '<p>Hello, {{ name }}</p>' },
      sms_message: 'Order {{ order }} is on its way',
    })
    expect(console.complaints).toEqual([])
  })

  it('shows template errors beside the field, with the language', async () => {
    await create('wrong')
    const page = await console.open('/notification/wrong')
    await page.getByLabel('HTML').fill('<p>\n{% if name %}')
    await page.getByText(/\(line 2, column 1\)/).waitFor()
    expect(await page.getByLabel('HTML').getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'en, wrong' }).waitFor()
    await holdsUp(page)
    await page.getByLabel('HTML').fill('<p>{{ name }}</p>')
    await page.getByRole('button', { name: 'en', exact: true }).waitFor()
    await page.getByLabel('Values').fill('[1]')
    await page.getByText('Must be a JSON object').waitFor()
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })

  it('shows the preview of the last input, even if earlier replies arrive later', async () => {
    await create('late')
    const page = await console.open('/notification/late')
    let held: (() => void) | undefined
    await page.route('**/notification/notification/preview', async (route) => {
      if (route.request().postData()?.includes('Slow')) await new Promise<void>((go) => (held = go))
      // The page may have canceled the request meanwhile.
      await route.continue().catch(() => undefined)
    })
    await page.getByLabel('Subject').fill('Slow')
    await expect.poll(() => held !== undefined, pageTimeout).toBe(true)
    await page.getByLabel('Subject').fill('Fast')
    await expect.poll(() => subjectIn(page).textContent(), pageTimeout).toBe('Fast')
    held?.()
    await page.getByLabel('Subject').fill('Faster')
    await expect.poll(() => subjectIn(page).textContent(), pageTimeout).toBe('Faster')
    expect(console.complaints).toEqual([])
  })

  it('sends a notification, and shows the result of each channel', async () => {
    await create('sent')
    const page = await console.open('/notification/sent')
    await page.getByLabel('Values').fill('{"name": "Ann", "order": 41}')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 400')])
    await page.getByLabel('Send to the email address').fill('ann@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const outcome = page.getByRole('region', { name: 'Result' })
    await outcome.getByRole('row', { name: /email queued/ }).waitFor()
    await outcome.getByRole('row', { name: /sms skipped no recipient/ }).waitFor()
    await holdsUp(page)
    await expect
      .poll(async () => (await call('GET', '/email/messages', { subject: 'Order 41' })).messages, pageTimeout)
      .toMatchObject([{ to: ['ann@example.com'] }])
    expect(console.complaints).toEqual([])
  })

  it('lists templates by name, code and pages, and deletes one', async () => {
    for (let n = 1; n <= 21; n++) await create(`page_${n}`)
    const page = await console.open('/notification')
    await page.getByLabel('Name', { exact: true }).fill('Template page')
    await page.getByText('1 to 20 of 21').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'Template page_1', exact: true }).waitFor()
    await page.getByLabel('Code', { exact: true }).fill('page_7')
    await page.getByRole('link', { name: 'Template page_7' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Template deleted.').waitFor()
    const { body } = await askJson(`${console.stack.url}/notification/notification?code=page_7`, 'GET')
    expect(body).toMatchObject({ status_code: 'notification_not_found' })
    expect(console.complaints).toEqual([])
  })
})
