// Tests the metrics of a real stack as Prometheus reads them: over HTTP, at the gateway and at each component.
import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parseExposition, type ReadFamily, sampleOf } from '../../support/exposition.ts'
import { ask } from '../http.ts'
import { start, temporary } from '../stack.ts'

const token = 'the token of this test'
const headers = { authorization: `Bearer ${token}` }
const variables = { AUTH_TOKENS: token }

const scrape = async (url: string) => {
  const { status, text, headers: given } = await ask(`${url}/_metrics`, { headers })
  expect([status, given['content-type']], text).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return text
}

const badge = { component: 'badge', route: '/_health', method: 'GET', status: '200' }

it('all components report metrics, which continue after a restart', async () => {
  const stateDir = temporary()
  const counted: number[] = []
  for (const run of [1, 2]) {
    const stack = await start({ stateDir, containers: [], variables })
    try {
      for (let n = 0; n < run; n++) await ask(`${stack.url}/badge/_health`)
      const task = JSON.stringify({ worker: 'default', url: `${stack.url}/catcher/some/path` })
      await ask(`${stack.url}/queue/task`, { method: 'POST', headers, body: task })
      const done = { component: 'queue', worker: 'default', outcome: 'done' }
      await expect
        .poll(async () => sampleOf(await scrape(stack.url), 'quartermaster_queue_tasks_total', done))
        .toBe(run)
      const text = await scrape(stack.url)
      counted.push(sampleOf(text, 'quartermaster_requests_total', badge)!)
      for (const component of stack.components)
        expect(sampleOf(text, 'quartermaster_up', { component }), component).toBe(1)
      expect(unbounded(parseExposition(text))).toEqual([])
      const own = await scrape(`${stack.url}/catcher/_requests_`)
      const caught = { component: 'catcher', route: '/*', method: 'POST', status: '200' }
      expect(sampleOf(own, 'quartermaster_requests_total', caught)).toBe(run)
      for (const path of ['', '/badge', '/bus', '/catcher/_requests_'])
        expect((await ask(`${stack.url}${path}/_metrics`)).status, path).toBe(401)
    } finally {
      await stack.dispose()
    }
  }
  expect(counted).toEqual([1, 3])
  await rm(stateDir, { recursive: true })
})

/**
 * Labels with data of callers, such as a path, an address or an id. There must be none: each would create unlimited
 * series.
 */
const unbounded = (families: ReadFamily[]) =>
  families
    .flatMap(({ samples }) => samples.flatMap(({ labels }) => Object.entries(labels)))
    .filter(([name, value]) => (name === 'route' ? value.includes('some') : !/^[\w+.-]*$/.test(value)))
