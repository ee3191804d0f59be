// Tests the files of the console as the gateway serves them: headers, caching, compression and redirects.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { type Answer, ask, type RequestOptions } from '../http.ts'
import { only, start } from '../stack.ts'

/** Starts the gateway with one small component. */
const gatewayWith = (variables: Record<string, string> = {}) => start({ components: only('badge'), variables })

/** The host on which a local start serves the console. */
const consoleHostOf = ({ url }: Stack) => `console.${new URL(url).host}`

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

describe('the console and the guide', () => {
  let stack: Stack
  const get = (path: string, { headers = {}, ...asked }: RequestOptions = {}) =>
    ask(`${stack.url}/`, { path, headers: { host: consoleHostOf(stack), ...headers }, ...asked })

  beforeAll(async () => {
    stack = await gatewayWith()
  })

  afterAll(() => stack?.dispose())

  /** The files that the console's page loads, by path. */
  async function loaded(): Promise<Map<string, Answer>> {
    const { text } = await get('/console/')
    const paths = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
    return new Map(await Promise.all(paths.map(async (path) => [path, await get(path)] as const)))
  }

  it('are served with restrictive security headers', async () => {
    const [console, guide] = [await get('/console/'), await get('/docs/')]
    for (const { status, headers: got } of [console, guide]) {
      expect(status).toBe(200)
      expect(got).toMatchObject({ ...headers, 'content-type': 'text/html; charset=utf-8' })
      const policy = String(got['content-security-policy'])
      for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(part)
      expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    }
    expect(console.headers['content-security-policy']).toContain("script-src 'self';")
    expect(console.headers['content-security-policy']).toContain("connect-src 'self';")
    expect(guide.headers['content-security-policy']).not.toContain('script-src')
    expect(console.text).not.toMatch(/<script>|<script [^>]*>[^<]|<style|\son\w+=|https?:\/\/(?!www\.w3\.org)/)
  })

  it('load less than 150 kB in total, compressed with gzip', async () => {
    const { text } = await get('/console/')
    const files = await loaded()
    expect([...files.keys()].filter((path) => /\.(js|css)$/.test(path)).length).toBeGreaterThanOrEqual(2)
    // Also follows files that are imported on demand.
    for (const [path, file] of files)
      for (const [, name] of file.text.matchAll(/["'`]\.?\/?(?:assets\/)?([\w.-]+\.(?:js|css))["'`]/g)) {
        const other = `/console/assets/${name}`
        if (path.endsWith('.js') && !files.has(other)) files.set(other, await get(other))
      }
    const found = [...files.values()].filter(({ status }) => status === 200)
    const packed = [text, ...found.map((file) => file.text)].map((file) => gzipSync(file).length)
    expect(packed.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
  })

  it('are cached by browsers: permanently if the name has the digest, else with revalidation', async () => {
    for (const [path, file] of await loaded()) {
      expect([path, file.status]).toEqual([path, 200])
      expect(path).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.(js|css)$/)
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(file.headers).toMatchObject(headers)
    }
    for (const path of ['/console/', '/docs/']) {
      const { headers: first } = await get(path)
      expect(first['cache-control']).toBe('public, max-age=0, must-revalidate')
      const tag = String(first.etag)
      // A proxy that compresses the file makes its entity tag a weak one, so both forms must match.
      for (const known of [tag, `W/${tag}`]) {
        const again = await get(path, { headers: { 'if-none-match': known } })
        expect([again.status, again.text]).toEqual([304, ''])
        expect(again.headers).toMatchObject(headers)
      }
      expect((await get(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
    }
  })

  it('reply to HEAD like GET without the body, and reject other methods', async () => {
    for (const path of ['/console/', '/docs/']) {
      const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)]
      expect([head.status, head.text, head.headers.etag]).toEqual([200, '', whole.headers.etag])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await get(path, { method })
        expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
      }
    }
  })

  it('serve no other files', async () => {
    const steps = [
      '/../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/..\\..\\package.json',
    ]
    const odd = ['/%5c..%5cwrangler.toml', '//etc/passwd', '/.env', '/%00', '/%', '/assets/', '/site.txt']
    for (const root of ['/console', '/docs'])
      for (const path of [...steps, ...odd]) {
        const { status, text } = await get(`${root}${path}`)
        expect([path, status]).toEqual([path, 404])
        expect(text).not.toMatch(/quartermaster"|root:|compatibility_date/)
      }
    const { status, text } = await get('/console/nothing')
    expect([status, JSON.parse(text).status_code]).toEqual([404, 'page_not_found'])
  })

  it('are not served on the host of a component', async () => {
    const { status, text } = await get('/console/', { headers: { host: `badge.${new URL(stack.url).host}` } })
    expect([status, JSON.parse(text).status]).toEqual([404, false])
  })
})

it('the console and the guide redirect to their path on the same host', async () => {
  const stack = await gatewayWith({ LOCAL: '', CONSOLE: 'true' })
  try {
    for (const host of ['localhost', 'api.example.com:8443', 'queue.example.org'])
      for (const path of ['/console', '/docs', '/console?a=1', '/console/index.html']) {
        const { status, headers: got } = await ask(`${stack.url}/`, { path, headers: { host } })
        expect([path, status]).toEqual([path, 307])
        // The redirect stays on this host: it begins with one slash, since `//` would begin another host's name.
        expect(got.location).toMatch(/^\/(console|docs)\/(\?a=1)?$/)
      }
  } finally {
    await stack.dispose()
  }
})

describe('the console', () => {
  it.each([
    ['is disabled by CONSOLE=false on a local start', { CONSOLE: 'false' }, 404],
    ['is disabled by default on a start that is not local', { LOCAL: '' }, 404],
    ['is disabled if CONSOLE has another value', { LOCAL: '', CONSOLE: 'yes' }, 404],
    ['is enabled by CONSOLE=true', { LOCAL: '', CONSOLE: 'true' }, 200],
  ])('%s, and the guide is enabled', async (_, variables: Record<string, string>, expected) => {
    const isLocal = variables.LOCAL !== ''
    const stack = await gatewayWith(variables)
    try {
      const own = { headers: { host: consoleHostOf(stack) } }
      expect((await ask(`${stack.url}/console/`, own)).status).toBe(expected)
      for (const path of ['/console', '/console/'])
        expect((await ask(stack.url + path)).status).toBe(
          expected === 404 ? 404 : path === '/console' || isLocal ? 307 : 200,
        )
      const { status, text } = await ask(`${stack.url}/docs/`)
      expect([status, text.includes('<h1')]).toEqual([200, true])
    } finally {
      await stack.dispose()
    }
  })
})
