// Tests the console's pages of the catcher and of PDF in a browser.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { ask } from '../http.ts'
import { only } from '../stack.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the console', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({ components: only('catcher', 'pdf', 'queue') })
  })

  afterAll(() => console?.dispose())

  describe('on caught requests', () => {
    const send = (path: string, space = '', more: Parameters<typeof ask>[1] = {}) =>
      ask(`${console.stack.url}/catcher${path}`, {
        ...more,
        headers: { ...more.headers, ...(space && { 'x-catcher-space': space }) },
      })

    it('shows a new request at once, with all details', async () => {
      const page = await console.open('/catcher')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByText('No requests yet.', { exact: false }).waitFor()
      await holdsUp(page)
      await page.getByRole('button', { name: 'Copy the address' }).click()
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'), pageTimeout)
        .toBe(`${console.stack.url}/catcher/`)
      await send('/hooks/new?a=1&a=2', '', { method: 'PUT', body: '{"order": 17}', headers: { 'x-from': 'crm' } })
      await page.getByRole('button', { name: 'PUT /hooks/new' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('region', { name: 'Body' }).getByText('"order": 17').waitFor()
      await dialog.getByRole('region', { name: 'Query' }).getByText('"2"').waitFor()
      await dialog.getByRole('region', { name: 'Headers' }).getByText('"x-from": "crm"').waitFor()
      await holdsUp(page)
      await page.keyboard.press('Escape')
      await send('/bytes', '', { method: 'POST', body: Buffer.from([0xff, 0xfe, 1]) })
      await page.getByRole('button', { name: 'POST /bytes' }).click()
      await dialog.getByText('The body is not text. It is shown as base64.').waitFor()
      await dialog.getByRole('region', { name: 'Body' }).getByText('//4B').waitFor()
      await page.keyboard.press('Escape')
      await send('/page', '', { method: 'POST', body: '<b onclick="alert(1)">bold</b>' })
      await page.getByRole('button', { name: 'POST /page' }).click()
      await dialog.getByText('<b onclick="alert(1)">bold</b>').waitFor()
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('filters requests by space, method and path, and clears only the space', async () => {
      await send('/one', 'tests', { method: 'POST' })
      await send('/two', 'tests')
      await send('/other')
      const page = await console.open('/catcher?space=tests')
      const paths = () => page.getByRole('region', { name: 'Requests' }).locator('td:nth-child(2)').allTextContents()
      await expect.poll(paths, pageTimeout).toEqual(['GET /two', 'POST /one'])
      await page.getByText('X-Catcher-Space: tests').waitFor()
      await page.getByLabel('Method').fill('POST')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(paths, pageTimeout).toEqual(['POST /one'])
      await page.getByLabel('Method').fill('')
      await page.getByLabel('Path').fill('/tw*')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(paths, pageTimeout).toEqual(['GET /two'])
      await send('/twelve', 'tests')
      await expect.poll(paths, pageTimeout).toEqual(['GET /twelve', 'GET /two'])
      await holdsUp(page)
      await page.getByRole('button', { name: 'Clear all requests of this space' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
      await page.getByText('No requests yet.', { exact: false }).waitFor()
      const { text } = await ask(`${console.stack.url}/catcher/_requests_?path=/other&count=true`)
      expect(JSON.parse(text)).toMatchObject({ content: { nb_results: 1 } })
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('pages through a thousand requests', async () => {
      for (let i = 0; i < 1_000; i += 50)
        await Promise.all(Array.from({ length: 50 }, (_, j) => send(`/many/${i + j}`, 'many')))
      const page = await console.open('/catcher?space=many')
      await page.getByText('1 to 50 of 1000').waitFor()
      await page.getByRole('button', { name: 'Next', exact: true }).click()
      await page.getByText('51 to 100 of 1000').waitFor()
      await holdsUp(page)
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('opens the page of a space from the catcher', async () => {
      await send('/linked', 'linked')
      const page = await console.open('/catcher')
      await page.goto(`${console.stack.url}/catcher/_requests_/ui?space=linked`)
      await page.getByRole('button', { name: 'GET /linked' }).waitFor()
      expect(new URL(page.url()).hash).toBe('#/catcher?space=linked')
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('creates, shows and deletes stubs', async () => {
      const page = await console.open('/catcher/stubs?space=stubbed')
      await page.getByText('No stubs.', { exact: false }).waitFor()
      await page.getByLabel('Status').fill('99')
      await page.getByRole('button', { name: 'Create stub' }).click()
      await expect.poll(() => page.getByLabel('Status').getAttribute('aria-invalid'), pageTimeout).toBe('true')
      await page.getByLabel('Method').fill('POST')
      await page.getByLabel('Path').fill('/tea/:kind')
      await page.getByLabel('Query').fill('{"milk": true}')
      await page.getByLabel('Status').fill('418')
      await page.getByLabel('Headers', { exact: true }).fill('{"x-answer": "42"}')
      await page.getByLabel('Body', { exact: true }).fill('short {{ request.params.kind }}')
      await page.getByLabel('More replies').fill('[{"status": 503}]')
      await page.getByLabel('Times').fill('2')
      await page.getByRole('button', { name: 'Create stub' }).click()
      await page.getByText('0 of 2').waitFor()
      await holdsUp(page)
      const pour = () => send('/tea/green?milk=1', 'stubbed', { method: 'POST' })
      const answer = await pour()
      expect([answer.status, answer.headers['x-answer'], answer.text]).toEqual([418, '42', 'short green'])
      expect([(await pour()).status, (await pour()).status]).toEqual([503, 200])
      await page.getByText('2 of 2').waitFor()
      await page.getByRole('button', { name: 'POST /tea/:kind and 1 more condition' }).click()
      await page.getByRole('dialog').getByRole('region', { name: 'Replies' }).getByText('"status": 503').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Delete stub 1' }).click()
      await page.getByText('No stubs.', { exact: false }).waitFor()
      await page.getByLabel('or forward to').fill(`${console.stack.url}/queue/workers`)
      await page.getByRole('button', { name: 'Create stub' }).click()
      await page.getByText('Forwarded to', { exact: false }).waitFor()
      // The browser logs the expected error, an invalid status.
      expect(console.complaints.splice(0)).toEqual([expect.stringMatching(/status of 400/)])
      await page.close()
    })

    it('makes a stub from a request that was forwarded', async () => {
      const forward = `${console.stack.url}/queue/workers`
      const stub = JSON.stringify({ space: 'recorded', forward, match: { method: 'get' } })
      await ask(`${console.stack.url}/catcher/_requests_/stubs`, { method: 'POST', body: stub })
      const real = await send('/workers:all', 'recorded')
      const page = await console.open('/catcher?space=recorded')
      await page.getByRole('button', { name: 'GET /workers:all' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('region', { name: 'Response body' }).getByText('"status":true').waitFor()
      await holdsUp(page)
      await dialog.getByRole('link', { name: 'Create a stub from this request' }).click()
      await page.getByRole('heading', { name: 'New stub from request 1' }).waitFor()
      await page.getByRole('button', { name: 'Create stub' }).click()
      await page.getByRole('button', { name: 'GET /workers\\:all' }).waitFor()
      const { status, text, headers } = await send('/workers:all', 'recorded')
      expect([status, text, headers['content-type']]).toEqual([200, real.text, real.headers['content-type']])
      await page.getByRole('button', { name: 'Delete all stubs of this space' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
      await page.getByText('No stubs.', { exact: false }).waitFor()
      expect(console.complaints).toEqual([])
      await page.close()
    })
  })

  describe.skipIf(!has('chromium'))('on PDF', () => {
    it('prints HTML, shows size and duration, and downloads the PDF', async () => {
      const page = await console.open('/pdf')
      await page.getByText('Nothing has been printed yet.').waitFor()
      await page.getByLabel('HTML', { exact: true }).fill('<h1>Invoice</h1><p>Акт №7</p>')
      await page.getByLabel('Paper').selectOption('A5')
      await page.getByLabel('Landscape').check()
      await page.getByLabel('Margin, top').fill('20mm')
      await page.getByLabel('File name').fill('Счёт')
      await holdsUp(page)
      await page.getByRole('button', { name: 'Print' }).click()
      const link = page.getByRole('link', { name: 'Download' })
      await link.waitFor()
      await page.getByText('Счёт.pdf').waitFor()
      await page.getByText(/^\d+\.\d s$/).waitFor()
      expect(await page.getByRole('link', { name: 'Open' }).getAttribute('href')).toMatch(/^blob:/)
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect(file.suggestedFilename()).toBe('Счёт.pdf')
      const pdf = readFileSync(await file.path()).toString('latin1')
      expect(pdf.slice(0, 5)).toBe('%PDF-')
      // A5 in landscape, in points: the longer side is the width.
      expect(pdf).toMatch(/\/MediaBox \[0 0 59[56](\.\d+)? (419|420)/)
      await holdsUp(page)
      expect(console.complaints).toEqual([])
      await page.close()
    })

    it('shows errors beside the fields', async () => {
      const page = await console.open('/pdf')
      await page.getByRole('button', { name: 'Print' }).click()
      await expect
        .poll(() => page.getByLabel('HTML', { exact: true }).getAttribute('aria-invalid'), pageTimeout)
        .toBe('true')
      await page.getByLabel('HTML', { exact: true }).fill('<p>x')
      await page.getByLabel('Scale').fill('9')
      await page.getByRole('button', { name: 'Print' }).click()
      await expect.poll(() => page.getByLabel('Scale').getAttribute('aria-invalid'), pageTimeout).toBe('true')
      await holdsUp(page)
      expect(console.complaints.splice(0).length).toBe(2)
      await page.close()
    })
  })
})
