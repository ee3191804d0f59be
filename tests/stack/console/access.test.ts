// Tests signing in to the console without the component `access`, and its use with the keyboard.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { ask, askJson } from '../http.ts'
import { only } from '../stack.ts'
import { arrival, type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

const token = 'the-token-that-opens-the-console'
const [username, password] = ['operator', 'the-password-ä-of-the-operator']

describe.skipIf(!has('chromium'))('the console of an API that requires credentials', () => {
  let console: Console
  const lines: string[] = []

  beforeAll(async () => {
    console = await startConsole({
      components: only('queue', 'catcher', 'badge'),
      variables: { AUTH_TOKENS: `another-token, ${token}`, HTTP_AUTH_USERNAME: username, HTTP_AUTH_PASSWORD: password },
      log: (line) => lines.push(line),
    })
  })

  afterAll(() => console?.dispose())

  /** Opens a page in its own browser context, without credentials. Returns the page and the statuses of its API requests. */
  async function visit(hash: string) {
    const page = await console.open('nowhere')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const answers: { path: string; status: number }[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith('/console')) answers.push({ path: pathname, status: response.status() })
    })
    await page.goto(`${console.url}?#${hash}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    return { page, answers }
  }

  const signIn = async (page: Page, given: Record<string, string>) => {
    for (const [label, value] of Object.entries(given)) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  const heading = async (page: Page, name: string) => {
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await arrival(page, name)
  }

  /** Expects that the browser logged only 401 responses and the 404 of the missing `access`, which it logs by itself. */
  const wasRefused = () => {
    for (const complaint of console.complaints.splice(0)) expect(complaint).toMatch(/status of 40[14]/)
  }

  it('shows only a form to sign in, and makes no successful API call', async () => {
    for (const hash of ['/', '/queue', '/queue/default', '/catcher']) {
      const { page, answers } = await visit(hash)
      expect(await page.getByRole('main').getByRole('heading').allTextContents()).toEqual(['Sign in'])
      expect(answers.length).toBeGreaterThan(0)
      expect(answers.filter(({ status }) => status !== 401)).toEqual([])
      if (hash === '/') await holdsUp(page)
      await page.close()
    }
    wasRefused()
  })

  it('never opens the password prompt of the browser', async () => {
    const { page } = await visit('/queue')
    const devtools = await page.context().newCDPSession(page)
    let prompts = 0
    // The page may be closed, or have canceled the request, meanwhile.
    const gone = () => undefined
    devtools.on('Fetch.requestPaused', ({ requestId }) => {
      devtools.send('Fetch.continueRequest', { requestId }).catch(gone)
    })
    devtools.on('Fetch.authRequired', ({ requestId }) => {
      prompts++
      const authChallengeResponse = { response: 'CancelAuth' as const }
      devtools.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(gone)
    })
    await devtools.send('Fetch.enable', { handleAuthRequests: true })
    await page.reload()
    const refused = page.waitForResponse((response) => response.status() === 401)
    await signIn(page, { Key: 'wrong' })
    await refused
    await page.getByText('These credentials are wrong.').waitFor()
    expect(prompts).toBe(0)
    // Not even for a request without the option `credentials: 'omit'`, as any page may send it.
    expect(await page.evaluate("fetch('/queue/workers').then(({ status }) => status)")).toBe(401)
    expect(prompts).toBe(0)
    // A reply with HTTP Basic does. This shows that the test notices a prompt.
    const reply = {
      space: 'prompt',
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="test"' },
      body: 'Sign in',
    }
    const headers = { authorization: `Bearer ${token}` }
    await askJson(`${console.stack.url}/catcher/_requests_/reply`, 'PUT', reply, headers)
    await page.goto(`${console.stack.url}/catcher/?X-Catcher-Space=prompt`)
    expect(prompts).toBe(1)
    await page.close()
    wasRefused()
  })

  it('reports an invalid token, and accepts the valid one until the tab is closed', async () => {
    const { page } = await visit('/queue')
    await signIn(page, { Key: 'a-wrong-token' })
    await page.getByRole('alert').getByText('These credentials are wrong.').waitFor()
    await holdsUp(page)
    await signIn(page, { Key: token })
    await heading(page, 'Queue')
    await page.getByRole('region', { name: 'Workers' }).waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Workers' }).waitFor()
    wasRefused()

    const address = page.url()
    expect(address).not.toContain(token)
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(token)
    const other = await console.open('/queue')
    await heading(other, 'Sign in')
    await other.close()
    wasRefused()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
    await page.reload()
    await heading(page, 'Sign in')
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await page.close()
    wasRefused()
  })

  it('accepts a user name and a password', async () => {
    const { page } = await visit('/catcher')
    await signIn(page, { 'or user name': username, 'and password': 'wrong' })
    await page.getByRole('alert').getByText('These credentials are wrong.').waitFor()
    await signIn(page, { 'or user name': username, 'and password': password })
    await page.getByText('No requests yet.', { exact: false }).waitFor()
    wasRefused()
    // Streamed requests, as on the page of the catcher, also carry the credentials.
    await ask(`${console.stack.url}/catcher/came`)
    await page.getByRole('button', { name: 'GET /came' }).waitFor()
    await page.goto(`${console.url}#/`)
    await page.getByRole('article', { name: 'badge' }).getByText('up', { exact: true }).first().waitFor()
    expect(console.complaints).toEqual([])
    await page.close()
  })

  it('leaves no credentials in the logs of the stack', () => {
    const all = lines.join('\n')
    for (const secret of [token, password, encodeURIComponent(password), 'a-wrong-token'])
      expect(all.includes(secret)).toBe(false)
  })

  describe('with the keyboard', () => {
    /** Opens a page as a user who is signed in. */
    async function enter(hash: string, width = 1280): Promise<Page> {
      const page = await console.open('nowhere', { viewport: { width, height: 800 } })
      await page.evaluate(`sessionStorage.setItem('quartermaster', '{"token":"${token}"}')`)
      await page.goto(`${console.url}?#${hash}`)
      return page
    }

    const focused = (page: Page) =>
      page.evaluate<string>('document.activeElement.textContent.trim() || document.activeElement.tagName')

    const tabTo = async (page: Page, text: string) => {
      for (let i = 0; i < 60 && (await focused(page)) !== text; i++) await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(text)
    }

    it('moves the focus past the navigation or through it, and to the heading of the opened page', async () => {
      const page = await enter('/queue')
      await heading(page, 'Queue')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Skip to the page')
      const box = (await page.getByRole('button', { name: 'Skip to the page' }).boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('main')
      await page.evaluate('document.activeElement.blur()')
      await page.reload()
      await heading(page, 'Queue')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Quartermaster')
      await tabTo(page, 'Catcher')
      await page.keyboard.press('Enter')
      await heading(page, 'Catcher')
      await expect.poll(() => focused(page), pageTimeout).toBe('Catcher')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      expect(await page.title()).toBe('Catcher · Quartermaster')
      await page.keyboard.press('Tab')
      expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true)
      await page.close()
      wasRefused()
    })

    it('opens and closes the menu at 320 pixels, and closes it after a link is followed', async () => {
      const page = await enter('/queue', 320)
      await heading(page, 'Queue')
      const menu = page.getByRole('button', { name: 'Menu' })
      const navigation = page.getByRole('navigation', { name: 'Pages' })
      expect(await navigation.isVisible()).toBe(false)
      await tabTo(page, 'Menu')
      await page.keyboard.press('Enter')
      expect(await menu.getAttribute('aria-expanded')).toBe('true')
      await navigation.waitFor()
      await holdsUp(page)
      await page.keyboard.press('Enter')
      await navigation.waitFor({ state: 'hidden' })
      await page.keyboard.press('Enter')
      await tabTo(page, 'Catcher')
      await page.keyboard.press('Enter')
      await heading(page, 'Catcher')
      await navigation.waitFor({ state: 'hidden' })
      expect(await menu.getAttribute('aria-expanded')).toBe('false')
      await page.close()
      wasRefused()
    })

    it('keeps the chosen theme', async () => {
      const page = await enter('/queue')
      const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await paper()
      await page.getByLabel('Theme').selectOption('dark')
      await expect.poll(paper, pageTimeout).not.toBe(light)
      const dark = await paper()
      await page.reload()
      await heading(page, 'Queue')
      expect(await paper()).toBe(dark)
      await page.getByLabel('Theme').selectOption('system')
      await expect.poll(paper, pageTimeout).toBe(light)
      await page.close()
      wasRefused()
    })
  })
})
