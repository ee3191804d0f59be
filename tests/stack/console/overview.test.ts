// Tests the overview page of the console: the health and the traffic of all components.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMetrics, summed, trafficOf } from '#console/metrics'
import { has } from '../../../scripts/lib/programs.ts'
import { ask } from '../http.ts'
import { type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

describe.skipIf(!has('chromium'))('the overview', () => {
  let console: Console

  beforeAll(async () => {
    // Nothing listens at this address, so the media component has a dependency that is down.
    console = await startConsole({
      variables: { MEDIA_CONTAINER_URL: 'http://127.0.0.1:9', MEDIA_CONTAINER_TOKEN: 'none' },
    })
  })

  afterAll(() => console?.dispose())

  it('shows every component and its dependencies', async () => {
    const page = await console.open('/')
    const cards = page.getByRole('article')
    await expect.poll(() => cards.count()).toBe(console.stack.components.length)
    const badge = page.getByRole('article', { name: 'badge', exact: true })
    await badge.getByText(/^database: up, \d+ ms$/).waitFor()
    expect(await badge.getByText('up', { exact: true }).count()).toBe(1)
    await holdsUp(page)
    // Media replies 503 to the health check, which the browser logs as an error by itself.
    expect(console.complaints.splice(0).filter((line) => !line.includes('status of 503'))).toEqual([])
  })

  it('shows which dependency of a component is down', async () => {
    const page = await console.open('/')
    const media = page.getByRole('article', { name: 'media', exact: true })
    await media.getByText(/^container: down/).waitFor()
    await media.getByText('down', { exact: true }).waitFor()
    console.complaints.length = 0
  })

  it('counts new requests, except its own', async () => {
    const page = await console.open('/')
    const figures = (name: string) => page.getByRole('article', { name, exact: true }).locator('.rate').textContent()
    await expect
      .poll(async () => {
        await ask(`${console.stack.url}/badge/counters?collection=shop&user=ann`)
        return figures('badge')
      }, pageTimeout)
      .toMatch(/^(0\.[1-9]|[1-9]\d*(\.\d)?) requests a second, 95 % within \d+ ms$/)
    expect(await figures('signature')).toBe('0.0 requests a second')
    console.complaints.length = 0
  })

  it('recovers by itself when the server is up again', async () => {
    const page = await console.open('/nowhere')
    const isList = (url: URL) => url.pathname === '/'
    await page.route(isList, (route) => route.abort())
    await page.goto(`${console.url}#/`)
    await page.getByRole('alert').getByText('The connection failed').waitFor()
    await page.unroute(isList)
    await page.getByRole('article', { name: 'badge', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    console.complaints.length = 0
  })

  it('links each page to its page of the guide', async () => {
    const page = await console.open('/')
    const links = await page.getByRole('navigation', { name: 'Pages' }).locator('a[href^="#/"]').all()
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(targets.length).toBeGreaterThan(10)
    for (const target of targets) {
      await page.goto(`${console.url}${target}`)
      await page.locator(`#navigation a[href="${target}"][aria-current]`).waitFor()
      const guide = await page.getByRole('link', { name: 'Guide to' }).getAttribute('href')
      const { status } = await ask(console.stack.url + guide)
      expect([target, guide, status]).toEqual([target, guide, 200])
    }
    console.complaints.length = 0
  })

  it('links to a page for each component', async () => {
    const page = await console.open('/')
    const links = page.getByRole('article').getByRole('link')
    await expect.poll(() => links.count()).toBe(console.stack.components.length)
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!.replace('#', '')))
    for (const target of new Set(targets)) {
      await page.goto(`${console.url}#${target}`)
      await expect.poll(() => page.locator('h1').textContent()).not.toBe('Overview')
      expect(await page.locator('h1').textContent()).not.toBe('Page not found')
      await page.goto(`${console.url}#/`)
      await expect.poll(() => page.locator('h1').textContent()).toBe('Overview')
    }
  })
})

describe('the traffic between two readings', () => {
  const reading = (at: number, ok: number, failed: number, quick: number) => ({
    at,
    samples: summed(
      parseMetrics(
        [
          '# TYPE quartermaster_requests_total counter',
          `quartermaster_requests_total{component="a",route="/x",status="200"} ${ok}`,
          `quartermaster_requests_total{component="a",route="/x",status="503"} ${failed}`,
          'quartermaster_requests_total{component="a",route="/_health",status="200"} 9999',
          'quartermaster_requests_total{component="b",route="/x",status="200"} 77',
          `quartermaster_request_duration_seconds_bucket{component="a",route="/x",le="0.1"} ${quick}`,
          `quartermaster_request_duration_seconds_bucket{component="a",route="/x",le="1"} ${ok + failed}`,
          `quartermaster_request_duration_seconds_bucket{component="a",route="/x",le="+Inf"} ${ok + failed}`,
        ].join('\n'),
      ),
    ),
  })

  it('is the increase of the counters', () => {
    const traffic = trafficOf('a', reading(0, 100, 1, 90), reading(10_000, 196, 5, 180))
    expect(traffic).toEqual({ rate: 10, errors: 4, p95: 1_000 })
  })

  it('is zero if the component has reported no counters before', () => {
    const down = { at: 0, samples: summed(parseMetrics('quartermaster_up{component="a"} 0')) }
    expect(trafficOf('a', down, reading(5_000, 1_000, 0, 1_000))).toMatchObject({ rate: 0, p95: undefined })
    expect(trafficOf('a', { at: 0, samples: [] }, reading(5_000, 10, 0, 10))).toMatchObject({ rate: 2 })
  })

  it('needs constant memory for any number of routes', () => {
    const routes = Array.from({ length: 100 }, (_, i) => `route="/${i}",status="200"`)
    const samples = parseMetrics(
      routes.map((labels) => `quartermaster_requests_total{component="a",${labels}} 2`).join('\n'),
    )
    expect(summed([...samples, { name: 'other', labels: { component: 'a' }, value: 1 }])).toEqual([
      { name: 'quartermaster_requests_total', labels: { component: 'a', status: '200' }, value: 200 },
    ])
  })

  it('is zero without requests, and has no percentile', () => {
    expect(trafficOf('b', reading(0, 1, 0, 1), reading(5_000, 2, 0, 2))).toEqual({ rate: 0, errors: 0, p95: undefined })
  })

  it('reads labels with quotes, backslashes and line breaks', () => {
    expect(parseMetrics('m{l="a\\"b\\\\c\\nd",k="}"} +Inf')).toEqual([
      { name: 'm', labels: { l: 'a"b\\c\nd', k: '}' }, value: Number.POSITIVE_INFINITY },
    ])
  })
})
