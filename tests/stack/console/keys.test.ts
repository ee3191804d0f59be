// Tests the console with keys: signing in with a token that all tabs share, its renewal and expiry, and the page of keys.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { arrival, type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

const root = 'the-root-token-of-the-deployment'
const hourMs = 3_600_000

describe.skipIf(!has('chromium'))('the console of an API with keys', () => {
  let console: Console

  beforeAll(async () => {
    console = await startConsole({
      components: only('access', 'queue', 'catcher', 'badge'),
      variables: { AUTH_TOKENS: root },
    })
  })

  afterAll(() => console?.dispose())

  const api = async (method: string, path: string, params: object, bearer = root) => {
    const { status, body } = await askJson(console.stack.url + path, method, params, {
      authorization: `Bearer ${bearer}`,
    })
    return { status, content: (body as { content: Record<string, never> }).content }
  }

  const createKey = async (name: string, ...scopes: string[]) => {
    const { content } = await api('POST', '/access/key', { name, scopes })
    return content as unknown as { key: { id: string }; secret: string }
  }

  const signIn = async (page: Page, key: string) => {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Collects the bearer tokens that a page sends from now on, and the number of tokens that it asks for. */
  const observe = (page: Page) => {
    const seen = { bearers: new Set<string>(), issued: 0 }
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/access/token') seen.issued++
      else if (request.headers().authorization) seen.bearers.add(request.headers().authorization!.slice(7))
    })
    return seen
  }

  const stored = (page: Page) => page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')

  /** Drops the errors that the browser logs by itself for refused requests. */
  const wasRefused = () => {
    for (const complaint of console.complaints.splice(0)) expect(complaint).toContain('status of 401')
  }

  it('is at its own origin, to which /console redirects with the page in the URL', async () => {
    const page = await console.open('/')
    await page.goto(`${console.stack.url}/console?a=1#/queue`)
    expect(page.url()).toBe(`${console.url}?a=1#/queue`)
    await page.goto(console.url.replace('/console/', '/'))
    expect(page.url()).toBe(console.url)
    await page.close()
    wasRefused()
  })

  it('exchanges a key for a token, with which a second tab needs no sign-in, until one tab signs out', async () => {
    const { secret } = await createKey('operator', '*')
    const context = await console.newContext()
    const page = await console.openTab(context, '/queue')
    await signIn(page, secret)
    await page.getByRole('region', { name: 'Workers' }).waitFor()
    expect(await stored(page)).not.toContain(secret.slice(-20))
    expect(page.url()).not.toContain(secret.slice(-20))

    const other = await console.openTab(context, '/queue')
    const seen = observe(other)
    await other.reload()
    await other.getByRole('region', { name: 'Workers' }).waitFor()
    expect([...seen.bearers].map((bearer) => bearer.startsWith('eyJ'))).toEqual([true])
    expect(await other.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret.slice(-20))

    // The second tab stays signed in without the first.
    await page.reload()
    await page.getByRole('region', { name: 'Workers' }).waitFor()
    await other.getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [page, other]) {
      await arrival(tab, 'Sign in')
      expect(await tab.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')
      expect(await stored(tab)).not.toContain('eyJ')
      await tab.reload()
      await arrival(tab, 'Sign in')
    }
    await context.close()
    wasRefused()
  })

  it('renews the token in the tab with the key, and other tabs get it; without that tab they are signed out at its end', async () => {
    const context = await console.newContext()
    await context.clock.install()
    const page = await console.openTab(context, '/queue')
    await signIn(page, root)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const other = await console.openTab(context, '/queue')
    await other.getByRole('region', { name: 'Workers' }).waitFor()
    const [first, second] = [observe(page), observe(other)]
    const renewed = page.waitForResponse((response) => response.url().endsWith('/access/token'))
    await context.clock.fastForward(hourMs / 2 + 1_000)
    expect((await renewed).status()).toBe(201)
    await expect.poll(() => second.bearers.size, pageTimeout).toBeGreaterThan(1)
    expect([first.issued, second.issued]).toEqual([1, 0])
    await page.close()
    await context.clock.fastForward(hourMs + 1_000)
    await arrival(other, 'Sign in')
    await context.close()
    wasRefused()
  })

  it('asks for a key again when the key was deleted', async () => {
    const { key, secret } = await createKey('leaving', '*')
    const page = await console.open('/queue')
    await signIn(page, secret)
    await page.getByRole('region', { name: 'Workers' }).waitFor()
    await api('DELETE', '/access/key', { id: key.id })
    // Components keep the key for some seconds.
    await page.getByText('These credentials are wrong.').waitFor()
    await arrival(page, 'Sign in')
    await page.context().close()
    wasRefused()
  })

  it('creates a key with scopes and bounds, shows its secret once, rotates and deletes it', async () => {
    const page = await console.open('/access')
    await signIn(page, root)
    const created = page.locator('section', { has: page.getByRole('heading', { name: 'New key' }) }).last()
    await created.getByLabel('Component').selectOption('badge')
    await created.getByLabel('Level').selectOption('write')
    await created.getByRole('button', { name: 'Add scope badge:write' }).click()
    await created.getByLabel('Component').selectOption('*')
    await created.getByLabel('Level').selectOption('metrics')
    await created.getByRole('button', { name: 'Add scope *:metrics' }).click()
    await created.getByRole('button', { name: 'Remove *:metrics' }).click()
    await created.getByLabel('Parameter').selectOption('user')
    await created.getByLabel('Value').fill('ann')
    await created.getByRole('button', { name: 'Add bound' }).click()
    await created.getByLabel('Name').fill('shop')
    await created.getByLabel('Requests per minute').fill('600')
    await created.getByRole('button', { name: 'Create key' }).click()

    const dialog = page.getByRole('dialog')
    const secret = (await dialog.locator('code').textContent())!
    expect(secret).toMatch(/^qm_/)
    await holdsUp(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), pageTimeout).toBe(secret)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.content(), pageTimeout).not.toContain(secret)
    const row = page.getByRole('row', { name: 'shop' })
    await row.waitFor()
    for (const text of ['badge:write', 'user = ann', '600', 'never']) expect(await row.textContent()).toContain(text)
    expect(await row.textContent()).not.toContain('*:metrics')
    await holdsUp(page)
    const counted = { user: 'ann', name: 'a', value: 1 }
    expect((await api('GET', '/badge/counters', { user: 'ann' }, secret)).status).not.toBe(401)
    expect((await api('GET', '/queue/tasks', counted, secret)).status).toBe(403)

    await row.getByRole('button', { name: 'Rotate shop' }).click()
    await dialog.getByLabel('The previous secret stays valid for').selectOption('a day')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('heading', { name: 'The new secret of shop' }).waitFor()
    const rotated = (await dialog.locator('code').textContent())!
    expect(rotated).not.toBe(secret)
    await dialog.getByRole('button', { name: 'Close' }).click()
    // A component reads a key again at most once a second.
    for (const one of [secret, rotated])
      await expect
        .poll(async () => (await api('GET', '/badge/counters', { user: 'ann' }, one)).status, pageTimeout)
        .not.toBe(401)

    await row.getByRole('button', { name: 'Delete shop' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    const { content } = await api('GET', '/access/keys', {})
    expect(JSON.stringify(content)).not.toContain('"shop"')
    await page.context().close()
    wasRefused()
  })

  it('lists the audit log with filters, and verifies a day', async () => {
    const { key } = await createKey('audited', 'badge:read')
    await api('DELETE', '/access/key', { id: key.id })
    const page = await console.open('/access/audit')
    await signIn(page, root)
    const row = page.getByRole('row', { name: key.id })
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        return row.count()
      }, pageTimeout)
      .toBe(1)
    for (const text of ['root', 'DELETE /access/key', '200']) expect(await row.textContent()).toContain(text)
    await page.getByLabel('Operation').fill('POST /access/key')
    await page.getByRole('button', { name: 'Filter' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'POST /access/key' }).first().waitFor()
    await holdsUp(page)
    await page.getByLabel('Component to verify').selectOption('access')
    await page.getByRole('button', { name: 'Verify' }).click()
    const result = page.getByRole('status').filter({ hasText: 'access on' })
    await result.getByText('valid', { exact: true }).waitFor()
    await holdsUp(page)
    await page.context().close()
    wasRefused()
  })

  it('issues a token of the key of the sign-in, or of another key', async () => {
    const { secret } = await createKey('app', 'badge:read')
    const page = await console.open('/access')
    await signIn(page, root)
    const form = page.locator('section', { has: page.getByRole('heading', { name: 'New token' }) }).last()
    const issue = async (level: string) => {
      await form.getByLabel('Component').selectOption('badge')
      await form.getByLabel('Level').selectOption(level)
      await form.getByRole('button', { name: `Add scope badge:${level}` }).click()
      await form.getByRole('button', { name: 'Issue token' }).click()
    }
    const dialog = page.getByRole('dialog')
    await issue('manage')
    const ofRoot = (await dialog.locator('code').first().textContent())!
    await dialog.getByRole('button', { name: 'Close' }).click()
    await form.getByLabel('Key').fill(secret)
    await issue('read')
    const ofKey = (await dialog.locator('code').first().textContent())!
    await dialog.getByRole('button', { name: 'Close' }).click()
    const claims = [ofRoot, ofKey].map((token) => JSON.parse(atob(token.split('.')[1]!)) as object)
    expect(claims).toEqual([
      expect.objectContaining({ sub: 'root', scopes: ['badge:manage'] }),
      expect.objectContaining({ sub: secret.split('_')[1], scopes: ['badge:read'] }),
    ])
    await form.getByLabel('Key').fill(secret)
    await issue('manage')
    await form.getByRole('alert').getByText('badge:manage').waitFor()
    await page.context().close()
    console.complaints.splice(0)
  })
})
