// Tests of the errors of the PDF API: invalid parameters, large bodies, and each error of the container.
import { describe, expect, it, vi } from 'vitest'
import { bound, pdfOn, printed, refused, saidBy } from './support.ts'

const both = { html: 'a', html_link: 'https://example.com/' }

const invalidRequests: [string, object, object][] = [
  ['neither HTML nor a link', {}, { html: 'html is required unless html_link is given.' }],
  ['both empty', { html: '', html_link: '' }, { html: 'html is required unless html_link is given.' }],
  ['both', both, { html_link: 'html_link must not be given together with html: give one of them.' }],
  ['half a character', { html: 'a\ud800' }, { html: 'html must not contain NUL or lone surrogates.' }],
  ['NUL', { html: 'a\0' }, { html: 'html must not contain NUL or lone surrogates.' }],
  ['no URL', { html_link: 'example.com' }, { html_link: 'html_link must be a URL of at most 2000 characters.' }],
  ['a file', { html_link: 'file:///etc/passwd' }, { html_link: 'html_link must be an http or https URL.' }],
  ['data', { html_link: 'data:text/html,a' }, { html_link: 'html_link must be an http or https URL.' }],
  ['credentials', { html_link: 'https://a:b@example.com' }, { html_link: 'html_link must not contain credentials.' }],
  ['a format', { html: 'a', format: 'A7' }, { format: expect.stringContaining('must be one of Letter') }],
  ['no format', { html: 'a', format: '' }, { format: expect.stringContaining('must be one of Letter') }],
  ['a width alone', { html: 'a', width: '1cm' }, { height: 'height is required if width is given.' }],
  ['a height alone', { html: 'a', height: '1cm' }, { width: 'width is required if height is given.' }],
  [
    'a format and a size',
    { html: 'a', format: 'A4', width: '1cm', height: '1cm' },
    { format: 'format must not be given together with width and height: give the format or both lengths.' },
  ],
  ...['10', 10, -1, '-1mm', '1 mm', 'mm', '', '1em', '1e3mm', '100000mm', 'NaN', '0x1mm', '١mm'].map(
    (length): [string, object, object] => [
      `the margin ${length}`,
      { html: 'a', margin_left: length },
      { margin_left: expect.stringContaining('must be 0, or a number with one of the units mm, cm') },
    ],
  ),
  ...[0, 0.09, 2.01, -1].map((scale): [string, object, object] => [
    `the scale ${scale}`,
    { html: 'a', scale },
    { scale: `scale must be between 0.1 and 2, got ${scale}.` },
  ]),
  ...['0', '1-', '-3', '3-1', 'a', '1;2', '1,,2', '1.5', '1-2-3', '9999999', ','].map(
    (page_ranges): [string, object, object] => [
      `the pages ${page_ranges}`,
      { html: 'a', page_ranges },
      { page_ranges: 'page_ranges must be page numbers and ranges separated by commas, such as 1-3,5.' },
    ],
  ),
  [
    'too many ranges',
    { html: 'a', page_ranges: Array(101).fill(1).join() },
    { page_ranges: 'page_ranges must have at most 100 ranges.' },
  ],
  ...['never', 'selector:', 'selector: ', 'LOAD', '100'].map((wait_for): [string, object, object] => [
    `waiting for ${wait_for}`,
    { html: 'a', wait_for },
    {
      wait_for: 'wait_for must be one of load, domcontentloaded, networkidle, or selector: followed by a CSS selector.',
    },
  ]),
  ['a medium', { html: 'a', media: 'speech' }, { media: expect.any(String) }],
  ...['a/b', 'a\\b', 'a\nb', 'a\u202eb', 'a'.repeat(252)].map((filename): [string, object, object] => [
    `the name ${JSON.stringify(filename).slice(0, 20)}`,
    { html: 'a', filename },
    { filename: 'filename must be at most 255 characters long, without slashes, backslashes and control characters.' },
  ]),
  ['a long header', { html: 'a', header_html: 'a'.repeat(100_001) }, { header_html: expect.any(String) }],
]

describe('400', () => {
  it.each(invalidRequests)('for %s', async (_, params, errors) => {
    const { ask, jobs } = pdfOn()
    const said = await saidBy(ask('POST', params))
    expect(said).toMatchObject({ status_code: 'validation_failed', errors })
    expect(Object.keys(said.errors!)).toEqual(Object.keys(errors))
    expect(jobs).toEqual([])
  })

  it.each([
    'http://localhost/',
    'http://0x7f.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/',
    'http://a.internal',
  ])('for a link to %s if private addresses are not allowed', async (html_link) => {
    const { ask, jobs } = pdfOn(undefined, { ALLOW_PRIVATE_TARGETS: 'false' })
    const errors = { html_link: 'html_link must have a public address.' }
    expect(await saidBy(ask('GET', { html_link }))).toMatchObject({ status_code: 'validation_failed', errors })
    expect(jobs).toEqual([])
  })

  it('for invalid types in JSON', async () => {
    const params = { html: 1, landscape: 'true', scale: '1.5', print_background: 1, header_html: {} }
    const { errors } = await saidBy(pdfOn().ask('POST', params))
    expect(Object.keys(errors!).sort()).toEqual(Object.keys(params).sort())
  })

  it('for errors that the container detects', async () => {
    const { ask } = pdfOn(() => refused(400, 'validation_failed', 'The margins leave no page'))
    expect(await saidBy(ask('POST', { html: 'a' }))).toMatchObject({
      status: false,
      status_code: 'validation_failed',
      message: 'The margins leave no page',
    })
  })

  it('naming the parameter that the container rejects', async () => {
    const message = 'The parameter "page_ranges" is not valid'
    const { ask } = pdfOn(() => refused(400, 'validation_failed', message))
    const errors = { page_ranges: 'page_ranges is not valid for this document.' }
    expect(await saidBy(ask('POST', { html: 'a', page_ranges: '9' }))).toMatchObject({
      message: errors.page_ranges,
      errors,
    })
  })
})

describe('413', () => {
  const bytes = 16_000_000
  const bodyOf = (size: number) => {
    const [start, end] = ['{"html":"', '"}']
    return start + 'a'.repeat(size - start.length - end.length) + end
  }

  it('for a body above 16 MB, and not for exactly 16 MB', async () => {
    const { env, jobs } = pdfOn()
    const { pdf } = await import('#pdf/index')
    const { createExecutionContext } = await import('cloudflare:test')
    const post = (body: string) =>
      pdf.fetch(new Request('http://pdf.test/pdf', { method: 'POST', body }), env, createExecutionContext())
    const fits = await post(bodyOf(bytes))
    expect(fits.status).toBe(200)
    await fits.body!.cancel()
    expect((jobs[0]!.json.html as string).length).toBe(bytes - 11)
    expect(await saidBy(post(bodyOf(bytes + 1)))).toMatchObject({ status_code: 'payload_too_large' })
    expect(jobs).toHaveLength(1)
  })
})

const failures: [string, () => Response, number, string, string, string | null][] = [
  [
    'a body too large',
    () => refused(413, 'payload_too_large'),
    413,
    'payload_too_large',
    'The document is too large to be printed.',
    null,
  ],
  ['a PDF too large', () => refused(422, 'too_large'), 422, 'pdf_too_large', 'The PDF has more than 100 MB.', null],
  [
    'the link',
    () => refused(502, 'link_failed', 'The link answers 404'),
    502,
    'link_failed',
    'The link answers 404',
    null,
  ],
  ['a crash', () => refused(502, 'crashed'), 502, 'browser_failed', 'The document made the browser crash twice.', null],
  [
    'the time',
    () => refused(504, 'timeout'),
    504,
    'browser_timeout',
    'The document was not printed within 30 seconds.',
    null,
  ],
  [
    'no room',
    () => refused(503, 'unavailable', 'Full', { 'retry-after': '7' }),
    503,
    'unavailable',
    'The Chromium container is not available. Retry later.',
    '7',
  ],
  ['no start', () => new Response('no', { status: 503 }), 503, 'unavailable', expect.any(String) as never, '5'],
  [
    'a container without a sandbox',
    () => refused(503, 'not_configured', 'Set CHROMIUM_NO_SANDBOX=true'),
    503,
    'not_configured',
    'Set CHROMIUM_NO_SANDBOX=true',
    '60',
  ],
  ['another token', () => refused(401, 'unauthorized'), 503, 'unavailable', expect.any(String) as never, '5'],
  [
    'no words',
    () => new Response('<h1>oops', { status: 500 }),
    502,
    'browser_failed',
    expect.any(String) as never,
    null,
  ],
  ['a page', () => new Response('<h1>hello', { headers: { 'content-type': 'text/html' } }), 502, 'browser_failed', 'The browser failed.', null], // biome-ignore format: one line
  ['an empty document', () => printed(''), 502, 'browser_failed', 'The browser failed.', null],
  ['a stranger', () => refused(400, 'secret', 'secret'), 502, 'browser_failed', 'The browser failed.', null],
]

describe.each(['GET', 'POST'])('%s is refused', (method) => {
  it.each(failures)('for %s', async (_, answer, status, status_code, message, retryAfter) => {
    for (const ttl of ['', '60']) {
      const response = await pdfOn(answer, { PDF_CACHE_TTL: ttl }).ask(method, { html: `${status_code} ${ttl}` })
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
      expect(await saidBy(response)).toMatchObject({ status: false, status_code, message })
    }
  })
})

describe('503', () => {
  it('while the container cannot be reached', async () => {
    const { ask } = pdfOn(undefined, { CHROMIUM_CONTAINER_URL: 'http://127.0.0.1:1/' })
    const response = await ask('POST', { html: 'a' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await saidBy(response)).toMatchObject({ status_code: 'unavailable' })
  })

  it('while the bound container is down', async () => {
    const { ask } = pdfOn(undefined, { CHROMIUM_CONTAINER: bound.CHROMIUM_CONTAINER! })
    expect((await ask('POST', { html: 'a' })).status).toBe(503)
  })

  it('without a container, naming the variable', async () => {
    const { ask } = pdfOn(undefined, { CHROMIUM_CONTAINER: undefined as never })
    const response = await ask('POST', { html: 'a' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await saidBy(response)).toMatchObject({
      status_code: 'not_configured',
      message: expect.stringContaining('CHROMIUM_CONTAINER_URL'),
    })
  })

  it.each(['-1', '1.5', 'a day', '31536001', '1e3'])('with PDF_CACHE_TTL=%s, naming the variable', async (ttl) => {
    const { ask, jobs } = pdfOn(undefined, { PDF_CACHE_TTL: ttl })
    expect(await saidBy(ask('POST', { html: 'a' }))).toMatchObject({
      status_code: 'not_configured',
      message: expect.stringContaining('PDF_CACHE_TTL'),
    })
    expect(jobs).toEqual([])
  })
})

describe('401', () => {
  it('without a token, before anything is printed', async () => {
    const { ask, jobs } = pdfOn(undefined, { AUTH_TOKENS: 'secret' })
    expect((await ask('GET', { html: 'a' })).status).toBe(401)
    expect((await ask('POST', { html: 'a' })).status).toBe(401)
    expect(jobs).toEqual([])
    expect((await ask('GET', { html: 'a' }, { authorization: 'Bearer secret' })).status).toBe(200)
  })
})

describe('504', () => {
  it('when the container does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { env, ask } = pdfOn()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      env.CHROMIUM_CONTAINER = {
        fetch: (_: string, { signal }: RequestInit) =>
          new Promise((_, reject) => {
            begin()
            signal!.addEventListener('abort', () => reject(signal!.reason))
          }),
      } as never
      const answer = ask('POST', { html: 'a' })
      await begun
      await vi.advanceTimersByTimeAsync(60_000)
      expect((await answer).status).toBe(504)
      expect(await saidBy(answer)).toMatchObject({ status_code: 'browser_timeout' })
    } finally {
      vi.useRealTimers()
    }
  })
})
