// Tests that the PDF component survives killed browsers and endless documents.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { pagesOf } from './reading.ts'
import { ask, browsersOf, print, startPdf } from './service.ts'
import { html, redirect, type Site, startSite } from './site.ts'

let stack: Stack
let site: Site

/** Functions that run one by one, each at the next visit of the page `/waiting`, before the page is served. */
let onVisit: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  ;[stack, site] = await Promise.all([
    startPdf(),
    startSite({
      '/waiting': async (request, response) => {
        await onVisit.shift()?.()
        html('<p>done')(request, response)
      },
      '/loop': redirect('/loop'),
      '/silent': () => undefined,
    }),
  ])
})

afterAll(async () => {
  site.close()
  await stack.dispose()
})

const expectNextJob = async () => {
  const [page] = await pagesOf(await print(stack, { html: '<p>next' }))
  expect(page!.text.trim()).toBe('next')
}

const waiting = () => ask(stack, { html_link: `${site.url}/waiting` })

const killBrowsers = () => {
  const browsers = browsersOf(stack)
  expect(browsers.length).toBeGreaterThan(0)
  for (const browser of browsers) {
    try {
      process.kill(browser, 'SIGKILL')
    } catch {
      // An error means that the browser has ended by itself meanwhile.
    }
  }
}

describe('a browser that is killed', () => {
  it('once during a job is replaced, and the job succeeds', async () => {
    onVisit = [killBrowsers]
    const reply = await waiting()
    expect([reply.status, reply.message]).toEqual([200, undefined])
    expect((await pagesOf(reply.bytes))[0]!.text.trim()).toBe('done')
    await expectNextJob()
  })

  it('at each attempt fails the job, and is replaced for the next job', async () => {
    onVisit = [killBrowsers, killBrowsers]
    expect(await waiting()).toMatchObject({ status: 502, code: 'browser_failed' })
    await expectNextJob()
  })
})

describe('an endless document', () => {
  const endless = {
    'of scripts': () => ask(stack, { html: '<script>for (;;);</script>' }),
    'of waiting': () => ask(stack, { html_link: `${site.url}/silent` }),
    'for an element that never comes': () => ask(stack, { html: 'a', wait_for: 'selector:#never' }),
  }

  it('times out, and frees its slot', async () => {
    const replies = await Promise.all(Object.values(endless).map((begin) => begin()))
    const results = replies.map(({ status, code }) => [status, code])
    expect(results).toEqual(Array(3).fill([504, 'browser_timeout']))
    await expectNextJob()
  })

  it('of redirects is rejected with a clear error', async () => {
    const reply = await ask(stack, { html_link: `${site.url}/loop` })
    expect(reply).toMatchObject({ status: 502, code: 'link_failed', message: 'The link redirects too often' })
    await expectNextJob()
  })

  it('of pages is printed, or times out', async () => {
    const { status, code } = await ask(stack, { html: '<p style="break-after: page">page</p>'.repeat(10_000) })
    expect([[200, undefined], [422, 'pdf_too_large'], [504, 'browser_timeout']]).toContainEqual([status, code]) // biome-ignore format: one line
    await expectNextJob()
  })
})

it('rejects more than 16 MB of HTML', async () => {
  expect(await ask(stack, { html: ' '.repeat(16_000_000) })).toMatchObject({ status: 413, code: 'payload_too_large' })
  await expectNextJob()
})

describe('a container', () => {
  const health = async () => {
    const response = await fetch(`${stack.url}/pdf/_health`)
    const { content } = (await response.json()) as { content: { dependencies: { container: { state: string } } } }
    return [response.status, content.dependencies.container.state]
  }

  it('that died causes an error, and runs again for the next job', async () => {
    const { pid, up } = stack.containers.chromium!
    const cutOff = ask(stack, { html_link: `${site.url}/silent` })
    await expect.poll(() => site.visits.at(-1)).toBe('/silent')
    const killed = pid()!
    process.kill(killed, 'SIGSTOP')
    expect(await health()).toEqual([503, 'down'])
    process.kill(killed, 'SIGKILL')
    const { status, code, headers } = await cutOff
    expect([status, code, Number(headers.get('retry-after'))]).toEqual([503, 'unavailable', 5])
    await expect.poll(pid).not.toBe(killed)
    await up()
    await expectNextJob()
    await expect.poll(health).toEqual([200, 'up'])
  })
})
