// Tests that pages of other sites cannot call an endpoint that changes something, as cross-site request forgery would.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Description, Operation } from '#core/http/openapi'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { describedWhole } from '../described.ts'
import { ask, askJson } from '../http.ts'
import { start } from '../stack.ts'

const token = 'the-token-of-the-tests'
const basic = `Basic ${btoa('ann:password')}`

let stack: Stack
let description: Description

beforeAll(async () => {
  const variables = { AUTH_TOKENS: token, HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'password' }
  stack = await start({ containers: [], variables })
  description = await describedWhole(stack)
})

afterAll(() => stack?.dispose())

const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }

/** The schemes of credentials that a browser may attach by itself, or that the cross-site check concerns. */
const schemes = ['bearer', 'basic', 'token']

/**
 * Whether the operation needs no protection against other sites: anyone may call it, or its callers prove themselves with a
 * signature or a secret in a header. The bus refuses Basic credentials.
 */
const isExempt = ({ security }: Operation) =>
  security.length === 0 ||
  security.some((requirement) => !Object.keys(requirement).some((name) => schemes.includes(name)))

/** GET operations that have an effect, such as using up a password. */
const unsafe = /^\/otp\/(\w+\/check|target)$/

/** All operations that a page of another site must not call. Variables in a path are replaced by an example. */
const guarded = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !['get', 'head', 'options'].includes(method) || unsafe.test(path))
      .filter(([, operation]) => !isExempt(operation))
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, '1') })),
  )

const codeOf = (text: string) => (text.startsWith('{') ? JSON.parse(text).status_code : undefined)

async function refusals(headers: Record<string, string>) {
  const answers = await Promise.all(
    guarded().map(async ({ method, path }) => {
      const { status, text } = await ask(`${stack.url}${path}`, { method, headers, body: '{}' })
      return { method, path, isRefused: status === 403 && codeOf(text) === 'cross_site_request' }
    }),
  )
  return {
    refused: answers.filter(({ isRefused }) => isRefused),
    passed: answers.filter(({ isRefused }) => !isRefused),
  }
}

describe('every endpoint that changes data', () => {
  it('rejects pages of other sites, with or without cached Basic credentials', async () => {
    expect(guarded().length).toBeGreaterThan(80)
    for (const headers of [crossSite, { ...crossSite, authorization: basic }]) {
      const { passed } = await refusals(headers)
      expect(passed).toEqual([])
    }
  })

  it('accepts a bearer token from any page, and callers that are no pages', async () => {
    for (const headers of [
      { ...crossSite, authorization: `Bearer ${token}` },
      { authorization: basic },
      { authorization: basic, origin: stack.url, 'sec-fetch-site': 'same-origin' },
      { authorization: basic, origin: stack.url },
    ]) {
      const { refused } = await refusals(headers)
      expect(refused).toEqual([])
    }
  })

  it('rejects them under its subdomain too', async () => {
    const { host } = new URL(stack.url)
    const headers = { ...crossSite, authorization: basic, host: `badge.${host}` }
    const { status, text } = await ask(`${stack.url}/badge`, { method: 'POST', headers, body: '{}' })
    expect([status, codeOf(text)]).toEqual([403, 'cross_site_request'])
    const sibling = { ...headers, origin: `http://feed.${host}`, 'sec-fetch-site': 'same-site' }
    expect((await ask(`${stack.url}/badge`, { method: 'POST', headers: sibling, body: '{}' })).status).toBe(400)
  })
})

it('endpoints with a proof or open access, and the catcher, accept requests of any page', async () => {
  for (const [path, expected] of [
    ['/payment/check', 401],
    ['/payment/pay', 401],
    ['/sms/receipt/provider_a', 401],
    ['/otp/chatapp/webhook', 401],
    ['/catcher/orders', 200],
    ['/catcher/orders?X-Catcher-Space=cross', 200],
  ] as const) {
    const { status, text } = await ask(`${stack.url}${path}`, { method: 'POST', headers: crossSite, body: '{}' })
    expect([path, status, codeOf(text)]).not.toEqual([path, 403, 'cross_site_request'])
    expect([path, status]).toEqual([path, expected])
  }
})

it('a form of another site sends no SMS with the credentials that a browser remembers', async () => {
  const browser = await startBrowser()
  try {
    const httpCredentials = { username: 'ann', password: 'password' }
    const page = await openPage(browser, { httpCredentials })
    // The browser sends its credentials for the first time when a reply asks for them.
    const reply = {
      path: '/prompt',
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Quartermaster"' },
      times: 1,
    }
    await askJson(`${stack.url}/catcher/_requests_/reply`, 'PUT', reply, { authorization: `Bearer ${token}` })
    expect((await page.goto(`${stack.url}/catcher/prompt`))!.status()).toBe(200)
    // A really foreign site: neither a subdomain nor another port of the stack's host.
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method=post enctype="text/plain" action="${stack.url}/sms/sms">
          <input name='{"phones":"77010000666","message":"csrf","x":"' value='"}'></form>`,
      }),
    )
    await page.goto('http://evil.example/')
    const answered = page.waitForResponse((response) => response.url().endsWith('/sms/sms'))
    await page.evaluate('document.forms[0].submit()')
    expect((await answered).status()).toBe(403)
    const { text } = await ask(`${stack.url}/sms/messages`, { headers: { authorization: `Bearer ${token}` } })
    expect(text).not.toContain('77010000666')
  } finally {
    await browser.close()
  }
})
