// Tests a page without a backend: a static page of another origin, which reaches components with a bounded token.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

describe.skipIf(!has('chromium'))('a page without a backend', () => {
  let stack: Stack
  let browser: Browser
  let site: Server
  let origin: string
  let page: Page
  const ids: Record<string, number> = {}

  const asRoot = async (method: string, path: string, params?: object) => {
    const { body } = await askJson(stack.url + path, method, params, { authorization: 'Bearer root' })
    return (body as { content: Record<string, unknown> }).content
  }

  const issue = async (params: object): Promise<string> =>
    (await asRoot('POST', '/access/token', params)).token as string

  /** Calls a component from the page; returns the status and the body, or the name of the exception. */
  const call = (token: string | undefined, method: string, path: string, params?: object) =>
    page.evaluate(
      async ({ url, token, method, body }) => {
        try {
          const headers: Record<string, string> = { 'content-type': 'application/json' }
          if (token) headers.authorization = `Bearer ${token}`
          const response = await fetch(url, { method, headers, ...(body && { body }) })
          return { status: response.status, json: await response.json() }
        } catch (error) {
          return { status: 0, json: String(error) }
        }
      },
      { url: stack.url + path, token, method, body: params && JSON.stringify(params) },
    )

  beforeAll(async () => {
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>Static</title>'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const components = only('access', 'feed', 'badge')
    ;[stack, browser] = await Promise.all([start({ components, variables: { AUTH_TOKENS: 'root' } }), startBrowser()])
    await asRoot('POST', '/feed/collection', { name: 'news' })
    for (const recipient of ['ann', 'bob']) {
      const { record } = await asRoot('POST', '/feed/record', {
        collection: 'news',
        recipient,
        title: `For ${recipient}`,
      })
      ids[recipient] = (record as { id: number }).id
    }
    page = await openPage(browser)
    await page.goto(origin)
  })

  afterAll(async () => {
    site?.close()
    await Promise.all([browser?.close(), stack?.dispose()])
  })

  const bounds = { collection: 'news', recipient: 'ann' }

  it('lists and marks the records of Ann with a bounded token', async () => {
    const token = await issue({ scopes: ['feed:write'], bounds, origins: [origin] })
    const listed = await call(token, 'GET', '/feed/records?collection=news&recipient=ann')
    expect(listed).toMatchObject({ status: 200, json: { content: { records: [{ title: 'For ann' }] } } })
    expect(await call(token, 'POST', '/feed/record/read', { collection: 'news', id: ids.ann })).toMatchObject({
      status: 200,
    })
    // The page keeps the stream open, collects its events, and gets the record that is added meanwhile.
    await page.evaluate(`
      const source = new EventSource('${stack.url}/feed/stream?collection=news&recipient=ann&token=${token}')
      source.onopen = () => { document.title = 'open' }
      source.addEventListener('record', ({ data }) => { document.title = JSON.parse(data).title })
    `)
    await expect.poll(() => page.title()).toBe('open')
    await asRoot('POST', '/feed/record', { ...bounds, title: 'Live' })
    await expect.poll(() => page.title()).toBe('Live')
  })

  it('reaches nothing of Bob, and nothing that it was not issued for', async () => {
    const token = await issue({ scopes: ['feed:*'], bounds })
    for (const [method, path, params] of [
      ['GET', '/feed/records?collection=news&recipient=bob'],
      ['GET', '/feed/records?collection=news&user=bob'],
      ['GET', '/feed/records?collection=news&recipient=ann&user=bob'],
      ['GET', '/feed/records/count?collection=news&recipient=bob'],
      ['GET', `/feed/record?collection=news&id=${ids.bob}`],
      ['DELETE', `/feed/record?collection=news&id=${ids.bob}`],
      ['POST', '/feed/record/read', { collection: 'news', id: ids.bob }],
      ['POST', '/feed/record', { collection: 'news', recipient: 'bob' }],
      ['POST', '/feed/records', { collection: 'news', records: [{ recipient: 'bob' }] }],
      ['PATCH', '/feed/records', { collection: 'news', where: { recipient: 'bob' }, set: { title: 'x' } }],
      ['DELETE', '/feed/records?collection=news&recipient=bob'],
      ['POST', '/feed/stream/token', { collection: 'news', recipient: 'bob' }],
      ['GET', '/feed/collections'],
      ['GET', '/badge/badges?collection=news&user=bob'],
      ['GET', '/access/keys'],
    ] as const) {
      const { status } = await call(token, method, path, params)
      expect([403, 404], `${method} ${path}`).toContain(status)
    }
    const bob = await asRoot('GET', `/feed/record?collection=news&id=${ids.bob}`)
    expect(bob).toMatchObject({ record: { title: 'For bob', is_read: false } })
  })

  it('cannot read replies without a token, and learns that a token is wrong', async () => {
    expect(await call(undefined, 'GET', '/feed/records?collection=news&recipient=ann')).toMatchObject({ status: 0 })
    expect(await call('wrong', 'GET', '/feed/records?collection=news&recipient=ann')).toMatchObject({
      status: 401,
      json: { status_code: 'unauthorized' },
    })
    const elsewhere = await issue({ scopes: ['feed:read'], bounds, origins: ['https://app.example.com'] })
    expect((await call(elsewhere, 'GET', '/feed/records?collection=news')).status).not.toBe(200)
  })
})
