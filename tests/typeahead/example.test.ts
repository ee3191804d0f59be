// Tests the example page of typeahead (`/_example`): its policy, its links and its documentation.
import { createExecutionContext } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { search } from '#search/index'
import { bound } from '../search/support.ts'

const get = (path: string, init?: RequestInit) => exports.default.fetch(`http://component${path}`, init)

describe('the example page', () => {
  it('allows no scripts and styles but its own', async () => {
    const response = await get('/_example')
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy')!
    const [, nonce] = /script-src 'nonce-([\w+/=]+)'/.exec(policy)!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    const inner = [...page.matchAll(/<(?:script|style)([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(inner.length).toBeGreaterThan(2)
    for (const attributes of inner) expect(attributes).toContain(`nonce="${nonce}"`)
    expect(page).not.toMatch(/ on\w+=| style=|https?:/)
    expect((await get('/_example')).headers.get('content-security-policy')).not.toBe(policy)
  })

  it('has the same addresses below any prefix', async () => {
    const page = await (await get('/_example', { headers: { 'x-forwarded-prefix': '/typeahead' } })).text()
    expect(page).not.toMatch(/(?:href|src)="\//)
    expect(page).toContain("'documents'")
  })

  it('needs no credentials', async () => {
    const env = { ...bound, AUTH_TOKENS: 'secret' }
    const request = (path: string) =>
      search('typeahead').fetch(new Request(`http://component${path}`), env, createExecutionContext())
    expect((await request('/_example')).status).toBe(200)
    expect((await request('/indexes')).status).toBe(401)
  })

  it('is linked by the documentation', async () => {
    expect(await (await get('/_docs')).text()).toContain('<a href="http://component/_example">/_example</a>')
  })
})
