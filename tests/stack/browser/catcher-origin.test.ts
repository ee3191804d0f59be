// Tests that content which the catcher serves cannot attack the console in a browser, although both have the same origin.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { ask, askJson } from '../http.ts'
import { only, start } from '../stack.ts'

/** Service worker of an attacker that tries to replace the console with its own page. */
const worker = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
self.addEventListener('fetch', (event) => {
  if (event.request.url.includes('/console/'))
    event.respondWith(new Response('<title>Taken over</title>', { headers: { 'content-type': 'text/html' } }))
})`

const workerUrl = '/catcher/sw.js?X-Catcher-Space=evil'

const page = `<title>Quiet</title><script>
  document.title = 'Ran'
  navigator.serviceWorker.register('${workerUrl}', { scope: '/' })
    .then(() => navigator.serviceWorker.ready)
    .then(() => { document.title = 'Registered' })
</script>`

let stack: Stack
let browser: Browser

let consoleUrl: string

beforeAll(async () => {
  const small = only('catcher')
  ;[stack, browser] = await Promise.all([start({ components: small }), startBrowser()])
  consoleUrl = `${stack.url.replace('localhost', 'console.localhost')}/console/`
  const set = (reply: object) => askJson(`${stack.url}/catcher/_requests_/reply`, 'PUT', reply)
  const script = { space: 'evil', headers: { 'content-type': 'text/javascript' }, body: worker }
  const claiming = { ...script, headers: { ...script.headers, 'Service-Worker-Allowed': '/' } }
  if ((await set(claiming)).status !== 200) await set(script)
  await set({ path: '/x', headers: { 'content-type': 'text/html' }, body: page })
})

afterAll(() => Promise.all([browser?.close(), stack?.dispose()]))

const titleOf = (shown: Page) => shown.evaluate<string>('document.title')

describe('a configured reply in a browser', () => {
  it('runs no script, and does not change the console', async () => {
    const context = await browser.newContext()
    const shown = await context.newPage()
    await shown.goto(`${stack.url}/catcher/x`)
    expect(await titleOf(shown)).toBe('Quiet')
    const console = await context.newPage()
    await console.goto(consoleUrl)
    await console.locator('h1').waitFor()
    expect(await titleOf(console)).toContain('Quartermaster')
    expect(await console.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')).toBe(0)
    await context.close()
  })

  it('is no service worker, not even for a script of the console', async () => {
    const shown = await openPage(browser)
    await shown.goto(consoleUrl)
    const register = (scope: string) =>
      shown.evaluate<string>(
        `navigator.serviceWorker.register('${workerUrl}', { scope: '${scope}' }).then(() => 'registered', ({ name }) => name)`,
      )
    for (const scope of ['/', '/catcher/']) expect(await register(scope)).not.toBe('registered')
    await shown.context().close()
  })
})

describe('the host of the console', () => {
  it('serves no captures and no pages of components, also not in its own pages', async () => {
    const { host } = new URL(stack.url)
    const own = { host: `console.${host}` }
    const captured = `${stack.url}/catcher/x?a=%20`
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await ask(captured, { method, headers: own })
      expect([status, headers.location]).toEqual([307, captured])
    }
    const shown = await openPage(browser)
    await shown.goto(consoleUrl)
    expect(await shown.evaluate("fetch('/catcher/x').catch(() => 'blocked')")).toBe('blocked')
    await shown.goto(consoleUrl.replace('/console/', '/catcher/_requests_/_docs'))
    expect(new URL(shown.url()).host).toBe(host)
    await shown.context().close()
  })
})

it('the gateway rejects scripts of service workers, except files of the console', async () => {
  const headers = { 'service-worker': 'script' }
  for (const path of ['/catcher/sw.js', '/', '/docs/', '/_health', '/nothing', '/consoles', '/catcher/_requests_/ui']) {
    const { status, text } = await ask(`${stack.url}${path}`, { headers })
    expect([path, status, JSON.parse(text).status_code]).toEqual([path, 403, 'service_worker_refused'])
  }
  const { host } = new URL(stack.url)
  const ofComponent = await ask(`${stack.url}/console/`, { headers: { ...headers, host: `catcher.${host}` } })
  expect(ofComponent.status).toBe(403)
  const ofConsole = (host: string) => ask(`${stack.url}/console/`, { headers: { ...headers, host } })
  expect((await ofConsole(host)).status).toBe(403)
  expect((await ofConsole(`console.${host}`)).status).toBe(200)
})
