// Tests that no value of a parameter can break out of its place in the card page (XSS).
import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/tier.ts'
import { dataIn, read } from './parsed-page.ts'

const order = { account: 'ann', sum: '10', description: 'Order', currency: 'KZT', language: 'en' }

/** Texts that would break a page without escaping: each ends an element, an attribute, a script, a style, a URL or a line. */
const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '-->',
  ']]>',
  '</style><img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  `' autofocus onfocus='alert(1)`,
  '`-alert(1)-`',
  '$\u007balert(1)}',
  '{{7*7}}',
  '</noscript><script>alert(1)</script>',
  '</main><form action=//evil.example>',
  '</bdi></dd></dl>',
  '&lt;b&gt;&amp;&#60;&#x3c;',
  '\u2028\u2029',
  '\u202e\u2066',
  '\\u003cscript\\u003e',
  '\r\nSet-Cookie: a=b\r\n\r\n<b>',
  '%3Cscript%3E%0D%0A',
  '\ufeff\ufffe',
  '😀',
  '__proto__',
  '$&$1$`',
)

const value = fc
  .array(fc.oneof(hostile, hostile, fc.string({ unit: 'binary' }), fc.string()), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('').toWellFormed())

const names = ['account', 'sum', 'description', 'currency', 'success_url', 'fail_url', 'language', 'x"><b>']

const queryOf = (params: object) => new URLSearchParams(Object.entries(params)).toString()

const paths = ['/pub/card', '/_payments_/pub/card']

/** Requests the page with a raw query and an Accept-Language. */
async function ask(path: string, query: string, accepted = 'en') {
  const response = await exports.default.fetch(`http://pay.example${path}?${query}`, {
    headers: { 'accept-language': accepted.replaceAll(/[^\x20-\x7e]/g, '') },
  })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const structureOf = async (params: object) => read((await ask(paths[0]!, queryOf(params))).html).structure

describe.each(paths)('%s', (path) => {
  it('shows any value as text, in a page of the same structure', async () => {
    const expectedElements = await structureOf(order)
    await fc.assert(
      fc.asyncProperty(value, value, async (account, description) => {
        const { status, html } = await ask(path, queryOf({ ...order, account, description }))
        if (status !== 200) {
          expect(status).toBe(400)
          expect(read(html).scripts).toEqual([])
          return
        }
        expect(read(html).structure).toEqual(expectedElements)
        expect(dataIn(html).payment).toMatchObject({ accountId: account, description })
        // Browsers normalize line ends in HTML, and so does the parser. Normalizes the text to compare them.
        const shown = read(html).text.replaceAll(/\r\n?/g, '\n')
        expect(shown).toContain(account.replaceAll(/\r\n?/g, '\n'))
        expect(shown).toContain(description.replaceAll(/\r\n?/g, '\n'))
      }),
      { numRuns: runs(150) },
    )
  })

  it('links only to http addresses', async () => {
    const expectedElements = await structureOf({ ...order, fail_url: 'https://shop.example/' })
    const target = fc.oneof(
      value,
      value.map((part) => `https://shop.example/${part}`),
      value.map((part) => `https://shop.example/?a=${part}#${part}`),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
    )
    await fc.assert(
      fc.asyncProperty(target, async (fail_url) => {
        const { status, html } = await ask(path, queryOf({ ...order, fail_url }))
        if (status !== 200) {
          expect(status).toBe(400)
          return
        }
        const { structure, links } = read(html)
        if (structure.length === expectedElements.length) expect(structure).toEqual(expectedElements)
        for (const link of links) expect(link).toMatch(/^(https?:\/\/|\?)/)
      }),
      { numRuns: runs(150) },
    )
  })

  it('rejects all other parameters with a page of the same structure', async () => {
    const shape = (html: string) => read(html).structure.filter((tag) => !/d[ldt]|div|code/.test(tag))
    const expectedElements = shape((await ask(path, '')).html)
    const params = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(params, value, async (params, accepted) => {
        const { status, headers, html } = await ask(path, queryOf({ ...params, language: 'en' }), accepted)
        expect(status).toBe(400)
        expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(headers.has('set-cookie')).toBe(false)
        expect(shape(html)).toEqual(expectedElements)
      }),
      { numRuns: runs(150) },
    )
  })

  it('never fails on a malformed query', async () => {
    await fc.assert(
      fc.asyncProperty(value, value, async (query, accepted) => {
        const { status, html } = await ask(path, query.replaceAll('#', ''), accepted)
        expect(status).toBe(400)
        expect(read(html).scripts).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})
