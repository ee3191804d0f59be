// Tests of the card page: its content, its security headers and its errors.
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { payment } from '#payment/index'
import { dataIn, read } from './parsed-page.ts'

const order = { account: '7701-4452-09', sum: '10500.50', description: 'Home internet', currency: 'KZT' }

const addressOf = (params: object, path = '/pub/card') =>
  `http://pay.example${path}?${new URLSearchParams(Object.entries(params))}`

const get = (params: object, headers: Record<string, string> = {}) =>
  exports.default.fetch(addressOf(params), { headers })

/** Requests the page from a component with further variables. */
const configured = (variables: Record<string, string>, params: object = order) =>
  payment.fetch(
    new Request(addressOf(params)),
    { ...env, ...variables } as never,
    { waitUntil: () => undefined, passThroughOnException: () => undefined } as never,
  )

const policyOf = (response: Response) =>
  new Map(
    response.headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1).join(' ')]),
  )

describe.each(['/pub/card', '/_payments_/pub/card'])('%s', (path) => {
  it('shows the amount, the purpose, the recipient and the processor', async () => {
    const response = await payment.fetch(
      new Request(addressOf({ ...order, fail_url: 'https://shop.example/cart' }, path)),
      { ...env, PAYMENT_MERCHANT_NAME: 'Aurora Telecom' } as never,
      { waitUntil: () => undefined } as never,
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await response.text()
    const { text, links } = read(html)
    for (const shown of [
      'Aurora Telecom',
      '₸10,500.50',
      'Home internet',
      '7701-4452-09',
      'CloudPayments',
      'JavaScript',
    ])
      expect(text).toContain(shown)
    expect(text).toMatch(/Pay ₸10,500\.50/)
    expect(links).toContain('https://shop.example/cart')
    expect(dataIn(html)).toMatchObject({
      widget: 'https://widget.cloudpayments.ru/bundles/cloudpayments.js',
      locale: 'en-US',
      failUrl: 'https://shop.example/cart',
      payment: {
        publicId: 'pk_tests',
        accountId: order.account,
        amount: 10500.5,
        currency: 'KZT',
        description: order.description,
        configuration: { common: { failRedirectUrl: 'https://shop.example/cart' } },
      },
    })
  })

  it('replies to HEAD without a body, and rejects other methods', async () => {
    const head = await exports.default.fetch(addressOf(order, path), { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const refused = await exports.default.fetch(addressOf(order, path), { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      await refused.text()
    }
  })

  it('needs no authentication', async () => {
    const closed = { ...env, LOCAL: '', AUTH_TOKENS: 'secret' } as never
    const context = { waitUntil: () => undefined } as never
    expect((await payment.fetch(new Request(addressOf(order, path)), closed, context)).status).toBe(200)
  })
})

it('allows only the widget to run, load and open frames, and no site to frame the page', async () => {
  const response = await get(order)
  const nonce = /nonce="([^"]+)"/.exec(await response.text())![1]!
  const again = /nonce="([^"]+)"/.exec(await (await get(order)).text())![1]!
  expect(nonce).not.toBe(again)
  const widget = 'https://widget.cloudpayments.ru'
  expect(Object.fromEntries(policyOf(response))).toEqual({
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' ${widget}`,
    'style-src': `'nonce-${nonce}' ${widget}`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': `data: ${widget} https://*.cloudpayments.ru`,
    'frame-src': `${widget} https://*.cloudpayments.ru`,
    'connect-src': `${widget} https://*.cloudpayments.ru`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'strict-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=31536000',
    'permissions-policy': expect.stringContaining(`payment=(self "${widget}")`),
  })
})

describe('the language', () => {
  const languageOf = async (params: object, accepted = '') => {
    const response = await get({ ...order, ...params }, accepted ? { 'accept-language': accepted } : {})
    const language = response.headers.get('content-language')!
    expect(await response.text()).toContain(`<html lang="${language}">`)
    return language
  }

  it.each([
    ['', 'en'],
    ['kk-KZ,kk;q=0.9,ru;q=0.8', 'kk'],
    ['de, ru;q=0.5, en;q=0.4', 'ru'],
    ['en;q=0.1, kk;q=0.7, ru;q=0.3', 'kk'],
    ['ru;q=0, kk;q=0', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    [';;,=q', 'en'],
  ])('for the Accept-Language "%s" is %s', async (accepted, language) => {
    expect(await languageOf({}, accepted)).toBe(language)
  })

  it.each([
    ['ru', 'ru'],
    ['KK_kz', 'kk'],
    ['tlh', 'kk'],
    ['', 'kk'],
  ])('"%s" in the URL takes precedence over the language of the browser', async (asked, language) => {
    expect(await languageOf({ language: asked }, 'kk')).toBe(language)
  })

  it('has links to the other languages, with the same parameters', async () => {
    const html = await (await get({ ...order, description: 'a&b="c"' })).text()
    const [russian] = read(html).links.filter((link) => link.includes('language=ru'))
    const other = await (await exports.default.fetch(new URL(russian!, addressOf({})).href)).text()
    const { text } = read(other)
    expect(text).toContain('a&b="c"')
    expect(text).toContain('Оплатить 10\u00a0500,50\u00a0₸')
    expect(read(await (await get({ ...order, language: 'kk' })).text()).text).toContain('10\u00a0500,50\u00a0₸ төлеу')
  })
})

describe('an invalid parameter', () => {
  const returns = ['success_url', 'fail_url']

  it.each([
    ...[
      '1e3',
      '1,5',
      '-1',
      '+1',
      '0',
      '0.00',
      '1.005',
      '.5',
      '1.',
      'NaN',
      'Infinity',
      '0x10',
      '١',
      '1'.repeat(13),
      '',
    ].map((sum) => ['sum', sum]),
    ...['', ' ', 'a\0', 'x'.repeat(256)].map((account) => ['account', account]),
    ...['', ' \n', 'x'.repeat(501)].map((description) => ['description', description]),
    ...['', 'KZ', 'KZTT', 'XXX', 'DEM', '123', '<b>', 'İQD'].map((currency) => ['currency', currency]),
    ...returns.flatMap((name) =>
      [
        'javascript:alert(1)',
        'java\nscript:alert(1)',
        ' JAVASCRIPT:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        'file:///etc/passwd',
        '//evil.example',
        '/path',
        'https://user:secret@shop.example/',
        'https://user@shop.example/',
        'https://',
        `https://shop.example/${'x'.repeat(2_000)}`,
      ].map((target) => [name, target]),
    ),
    ['language', 'x'.repeat(36)],
  ])('%s=%j gives a page with status 400 that names it', async (name, value) => {
    const response = await get({ ...order, [name!]: value }, { 'accept-language': 'kk' })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toContain('<html lang="kk">')
    const { text, scripts } = read(html)
    expect(text).toContain('Бұл төлем сілтемесі жұмыс істемейді')
    expect(text).toContain(name)
    expect(scripts).toEqual([])
    expect(policyOf(response).get('default-src')).toBe("'none'")
    expect(policyOf(response).has('script-src')).toBe(false)
  })

  it.each(['account', 'sum', 'description', 'currency'])('%s is missing: the page is the same', async (name) => {
    const response = await get(Object.fromEntries(Object.entries(order).filter(([key]) => key !== name)))
    expect([response.status, read(await response.text()).text]).toEqual([400, expect.stringContaining(name)])
  })

  it('10.50 is rejected in a currency without decimals, and 10.00 is not', async () => {
    expect((await get({ ...order, currency: 'JPY', sum: '10.50' })).status).toBe(400)
    expect((await get({ ...order, currency: 'JPY', sum: '10.00' })).status).toBe(200)
    expect((await get({ ...order, currency: 'kwd', sum: '10.5' })).status).toBe(200)
  })
})

it('ignores empty return URLs', async () => {
  const html = await (await get({ ...order, success_url: '', fail_url: '' })).text()
  expect(dataIn(html)).not.toHaveProperty('successUrl')
  expect(dataIn(html).payment).not.toHaveProperty('configuration')
})

it('escapes data that would end the script element', async () => {
  const description = '</script><script>alert(1)</script><!--\u2028\u2029&'
  const html = await (await get({ ...order, description })).text()
  const { scripts } = read(html)
  expect(scripts[0]).not.toMatch(/[<>&\u2028\u2029]/)
  expect(dataIn(html).payment).toMatchObject({ description })
})

describe('the configuration', () => {
  const deployed = { LOCAL: '', OPEN: 'true' }

  it.each([
    [{ PAYMENT_PUBLIC_ID: '' }, 'PAYMENT_PUBLIC_ID'],
    [{ PAYMENT_WIDGET_URL: 'http://widget.example/a.js' }, 'PAYMENT_WIDGET_URL'],
    [{ PAYMENT_WIDGET_URL: 'widget.example' }, 'PAYMENT_WIDGET_URL'],
    [{ PAYMENT_WIDGET_HOSTS: 'https://a.example; script-src *' }, 'PAYMENT_WIDGET_HOSTS'],
  ])('%j is 503 when deployed, on a page that names the variable', async (variables, name) => {
    const response = await configured({ ...deployed, ...(variables as Record<string, string>) })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
    const html = await response.text()
    expect(read(html).text).toContain('Card payments are not available right now')
    expect(read(html).text).toContain('not_configured')
    expect(html).toContain(name)
    expect(html).not.toContain('pk_local')
  })

  it('without a public id simulates the processor on a local start only', async () => {
    const local = await configured({ PAYMENT_PUBLIC_ID: '' })
    const html = await local.text()
    expect(dataIn(html)).toMatchObject({ notifications: 'http://pay.example', payment: { publicId: 'pk_local' } })
    expect(read(html).text).toContain('Test: no card is charged')
    expect(policyOf(local).get('script-src')).toMatch(/^'nonce-[^ ]+'$/)
    for (const variables of [deployed, {}, { ...deployed, PAYMENT_PUBLIC_ID: '' }]) {
      const page = await (await configured(variables)).text()
      expect(page).not.toContain('notifications')
      expect(page).not.toContain('Stand-in')
    }
  })

  it('supports another processor with the same protocol, and its hosts', async () => {
    const response = await configured({
      ...deployed,
      PAYMENT_WIDGET_URL: 'https://widget.tiptoppay.kz/bundles/widget.js',
      PAYMENT_WIDGET_HOSTS: ' https://pay.google.com, ',
    })
    expect(read(await response.text()).text).toContain('secure form of TipTop Pay')
    const hosts = 'https://widget.tiptoppay.kz https://*.tiptoppay.kz https://pay.google.com'
    expect(policyOf(response).get('frame-src')).toBe(hosts)
    expect(policyOf(response).get('script-src')).toMatch(/^'nonce-[^ ]+' https:\/\/widget\.tiptoppay\.kz$/)
    const own = await configured({ ...deployed, PAYMENT_WIDGET_URL: 'https://forms.example:8443/a.js' })
    expect(read(await own.text()).text).toContain('secure form of forms.example:8443')
  })

  it('restricts the origins of return URLs', async () => {
    const only = { PAYMENT_RETURN_ORIGINS: 'https://shop.example/, https://app.example' }
    const to = (success_url: string) => configured(only, { ...order, success_url })
    expect((await to('https://shop.example/done?x=1')).status).toBe(200)
    expect((await to('https://app.example')).status).toBe(200)
    expect((await configured(only)).status).toBe(200)
    for (const target of ['https://shop.example.evil.example/', 'http://shop.example/', 'https://evil.example']) {
      const refused = await to(target)
      expect([refused.status, read(await refused.text()).text]).toEqual([400, expect.stringContaining('success_url')])
    }
  })

  it('shows the host of the page without PAYMENT_MERCHANT_NAME', async () => {
    expect(read(await (await get(order)).text()).text).toContain('pay.example')
  })
})
