// Tests of printing through the API: the job that the container gets, and the reply.
import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { pdf } from '#pdf/index'
import { pdfOn, printed, textOf } from './support.ts'

/** The options of a print job without parameters. */
const defaultOptions = {
  landscape: false,
  margin_top: '10mm',
  margin_right: '10mm',
  margin_bottom: '10mm',
  margin_left: '10mm',
  scale: 1,
  print_background: true,
  wait_for: 'load',
  media: 'print',
}

const printOptions = {
  format: 'a5',
  landscape: true,
  margin_top: '1CM',
  margin_right: '.5in',
  margin_bottom: '0',
  margin_left: '010.50px',
  scale: 0.5,
  header_html: '<i>head</i>',
  footer_html: '<b class="pageNumber"></b>',
  print_background: false,
  page_ranges: ' 1 - 3, 5,7-7 ',
  wait_for: 'selector:#ready > b',
  media: 'screen',
}

const job = {
  ...printOptions,
  format: 'A5',
  margin_top: '1cm',
  margin_right: '0.5in',
  margin_bottom: '0px',
  margin_left: '10.5px',
  page_ranges: '1-3,5,7',
}

describe.each(['GET', 'POST'])('%s /pdf', (method) => {
  it('returns the PDF that the container prints from HTML', async () => {
    const { ask, jobs } = pdfOn(() => printed('%PDF-1.4 of it'))
    const response = await ask(method, { html: '<p>Қош келдіңіз 😀' })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '14',
      'content-disposition': 'inline; filename="document.pdf"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    })
    expect(response.headers.has('etag')).toBe(false)
    expect(await textOf(response)).toBe('%PDF-1.4 of it')
    expect(jobs).toEqual([
      { path: '/pdf', headers: expect.anything(), json: { ...defaultOptions, html: '<p>Қош келдіңіз 😀' } },
    ])
  })

  it('returns the PDF that the container prints from a link', async () => {
    const { ask, jobs } = pdfOn()
    expect((await ask(method, { html_link: 'https://example.com/a?b=c#d', html: '' })).status).toBe(200)
    expect(jobs[0]!.json).toEqual({ ...defaultOptions, link: 'https://example.com/a?b=c#d' })
  })

  it('passes the print options to the container in normalized form', async () => {
    const { ask, jobs } = pdfOn()
    expect((await ask(method, { ...printOptions, html: 'a' })).status).toBe(200)
    expect(jobs[0]!.json).toEqual({ ...job, html: 'a' })
  })

  it('accepts a custom paper size', async () => {
    const { ask, jobs } = pdfOn()
    expect((await ask(method, { html: 'a', width: '62mm', height: '100mm' })).status).toBe(200)
    expect(jobs[0]!.json).toEqual({ ...defaultOptions, html: 'a', width: '62mm', height: '100mm' })
  })

  it('treats empty parameters as missing', async () => {
    const { ask, jobs } = pdfOn()
    const empty = { html_link: '', header_html: '', footer_html: '', page_ranges: '', wait_for: '', filename: ' ' }
    const response = await ask(method, { html: 'a', ...empty })
    expect(response.headers.get('content-disposition')).toBe('inline; filename="document.pdf"')
    expect(jobs[0]!.json).toEqual({ ...defaultOptions, header_html: '', footer_html: '', html: 'a' })
  })

  it.each([
    ['invoice-7.pdf', 'inline; filename="invoice-7.pdf"'],
    ['Invoice 7', 'inline; filename="Invoice 7.pdf"'],
    ['A.PDF', 'inline; filename="A.PDF"'],
    ['.pdf', 'inline; filename=".pdf"'],
    ['Счёт "7".pdf', `inline; filename="???? \\"7\\".pdf"; filename*=UTF-8''%D0%A1%D1%87%D1%91%D1%82%20%227%22.pdf`],
    ['50%20.pdf', `inline; filename="50%20.pdf"; filename*=UTF-8''50%2520.pdf`],
  ])('is saved as %s', async (filename, disposition) => {
    const { ask, jobs } = pdfOn()
    const response = await ask(method, { html: 'a', filename })
    expect(response.headers.get('content-disposition')).toBe(disposition)
    expect(jobs[0]!.json).toEqual({ ...defaultOptions, html: 'a' })
  })
})

describe('HEAD /pdf', () => {
  it('returns the headers of a GET, and prints nothing', async () => {
    const { ask, jobs } = pdfOn()
    const response = await ask('HEAD', { html: 'a', filename: 'b' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe('inline; filename="b.pdf"')
    expect(await textOf(response)).toBe('')
    expect(jobs).toEqual([])
  })

  it('refuses the same requests as GET', async () => {
    expect((await pdfOn().ask('HEAD')).status).toBe(400)
  })
})

describe('the container', () => {
  it('gets its access token', async () => {
    const { ask, jobs } = pdfOn(undefined, { CHROMIUM_CONTAINER_TOKEN: 'its token' })
    await ask('POST', { html: 'a' })
    expect(jobs[0]!.headers.get('authorization')).toBe('Bearer its token')
    expect(jobs[0]!.headers.get('content-type')).toBe('application/json')
  })

  it('gets no headers of the caller', async () => {
    const { ask, jobs } = pdfOn(undefined, { AUTH_TOKENS: 'mine' })
    await ask('POST', { html: 'a' }, { cookie: 'c=1', authorization: 'Bearer mine', 'x-request-id': 'r' })
    expect([...jobs[0]!.headers.keys()].sort()).toEqual(['content-type'])
  })

  it('is not called for other methods, which are refused', async () => {
    const { ask, jobs } = pdfOn()
    const response = await ask('DELETE', { html: 'a' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(jobs).toEqual([])
  })
})

describe('GET /_health', () => {
  const health = async (env: unknown) => {
    const request = new Request('http://pdf.test/_health')
    const response = await pdf.fetch(request, env as never, createExecutionContext())
    return { status: response.status, ...((await response.json()) as object) }
  }

  it('asks the container for its health, which starts no browser', async () => {
    const { env, jobs } = pdfOn(() => Response.json({ status: true }))
    const dependencies = { storage: { state: 'up' }, container: { state: 'up' } }
    expect(await health(env)).toMatchObject({ status: true, content: { state: 'up', dependencies } })
    expect(jobs.map(({ path }) => path)).toEqual(['/health'])
  })

  it('reports the container as down', async () => {
    const { env } = pdfOn(() => {
      throw new Error('Connection refused')
    })
    const dependencies = { storage: { state: 'up' }, container: { state: 'down' } }
    expect(await health(env)).toMatchObject({ content: { state: 'down', dependencies } })
    expect(await health(pdfOn(() => new Response(null, { status: 500 })).env)).toMatchObject({
      content: { state: 'down', dependencies },
    })
  })

  it('hides the container from unauthorized callers, and does not call it', async () => {
    const { env, jobs } = pdfOn(undefined, { AUTH_TOKENS: 'secret' })
    expect(await health(env)).toEqual({ status: true, content: { state: 'up' } })
    expect(jobs).toEqual([])
  })
})
