// Tests the HTTP API of the server that prints PDFs.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { eventually, expectToWork, health, post, print, refusal, startServer, useServer } from './server.ts'

const server = useServer({ TOKEN: '', PAGES: '1', LINE: '1', MAX_PDF: '50000' })

it('GET /health returns the browser version and the counters', async () => {
  const before = await health(server)
  expect(before).toMatchObject({ status: true, browser: expect.stringMatching(/^(Headless)?Chrome\/\d+/), waiting: 0 })
  await print(server, { html: '<p>One' })
  expect((await health(server)).rendered).toBe(before.rendered + 1)
})

it('is healthy before a browser has started, and without one', async () => {
  const young = await startServer({ CHROMIUM: '/bin/false' })
  expect(await health(young)).toMatchObject({ browser: null, busy: 0 })
})

it('starts the browser with the first document if WARM is false', async () => {
  const cold = await startServer({ WARM: 'false', MAX_SECONDS: '55' })
  for (let i = 0; i < 3; i++) expect(await health(cold)).toMatchObject({ browser: null })
  expect(readdirSync(`${cold.workDir}/profiles`)).toEqual([])
  await expectToWork(cold)
  expect(await health(cold)).toMatchObject({ browser: expect.any(String), rendered: 1 })
})

it('returns 404 for unknown paths and 405 for other methods', async () => {
  const ask = async (method: string, path: string) => {
    const response = await fetch(server.url + path, { method })
    return [response.status, response.headers.get('allow'), method === 'HEAD' || (await response.json())]
  }
  expect(await ask('GET', '/pdf')).toMatchObject([405, 'POST', { status: false, status_code: 'method_not_allowed' }])
  expect(await ask('POST', '/health')).toMatchObject([405, 'GET', { status: false }])
  expect(await ask('HEAD', '/health')).toMatchObject([200, null, true])
  for (const path of ['/', '/pdf/', '/__proto__', '/constructor', '//', '/%'])
    expect(await ask('POST', path)).toMatchObject([404, null, { status: false, status_code: 'not_found' }])
})

it('requires the token, except for /health', async () => {
  const guarded = await startServer({ TOKEN: 'secret', CHROMIUM: '/bin/false' })
  expect(await health(guarded)).toMatchObject({ status: true })
  for (const authorization of ['', 'Bearer', 'Bearer secre', 'Bearer secrets', 'secret']) {
    const response = await post(guarded, {}, { headers: { ...(authorization && { authorization }) } })
    expect([response.status, await response.json()]).toMatchObject([401, { status_code: 'unauthorized' }])
  }
  expect((await post(guarded, {}, { headers: { authorization: 'Bearer secret' } })).status).toBe(400)
})

const long = 'x'.repeat(2_000)

it.each([
  ['nothing', {}, 'Give exactly one'],
  ['two sources', { html: '', link: 'http://a.com/' }, 'Give exactly one'],
  ['html of another type', { html: 5 }, '"html"'],
  ['a link of another type', { link: {} }, '"link"'],
  ...[
    '',
    'x',
    '//a.com',
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://version',
    'view-source:http://a.com/',
  ].map((link): [string, object, string] => [`the link ${link}`, { link }, '"link"']),
  ['credentials', { link: 'http://me:pw@a.com/' }, '"link"'],
  ['an unknown format', { html: '', format: 'A7' }, '"format"'],
  ['a format of a prototype', { html: '', format: 'constructor' }, '"format"'],
  ['a format and a width', { html: '', format: 'A4', width: '1in', height: '1in' }, '"format"'],
  ['a width alone', { html: '', width: '5in' }, '"height"'],
  ['a width of nothing', { html: '', width: '0', height: '5in' }, '"width"'],
  ['a negative width', { html: '', width: '-5in', height: '5in' }, '"width"'],
  ['another unit', { html: '', width: '5em', height: '5in' }, '"width"'],
  ['a page as high as a house', { html: '', width: '5in', height: '10000cm' }, '"height"'],
  ['a landscape of another type', { html: '', landscape: 'yes' }, '"landscape"'],
  ['a margin of another type', { html: '', margin_left: true }, '"margin_left"'],
  ['margins that leave nothing', { html: '', margin_left: '5in', margin_right: '5in' }, 'margins'],
  ['a scale too small', { html: '', scale: 0.09 }, '"scale"'],
  ['a scale too large', { html: '', scale: 2.01 }, '"scale"'],
  ['a scale in words', { html: '', scale: '1' }, '"scale"'],
  ['a header of another type', { html: '', header_html: 1 }, '"header_html"'],
  ['a footer of another type', { html: '', footer_html: [] }, '"footer_html"'],
  ['a background of another type', { html: '', print_background: 1 }, '"print_background"'],
  ...['0', '3-1', 'a', '1;2', '1,', '1-2-3', '-', `1,${long}`].map((page_ranges): [string, object, string] => [
    `the pages ${page_ranges.slice(0, 10)}`,
    { html: '', page_ranges },
    '"page_ranges"',
  ]),
  ['pages that there are none of', { html: '<p>One', page_ranges: '2-3' }, '"page_ranges"'],
  ['something else to wait for', { html: '', wait_for: 'ready' }, '"wait_for"'],
  ['a selector of nothing', { html: '', wait_for: 'selector: ' }, '"wait_for"'],
  ['a selector that is none', { html: '', wait_for: 'selector:a[' }, '"wait_for"'],
  ['a selector that is longer', { html: '', wait_for: `selector:${long}` }, '"wait_for"'],
  ['another medium', { html: '', media: 'tv' }, '"media"'],
])('refuses %s', async (_what, body, message) => {
  const refused = await refusal(server, body)
  expect(refused).toMatchObject({ http: 400, status: false, status_code: 'validation_failed' })
  expect(refused.message).toContain(message)
})

it.each(['', 'null', '[]', '5', '{', '"html"'])('refuses the body %s', async (body) => {
  expect(await refusal(server, body)).toMatchObject({ http: 400, status_code: 'invalid_json' })
})

it('refuses a body above 17 MB', async () => {
  expect(await refusal(server, { html: 'x'.repeat(17_000_000) })).toMatchObject({ http: 413 })
  await expectToWork(server)
})

it('refuses a PDF above MAX_PDF', async () => {
  const refused = await refusal(server, { html: '<p>abc def ghi</p>'.repeat(5_000) })
  expect(refused).toMatchObject({ http: 422, status_code: 'too_large' })
})

it('treats null as missing, and ignores unknown parameters', async () => {
  const { sizes } = await print(server, { html: '<p>x', link: null, format: null, scale: null, unknown: 1 })
  expect(sizes).toEqual([[596, 842]])
})

describe('a full queue', () => {
  const waiting = { html: '<p id="a">', wait_for: 'selector:#b' }

  it('accepts no more documents until a client disconnects', async () => {
    const gone = new AbortController()
    const requests = [1, 2].map(() => post(server, waiting, { signal: gone.signal }).catch(() => 'gone'))
    await eventually(async () => expect(await health(server)).toMatchObject({ busy: 1, waiting: 1 }))
    const response = await post(server, { html: '<p>x' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ status_code: 'unavailable' })
    expect(await answerToHead('POST /pdf HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 /)
    gone.abort()
    expect(await Promise.all(requests)).toEqual(['gone', 'gone'])
    await eventually(async () => expect(await health(server)).toMatchObject({ busy: 0, waiting: 0 }))
    await expectToWork(server)
  })
})

/** Sends only the head of a request, and returns the reply that comes before the body is sent. */
async function answerToHead(head: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(head)
  const [reply] = await once(socket, 'data')
  socket.destroy()
  return String(reply)
}

it('survives requests that are cut off', async () => {
  for (const text of [
    'POST /pdf HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"ht',
    'POST /pdf HT',
    '\0\0\0\r\n\r\n',
  ]) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await new Promise((resolve) => socket.write(text, resolve))
    socket.destroy()
  }
  await expectToWork(server)
})
