// Tests `/_metrics` of a component: access, contents, and sending the counts.
import { abortAllDurableObjects, env as bound } from 'cloudflare:test'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { worker as workerOf } from '#core/http/worker'
import { flush } from '#core/metrics/flush'
import type { Meter } from '#core/metrics/meter'
import { parseExposition, sampleOf } from '../support/exposition.ts'
import worker from './worker/index.ts'

const env = bound as unknown as { METER: DurableObjectNamespace<Meter> }

/**
 * Resolves at the end of the tests. Counts are sent when a test asks for it, and not by a timer in the middle of a slow
 * test.
 */
const over = Promise.withResolvers<void>()
beforeAll(() => void vi.spyOn(scheduler, 'wait').mockReturnValue(over.promise))
afterAll(() => over.resolve())

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never

/** Sends a request to the component with its metrics on and these variables. */
const ask = (path: string, init: RequestInit = {}, vars: object = {}) =>
  new worker(context, { ...env, LOCAL: 'true', METRICS: 'true', ...vars } as never).fetch(
    new Request(`http://core${path}`, init),
  )

const read = async (vars: object = {}) => (await ask('/_metrics', {}, vars)).text()

const requests = async (labels: object) =>
  sampleOf(await read(), 'quartermaster_requests_total', { component: 'core', ...labels }) ?? 0

describe('the metrics of a component', () => {
  it('are returned to callers with access only', async () => {
    const vars = { AUTH_TOKENS: 'secret' }
    expect((await ask('/_metrics', {}, vars)).status).toBe(401)
    const authorization = 'Bearer secret'
    const reply = await ask('/_metrics', { headers: { authorization } }, vars)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    parseExposition(await reply.text())
  })

  it('are neither returned nor stored if they are off', async () => {
    const meter = { getByName: () => expect.unreachable('The meter is asked') }
    for (const off of [{ METRICS: 'false' }, { METER: undefined }]) {
      expect((await ask('/kinds?name=a', {}, { METER: meter, ...off })).status).toBe(200)
      const reply = await ask('/_metrics', {}, { METER: meter, ...off })
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ status_code: 'metrics_off' })
    }
  })

  it('count requests by route, method and status, and their durations', async () => {
    const labels = { route: '/kinds', method: 'GET' }
    const [good, bad] = [await requests({ ...labels, status: '200' }), await requests({ ...labels, status: '400' })]
    const timed = async () =>
      sampleOf(await read(), 'quartermaster_request_duration_seconds_count', { component: 'core', route: '/kinds' }) ??
      0
    const before = await timed()
    await ask('/kinds?name=a')
    await ask('/kinds?name=b')
    await ask('/kinds')
    expect(await requests({ ...labels, status: '200' })).toBe(good + 2)
    expect(await requests({ ...labels, status: '400' })).toBe(bad + 1)
    expect(await timed()).toBe(before + 3)
  })

  it('have no paths and no unknown methods', async () => {
    for (const n of [1, 2, 3]) await ask(`/nowhere/${n}`, { method: 'PROPFIND' })
    const text = await read()
    expect(text).not.toMatch(/nowhere|PROPFIND/)
    const labels = { component: 'core', route: '/*', method: 'other', status: '404' }
    expect(sampleOf(text, 'quartermaster_requests_total', labels)).toBe(3)
  })

  it('count requests refused by a limit, by its name', async () => {
    const hits = async () =>
      sampleOf(await read(), 'quartermaster_limit_hits_total', { component: 'core', limit: 'payload_too_large' }) ?? 0
    const before = await hits()
    expect((await ask('/kinds', { method: 'POST', body: 'x'.repeat(1_100_000) })).status).toBe(413)
    expect(await hits()).toBe(before + 1)
  })

  it('survive a restart', async () => {
    await ask('/kinds?name=a')
    const before = await requests({ route: '/kinds', method: 'GET', status: '200' })
    await abortAllDurableObjects()
    expect(await requests({ route: '/kinds', method: 'GET', status: '200' })).toBe(before)
  })

  it('are exact if the meter fails and if its reply is lost', async () => {
    const before = await requests({ route: '/kinds', method: 'GET', status: '200' })
    const real = env.METER.getByName('meter')
    const failing = { add: () => Promise.reject(new Error('It is gone')) }
    const deaf = {
      add: async (...sent: Parameters<Meter['add']>) => {
        await real.add(...sent)
        throw new Error('The answer is lost')
      },
    }
    for (const meter of [failing, deaf, failing]) {
      await ask('/kinds?name=a')
      await expect(flush({ METER: { getByName: () => meter } } as never)).rejects.toThrow()
    }
    expect(await requests({ route: '/kinds', method: 'GET', status: '200' })).toBe(before + 3)
  })

  it('count the runs of sweeps', async () => {
    const sweeps = async (outcome: string) =>
      sampleOf(await read(), 'quartermaster_sweeps_total', { component: 'core', outcome }) ?? 0
    const [done, failed] = [await sweeps('done'), await sweeps('failed')]
    const Swept = workerOf({ about: { name: 'core' }, fetch: () => expect.unreachable() }, ...[good, bad, good])
    await new Swept(context, { ...env, METRICS: 'true' } as never).sweep()
    expect([await sweeps('done'), await sweeps('failed')]).toEqual([done + 2, failed + 1])
  })
})

const good = async () => undefined
const bad = () => Promise.reject(new Error('a bug'))

it('writes each request to the dataset if one is bound', async () => {
  const points: unknown[] = []
  const ANALYTICS = { writeDataPoint: (point: unknown) => points.push(point) }
  await ask('/kinds?name=a', {}, { ANALYTICS })
  await ask('/kinds', {}, { ANALYTICS, METRICS: 'false' })
  expect(points).toEqual([
    { indexes: ['core'], blobs: ['/kinds', 'GET', '200', ''], doubles: [expect.any(Number)] },
    { indexes: ['core'], blobs: ['/kinds', 'GET', '400', 'validation_failed'], doubles: [expect.any(Number)] },
  ])
})
