// Tests the console's pages of payments and signatures in a browser.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { attached, content, detached, enveloped } from '../../signature/samples.ts'
import { ask, askJson } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

const PAYMENT_API_SECRET = 'the secret of the processor'

describe.skipIf(!has('chromium'))('the console', () => {
  let console: Console

  beforeAll(async () => {
    const port = await freePort(0)
    console = await startConsole({
      port,
      components: only('payment', 'signature', 'catcher', 'queue'),
      variables: {
        ...{ PAYMENT_API_SECRET, PAYMENT_PUBLIC_ID: 'pk_test' },
        PAYMENT_WEBHOOK_URL: `http://localhost:${port}/catcher/operator`,
      },
    })
  })

  afterAll(() => console?.dispose())

  describe('on payments', () => {
    /** Sends the webhook `Pay`, as the payment processor does after a payment. */
    async function pay(TransactionId: string, Amount: string, Currency: string, AccountId: string) {
      const body = new URLSearchParams({ TransactionId, Amount, Currency, AccountId, Status: 'Completed' }).toString()
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-hmac': createHmac('sha256', PAYMENT_API_SECRET).update(body).digest('base64'),
      }
      const { text } = await ask(`${console.stack.url}/payment/pay`, { method: 'POST', body, headers })
      expect(text).toBe('{"code":0}')
    }

    const amounts = (page: Page) =>
      page.getByRole('region', { name: 'Payments', exact: true }).locator('td:nth-child(4)').allTextContents()

    it('explains where payments come from if there are none', async () => {
      const page = await console.open('/payment')
      await page.getByText('The processor reports payments to', { exact: false }).waitFor()
      await holdsUp(page)
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('lists payments with exact amounts, the newest first, and filters by account', async () => {
      await pay('1', '0.10', 'USD', 'ann')
      await pay('2', '10500.50', 'KZT', 'Айгерім')
      await pay('3', '0.20', 'USD', 'ann')
      await pay('4', '999999999999.99', 'USD', 'bob')
      const page = await console.open('/payment')
      await expect
        .poll(() => amounts(page), pageTimeout)
        .toEqual(['999,999,999,999.99 USD', '0.20 USD', '10,500.50 KZT', '0.10 USD'])
      await page.getByText('On this page: 1,000,000,000,000.29 USD, 10,500.50 KZT.').waitFor()
      await holdsUp(page)
      const filter = page.locator('form', { has: page.getByRole('button', { name: 'Apply' }) })
      await filter.getByLabel('Account').fill('ann')
      await filter.getByRole('button').click()
      await expect.poll(() => amounts(page), pageTimeout).toEqual(['0.20 USD', '0.10 USD'])
      await page.getByText('On this page: 0.30 USD.').waitFor()
      expect(page.url()).toContain('account=ann')
      await page.reload()
      await expect.poll(() => amounts(page), pageTimeout).toEqual(['0.20 USD', '0.10 USD'])
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('pages through many payments', async () => {
      for (let i = 100; i < 155; i++) await pay(String(i), '1', 'KZT', 'many')
      const page = await console.open('/payment?account=many')
      await page.getByText('1 to 50 of 55').waitFor()
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await page.getByText('51 to 55 of 55').waitFor()
      await expect.poll(async () => (await amounts(page)).length, pageTimeout).toBe(5)
      await page.getByRole('button', { name: 'Previous', exact: true }).click()
      await page.getByText('1 to 50 of 55').waitFor()
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('shows the webhook attempts of a payment, and resends the webhook', async () => {
      await pay('7', '12.34', 'KZT', 'told')
      const page = await console.open('/payment?account=told')
      await page.getByRole('region', { name: 'Payments', exact: true }).getByRole('link').click()
      await page.getByText('12.34 KZT').waitFor()
      const attempts = page.getByRole('region', { name: 'Webhook attempts' }).locator('tbody tr')
      await expect.poll(() => attempts.count(), pageTimeout).toBe(1)
      await attempts.first().getByText('200').waitFor()
      await page.getByText('completed').waitFor()
      await page.getByRole('button', { name: 'Resend webhook' }).click()
      await page.getByText('The merchant responded with 200.').waitFor()
      await expect.poll(() => attempts.count(), pageTimeout).toBe(2)
      await holdsUp(page)
      await page
        .getByRole('button', { name: /^Show bodies of attempt/ })
        .first()
        .click()
      await page.getByRole('dialog').getByText('told', { exact: false }).first().waitFor()
      await page.getByRole('dialog').getByRole('region', { name: 'Response' }).getByText('"status"').waitFor()
      await holdsUp(page)
      const { body } = await askJson(`${console.stack.url}/catcher/_requests_`, 'GET', { path: '/operator' })
      const { requests } = (body as { content: { requests: { headers: Record<string, string> }[] } }).content
      expect(requests[0]!.headers['webhook-id']).toBe(requests[1]!.headers['webhook-id'])
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('creates a link to the card page', async () => {
      const page = await console.open('/payment')
      await page.getByLabel('Amount').fill('12.50')
      await page.getByLabel('Language').selectOption('en')
      await page.getByRole('button', { name: 'Create link' }).click()
      const href = await page.getByRole('link', { name: /pub\/card/ }).getAttribute('href')
      const { status, text } = await ask(href!)
      expect(status).toBe(200)
      expect(text).toContain('12.50')
      expect(console.complaints).toEqual([])
      await page.close()
    })
  })

  describe('on signatures', () => {
    const save = (document: string, cms: string, more: object = {}) =>
      askJson(`${console.stack.url}/signature/signature`, 'POST', {
        ...{ document, thread: 'order/7', cms, version_created_by: 'Ann' },
        ...more,
      })

    const download = async (page: Page, name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
    }

    it('filters signatures by tag, and explains how to save one if there are none', async () => {
      const page = await console.open('/signature')
      await page.getByText('No signatures found.', { exact: false }).waitFor()
      await save('contract', attached, { tags: ['sales', 'waiting'] })
      await save('act', enveloped, { tags: ['sales'] })
      await save('letter', detached)
      await page.reload()
      const names = () => page.getByRole('region', { name: 'Signatures' }).locator('td:first-child').allTextContents()
      await expect.poll(names, pageTimeout).toEqual(['letter', 'act', 'contract'])
      await holdsUp(page)
      await page.getByLabel('Any of these tags').fill('waiting, other')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(names, pageTimeout).toEqual(['contract'])
      await page.getByRole('link', { name: 'contract' }).click()
      await page.getByRole('heading', { name: 'Signature: contract' }).waitFor()
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('shows the versions of a signature, verifies each signer, and downloads the saved bytes', async () => {
      await save('deal', attached)
      await save('deal', enveloped, { version: 1, version_comment: 'As XML' })
      const page = await console.open('/signature/deal/order%2F7')
      await page.getByText('As XML').waitFor()
      await page.getByRole('button', { name: 'Verify version 2' }).click()
      await page.getByRole('region', { name: 'Signers' }).getByText('valid', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'Signers' }).getByText('CN=Ann').first().waitFor()
      await holdsUp(page)
      const xml = await download(page, 'Download version 2')
      expect([xml.name, xml.bytes.toString()]).toEqual(['deal-2.xml', enveloped])
      const cms = await download(page, 'Download version 1')
      expect([cms.name, cms.bytes.toString('base64')]).toEqual(['deal-1.p7s', attached])
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('verifies a detached signature with the signed file, and rejects another file', async () => {
      await save('apart', detached)
      const page = await console.open('/signature/apart/order%2F7')
      await page.getByRole('button', { name: 'Verify version 1' }).click()
      const file = page.getByLabel('Signed content', { exact: false })
      const [name, mimeType] = ['content.txt', 'text/plain']
      await file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) })
      const result = page.getByText('The signature is', { exact: false })
      await expect
        .poll(() => result.textContent(), pageTimeout)
        .toBe('The signature is valid, verified with content.txt')
      await file.setInputFiles({ name, mimeType, buffer: Buffer.from('The Contract') })
      await expect
        .poll(() => result.textContent(), pageTimeout)
        .toBe('The signature is invalid, verified with content.txt')
      await holdsUp(page)
      for (const complaint of console.complaints.splice(0)) expect(complaint).toContain('status of 400')
      await page.close()
    })
  })
})
