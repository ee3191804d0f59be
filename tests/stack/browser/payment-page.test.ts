// Tests the page on which a customer pays by card, in a browser with a fake payment processor.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { type ProcessorWidget, serveWidget } from '../../support/processor-widget.ts'
import { only, start } from '../stack.ts'

const merchant = 'Aurora Telecom'
const order = { account: '7701-4452-09', sum: '10500.50', description: 'Home internet', currency: 'KZT' }
const shop = 'https://shop.example'
const returns = { success_url: `${shop}/paid?order=7`, fail_url: `${shop}/failed#retry` }

describe.skipIf(!has('chromium'))('the card page', () => {
  let widget: ProcessorWidget
  let stack: Stack
  let browser: Browser

  beforeAll(async () => {
    const launch = startBrowser()
    widget = await serveWidget()
    const variables = {
      PAYMENT_PUBLIC_ID: 'pk_tests',
      PAYMENT_WIDGET_URL: widget.script,
      PAYMENT_MERCHANT_NAME: merchant,
    }
    ;[stack, browser] = await Promise.all([start({ components: only('payment'), variables }), launch])
  })

  afterAll(() => Promise.all([browser?.close(), stack?.dispose(), widget?.dispose()]))

  const addressOf = (params: object = order, { url } = stack) =>
    `${url}/payment/pub/card?${new URLSearchParams(Object.entries(params))}`

  /** Opens a page with the shop's pages, and collects all errors that the browser logs. */
  async function open(options: BrowserContextOptions = {}) {
    const page = await openPage(browser, { locale: 'en-US', ...options })
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => void complaints.push(message))
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
    page.on('dialog', (dialog) => void complaints.push(dialog.message()))
    await page.route(`${shop}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>The shop</p>' }))
    return { page, complaints, close: () => page.close() }
  }

  /** Opens the payment form of the fake processor, and presses one of its buttons. */
  async function end(page: Page, how: 'Approve' | 'Decline' | 'Close') {
    await page.click('#pay')
    await page.frameLocator('iframe').getByRole('button', { name: how }).click()
  }

  const notice = (page: Page) => page.textContent('#notice')

  it('passes the parameters to the widget, and replaces the page by success_url', async () => {
    const { page, complaints, close } = await open()
    await page.goto(`${shop}/cart`)
    await page.goto(addressOf({ ...order, ...returns }))
    await page.click('#pay')
    await expect
      .poll(() => page.evaluate('given'))
      .toEqual([
        {
          kind: 'charge',
          language: 'en-US',
          options: {
            publicId: 'pk_tests',
            description: 'Home internet',
            amount: 10500.5,
            currency: 'KZT',
            accountId: '7701-4452-09',
            skin: 'mini',
            autoClose: 3,
            configuration: {
              common: { successRedirectUrl: returns.success_url, failRedirectUrl: returns.fail_url },
            },
          },
        },
      ])
    await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click()
    await page.waitForURL(returns.success_url)
    await page.goBack()
    expect(page.url()).toBe(`${shop}/cart`)
    expect(complaints).toEqual([])
    await close()
  })

  it.each(['Decline', 'Close'] as const)('redirects to fail_url after "%s"', async (how) => {
    const { page, complaints, close } = await open()
    await page.goto(addressOf({ ...order, ...returns }))
    await end(page, how)
    await page.waitForURL(returns.fail_url)
    expect(complaints).toEqual([])
    await close()
  })

  it('shows the result without return addresses, and accepts another card after a decline', async () => {
    const { page, complaints, close } = await open()
    await page.goto(addressOf())
    await end(page, 'Decline')
    await expect.poll(() => notice(page)).toContain('The payment did not go through')
    expect(await notice(page)).toContain('Insufficient funds. You can try again')
    expect(await page.textContent('#pay')).toBe('Pay ₸10,500.50')
    await end(page, 'Approve')
    await expect.poll(() => notice(page)).toBe('Payment receivedYou may close this page.')
    expect(await page.isVisible('#pay')).toBe(false)
    expect(await page.title()).toBe('Payment received')
    expect(await page.evaluate('document.activeElement.id')).toBe('notice')
    expect(page.url()).toBe(addressOf())
    expect(complaints).toEqual([])
    await close()
  })

  it('reports a blocked widget, and opens the widget when it loads', async () => {
    const { page, complaints, close } = await open()
    await page.route(widget.script, (route) => route.abort())
    await page.goto(addressOf())
    await expect.poll(() => notice(page)).toContain('The card form did not load')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).isEnabled()).toBe(true)
    await page.unroute(widget.script)
    await page.route(widget.script, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).isEnabled()).toBe(true)
    await page.unroute(widget.script)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => notice(page)).toContain('Payment received')
    expect(new Set(complaints)).toEqual(new Set(['Failed to load resource: net::ERR_FAILED']))
    await close()
  })

  it('waits for a slow widget, and opens it once for several clicks', async () => {
    const { page, complaints, close } = await open()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(widget.script, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(addressOf(), { waitUntil: 'commit' })
    await page.click('#pay')
    await expect.poll(() => page.textContent('#pay')).toBe('Opening the card form…')
    await page.click('#pay', { force: true })
    release()
    await page.frameLocator('iframe').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => notice(page)).toContain('User has cancelled')
    expect(await page.evaluate('given.length')).toBe(1)
    expect(complaints).toEqual([])
    await close()
  })

  it('waits 20 seconds for the widget', async () => {
    const { page, complaints, close } = await open()
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1_000)
    await page.route(widget.script, () => new Promise(() => undefined))
    await page.goto(addressOf(), { waitUntil: 'commit' })
    await page.click('#pay')
    await page.clock.runFor(19_000)
    expect(await notice(page)).toBe('')
    await page.clock.runFor(1_500)
    await expect.poll(() => notice(page)).toContain('The card form did not load')
    expect(complaints).toEqual([])
    await close()
  })

  it('asks for JavaScript if it is off', async () => {
    const { page, close } = await open({ javaScriptEnabled: false })
    await page.goto(addressOf())
    expect(await page.textContent('body')).toContain('The card form needs JavaScript')
    expect(await page.isVisible('#pay')).toBe(false)
    await page.click('noscript a')
    expect(await page.textContent('h1')).toContain('₸10,500.50')
    await close()
  })

  it.each([
    ['en-US', 'en', 'en-US', 'Pay ₸10,500.50'],
    ['ru-RU', 'ru', 'ru-RU', 'Оплатить 10 500,50 ₸'],
    ['kk-KZ', 'kk', 'kk', '10 500,50 ₸ төлеу'],
  ])('is shown to a browser in %s in its language, also at 320 pixels', async (locale, language, widgets, button) => {
    const { page, complaints, close } = await open({ locale, viewport: { width: 320, height: 640 } })
    const scrolls = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')
    await page.goto(addressOf())
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    expect((await page.textContent('#pay'))!.replaceAll('\u00a0', ' ')).toBe(button)
    expect(await page.evaluate('document.getElementById("pay").getBoundingClientRect().bottom')).toBeLessThan(640)
    await page.click('#pay')
    await expect.poll(() => page.evaluate('given.map((one) => one.language)')).toEqual([widgets])
    const long = { sum: '999999999999.99', currency: 'KWD', description: 'x'.repeat(500), account: 'y'.repeat(255) }
    await page.goto(addressOf({ ...long, fail_url: `https://${'a'.repeat(60)}.example` }))
    expect(await scrolls()).toBe(false)
    await page.goto(addressOf({}))
    await page.click('summary')
    expect(await scrolls()).toBe(false)
    expect(complaints.filter((line) => !line.includes('status of 400'))).toEqual([])
    await close()
  })

  it('changes the language and keeps the payment', async () => {
    const { page, complaints, close } = await open()
    await page.goto(addressOf({ ...order, description: '"A&B" <c>', ...returns }))
    await page.click('text=Қазақша')
    expect(await page.getAttribute('html', 'lang')).toBe('kk')
    expect(await page.textContent('dl')).toContain('"A&B" <c>')
    expect(await page.textContent('[aria-current]')).toBe('Қазақша')
    expect(await page.textContent('.back')).toContain('shop.example')
    expect(complaints).toEqual([])
    await close()
  })

  it('works with the keyboard only', async () => {
    const { page, complaints, close } = await open()
    await page.goto(addressOf({ ...order, success_url: returns.success_url }))
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('IFRAME')
    await page.keyboard.press('Tab')
    await page.frameLocator('iframe').locator('#approve:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(returns.success_url)
    expect(complaints).toEqual([])
    await close()
  })

  it.each(['light', 'dark'] as const)('has no findings of axe in %s mode, in every state', async (colorScheme) => {
    const { page, close } = await open({ colorScheme, locale: 'ru-RU' })
    const findings = async () => {
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
    }
    await page.goto(addressOf({ ...order, fail_url: `${shop}/failed` }))
    expect(await findings()).toEqual([])
    await page.goto(addressOf())
    await end(page, 'Decline')
    await expect.poll(() => notice(page)).toContain('Оплата не прошла')
    expect(await findings()).toEqual([])
    await end(page, 'Approve')
    await expect.poll(() => notice(page)).toContain('Оплата прошла')
    expect(await findings()).toEqual([])
    await page.goto(addressOf({ sum: '1,5' }))
    await page.click('summary')
    expect(await findings()).toEqual([])
    await close()
  })

  it('runs no parameter as code, and allows no script, frame, form or base except the widget', async () => {
    const { page, complaints, close } = await open()
    const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'><svg onload=alert(3)>`
    await page.goto(addressOf({ ...order, description: evil, account: evil }))
    expect(await page.textContent('dl')).toContain(evil)
    await page.waitForFunction('window.cp')
    expect(complaints).toEqual([])
    await page.evaluate(`(() => {
      window.violated = []
      addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective))
      for (const tag of ['script', 'iframe', 'img']) document.body.append(Object.assign(document.createElement(tag), { src: 'https://evil.example/' }))
      document.head.append(Object.assign(document.createElement('base'), { href: 'https://evil.example/' }))
      document.body.insertAdjacentHTML('beforeend', '<form action="https://evil.example/"></form><p onclick="alert(4)">')
      document.forms[0].submit()
      document.body.lastChild.click()
      fetch('https://evil.example/').catch(() => undefined)
    })()`)
    const directives = [
      'base-uri',
      'connect-src',
      'form-action',
      'frame-src',
      'img-src',
      'script-src-attr',
      'script-src-elem',
    ]
    await expect.poll(async () => [...new Set(await page.evaluate<string[]>('violated'))].sort()).toEqual(directives)
    await close()
  })

  it('works on a fresh start, with a stand-in for the processor that sends check and pay', async () => {
    const fresh = await start({ components: only('payment', 'catcher') })
    const { page, complaints, close } = await open()
    try {
      await page.goto(addressOf({ ...order, ...returns }, fresh))
      expect(await page.textContent('.test')).toBe('Test: no card is charged')
      await page.click('#pay')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.waitForURL(returns.success_url)
      const listed = await fetch(`${fresh.url}/payment/transactions`)
      expect(await listed.json()).toMatchObject({
        content: { transactions: [{ account: order.account, sum: 10500.5, currency: 'KZT' }] },
      })
      const webhook = await fetch(`${fresh.url}/catcher/_last_request_?wait=30&path=/payments`)
      expect(await webhook.json()).toMatchObject({ json: { account: order.account, sum: 10500.5 } })
      await page.goto(addressOf({ ...order, ...returns }, fresh))
      await page.click('#pay')
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.waitForURL(returns.fail_url)
      expect(complaints).toEqual([])
    } finally {
      await Promise.all([close(), fresh.dispose()])
    }
  })
})
