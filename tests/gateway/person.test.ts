import { createExecutionContext, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env as bound } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuditBatch } from '#core/access/access-service'
import type { Erasable, Person } from '#core/person/places'
import type { Env } from '#gateway/env'
import gateway from '#gateway/index'
import type { Operations } from '#gateway/operations'
import { bind, echo } from './services.ts'

const { OPERATIONS } = bound as unknown as Required<Env>

/** A component with `steps` steps of 10 rows, which notes its calls. The first `failures` calls fail. */
function erasable(name: string, { steps = 1, failures = 0, calls = [] as string[] } = {}) {
  let failed = 0
  const erased = new Set<string>()
  const component: Erasable & { calls: string[] } = {
    calls,
    async erasePerson({ user }: Person, cursor = '0') {
      calls.push(`${name} ${cursor}`)
      if (failed++ < failures) throw new Error('a bug')
      const step = Number(cursor) + 1
      const isFirst = !erased.has(`${user} ${step}`)
      erased.add(`${user} ${step}`)
      return { erased: { rows: isFirst ? 10 : 0 }, next: step < steps ? String(step) : undefined }
    },
    async exportPerson({ user }: Person, cursor = '[0]') {
      const step = (JSON.parse(cursor) as [number])[0] + 1
      return { rows: [{ place: 'rows', row: { user, step } }], next: step < steps ? `[${step}]` : undefined }
    },
  }
  return { ...echo(name), ...component }
}

/** A gateway with these components and an object of operations, whose alarms the test runs. */
function gatewayOf(services: Record<string, object>, variables: Partial<Env> = {}) {
  const stub = OPERATIONS.getByName(crypto.randomUUID())
  const env: Env = { LOCAL: 'true', ...variables, ...bind(services) }
  const within = <Result>(use: (operations: Operations) => Result | Promise<Result>) =>
    runInDurableObject(stub, (operations: Operations) => use(Object.assign(operations, { env })))
  env.OPERATIONS = {
    getByName: () => ({
      start: (person: Person) => within((operations) => operations.start(person)),
      find: (id: string) => within((operations) => operations.find(id)),
      subjectOf: (person: Person) => within((operations) => operations.subjectOf(person)),
      resume: () => within((operations) => operations.resume()),
    }),
  } as never
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    gateway.fetch(
      new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }) as never,
      env,
      createExecutionContext(),
    )
  const askJson = async (...asked: Parameters<typeof ask>) => {
    const response = await ask(...asked)
    return { status: response.status, body: await response.json<Record<string, never>>() }
  }
  return {
    ...{ ask, askJson, env, stub },
    erase: async (query: string) =>
      ((await askJson('DELETE', `/person?${query}`)).body.content as unknown as { operation: { id: string } }).operation
        .id,
    show: async (id: string) =>
      ((await askJson('GET', `/operation?id=${id}`)).body.content as unknown as { operation: Operation }).operation,
    alarm: () => within((operations) => operations.alarm()),
    stored: () =>
      runInDurableObject(stub, (_, { storage }) =>
        JSON.stringify(['operations', 'steps'].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray())),
      ),
  }
}

interface Operation {
  done: boolean
  subject: string
  done_at: string | null
  components: { component: string; done: boolean; erased: object; failures: number }[]
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** No alarm runs by itself while the clock stands far ahead of the real one. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1e10 })

describe('DELETE /person', () => {
  it('erases the person in each component, step by step and one after the other', async () => {
    stopClock()
    const calls: string[] = []
    const { erase, show, alarm, askJson } = gatewayOf({
      feed: erasable('feed', { steps: 3, calls }),
      queue: erasable('queue', { calls }),
    })
    expect(await askJson('DELETE', '/person?user=ann')).toMatchObject({ status: 202, body: { status: true } })
    const id = await erase('user=bob')
    await alarm()
    expect(calls.slice(0, 4)).toEqual(['queue 0', 'feed 0', 'feed 1', 'feed 2'])
    expect(await show(id)).toMatchObject({
      done: true,
      done_at: expect.any(String),
      components: [
        { component: 'queue', done: true, erased: { rows: 10 }, failures: 0 },
        { component: 'feed', done: true, erased: { rows: 30 }, failures: 0 },
      ],
    })
  })

  it('stores the identifiers only until the end, and then their HMAC', async () => {
    stopClock()
    const { erase, show, alarm, stored } = gatewayOf({ feed: erasable('feed') })
    const ids = [await erase('phone=77011234567'), await erase('phone=7+701+1234567'), await erase('phone=77011234568')]
    expect(await stored()).toContain('77011234567')
    await alarm()
    expect(await stored()).not.toContain('7701123456')
    const [first, second, third] = await Promise.all(ids.map(async (id) => (await show(id)).subject))
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('retries a component that fails, and erases later components of the operation only after it', async () => {
    stopClock()
    vi.spyOn(console, 'error').mockReturnValue()
    const calls: string[] = []
    const { erase, show, alarm, stub } = gatewayOf({
      queue: erasable('queue', { failures: 1, calls }),
      sms: erasable('sms', { calls }),
    })
    const id = await erase('user=ann')
    vi.setSystemTime(Date.now() + 1)
    const other = await erase('user=bob')
    await alarm()
    // The operation of another person goes on.
    expect(calls.slice(0, 3)).toEqual(['queue 0', 'queue 0', 'sms 0'])
    expect(await show(other)).toMatchObject({ done: true })
    expect(await show(id)).toMatchObject({
      done: false,
      components: [
        { component: 'queue', done: false, failures: 1 },
        { component: 'sms', done: false, failures: 0, erased: {} },
      ],
    })
    // The gateway waits for the retry.
    const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
    expect(at).toBeGreaterThan(Date.now())
    vi.setSystemTime(Date.now() + 300_000)
    calls.length = 0
    await alarm()
    expect(calls.slice(0, 2)).toEqual(['queue 0', 'sms 0'])
    expect(await show(id)).toMatchObject({ done: true })
  })

  it('erases what a later component has sent to an earlier one, in another round', async () => {
    stopClock()
    const queue = erasable('queue')
    let tasks = 0
    queue.erasePerson = async () => {
      const erased = { tasks }
      tasks = 0
      return { erased, next: undefined }
    }
    const delivery = erasable('delivery')
    const { erasePerson } = delivery
    // Enqueues its last message while it is erased.
    delivery.erasePerson = async (...called) => {
      const reply = await erasePerson(...called)
      tasks += Number(reply.erased.rows! > 0)
      return reply
    }
    const { erase, show, alarm } = gatewayOf({ queue, delivery })
    const id = await erase('user=ann')
    await alarm()
    expect(tasks).toBe(0)
    expect(await show(id)).toMatchObject({ done: true, round: 3, components: [{ erased: { tasks: 1 } }, {}] })
  })

  it('repeats the step of a component that waits after a pause, and not as a failure', async () => {
    stopClock()
    const queue = erasable('queue')
    let isSending = true
    const cursors: (string | undefined)[] = []
    queue.erasePerson = async (_, cursor?: string) => {
      cursors.push(cursor)
      return isSending
        ? { erased: {} as { rows: number }, next: 'tail', waits: true }
        : { erased: {} as { rows: number }, next: undefined }
    }
    const calls: string[] = []
    const { erase, show, alarm } = gatewayOf({ queue, sms: erasable('sms', { calls }) })
    const id = await erase('user=ann')
    await alarm()
    expect(cursors).toEqual([undefined])
    vi.setSystemTime(Date.now() + 60_000)
    await alarm()
    expect([cursors, calls]).toEqual([[undefined, 'tail'], []])
    expect(await show(id)).toMatchObject({ done: false, components: [{ done: false, failures: 0 }, {}] })
    isSending = false
    vi.setSystemTime(Date.now() + 60_000)
    await alarm()
    expect(await show(id)).toMatchObject({ done: true })
  })

  it('ends after three rounds although a component always finds something', async () => {
    stopClock()
    const feed = erasable('feed')
    feed.erasePerson = async () => ({ erased: { rows: 1 }, next: undefined })
    const { erase, show, alarm } = gatewayOf({ feed })
    const id = await erase('user=ann')
    await alarm()
    expect(await show(id)).toMatchObject({ done: true, round: 3, components: [{ erased: { rows: 3 } }] })
  })

  it('continues at the stored cursor after a crash', async () => {
    stopClock()
    const calls: string[] = []
    const { erase, show, alarm, stub } = gatewayOf({ feed: erasable('feed', { steps: 60, calls }) })
    const id = await erase('user=ann')
    await alarm()
    const before = calls.length
    expect(before).toBeLessThan(60)
    await evictDurableObject(stub)
    for (let alarms = 0; alarms < 3; alarms++) await alarm()
    const round = Array.from({ length: 60 }, (_, step) => `feed ${step}`)
    expect(calls).toEqual([...round, ...round])
    expect(await show(id)).toMatchObject({ done: true, components: [{ erased: { rows: 600 } }] })
  })

  it('sets a lost alarm again every minute', async () => {
    stopClock()
    const { erase, env, stub } = gatewayOf({ feed: erasable('feed') })
    await erase('user=ann')
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm())
    await gateway.scheduled({} as never, env)
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull()
  })

  it('is deleted 30 days after its end', async () => {
    stopClock()
    const { erase, alarm, askJson, stored } = gatewayOf({ feed: erasable('feed') })
    const id = await erase('user=ann')
    await alarm()
    vi.setSystemTime(Date.now() + 31 * 86_400_000)
    await alarm()
    expect(await askJson('GET', `/operation?id=${id}`)).toMatchObject({ status: 404 })
    expect(await stored()).toBe('[[],[]]')
  })

  it.each(['', '?user=', '?phone=12', '?email=ann', '?user=ann&usr=x', '?phone='])('refuses %j', async (query) => {
    const { askJson } = gatewayOf({ feed: erasable('feed') })
    expect(await askJson('DELETE', `/person${query}`)).toMatchObject({
      status: 400,
      body: { status_code: 'validation_failed' },
    })
  })

  it('takes the person from the body', async () => {
    stopClock()
    const { askJson } = gatewayOf({ feed: erasable('feed') })
    expect(await askJson('DELETE', '/person', {}, { email: 'Ann@Example.com' })).toMatchObject({ status: 202 })
  })
})

it('an erasure is in the audit log, with the HMAC of the person and no other value', async () => {
  const batches: AuditBatch[] = []
  const recordAudit = async (_: string, batch: AuditBatch) => void batches.push(batch)
  const { erase, show } = gatewayOf({ feed: erasable('feed') }, { ACCESS: { recordAudit } as never })
  const { subject } = await show(await erase('user=ann&phone=77011234567'))
  await expect.poll(() => batches).toMatchObject([{ rows: [{ key: 'none' }, { key: 'none' }] }])
  expect(batches[0]!.rows[0]).toMatchObject({ operation: 'DELETE /person', object: subject, status: 202 })
  expect(JSON.stringify(batches)).not.toMatch(/ann|7701/)
})

it('an export is in the audit log, with the same HMAC as the erasure', async () => {
  const batches: AuditBatch[] = []
  const recordAudit = async (_: string, batch: AuditBatch) => void batches.push(batch)
  const { ask, erase, show } = gatewayOf({ feed: erasable('feed') }, { ACCESS: { recordAudit } as never })
  for (const reply of [await ask('GET', '/person?user=ann'), await ask('POST', '/person', {}, { user: 'ann' })])
    await reply.text()
  const { subject } = await show(await erase('user=ann'))
  await expect.poll(() => batches.flatMap(({ rows }) => rows)).toHaveLength(4)
  const subjects = batches.flatMap(({ rows }) => rows).map(({ operation, object }) => [operation, object])
  expect(subjects.slice(0, 2)).toEqual([
    ['GET /person', subject],
    ['POST /person', subject],
  ])
  expect(JSON.stringify(batches)).not.toContain('ann')
})

describe('GET /person', () => {
  it('exports the rows of all components as newline-delimited JSON', async () => {
    const { ask } = gatewayOf({ feed: erasable('feed', { steps: 2 }), badge: erasable('badge') })
    for (const reply of [await ask('GET', '/person?user=ann'), await ask('POST', '/person', {}, { user: 'ann' })]) {
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
      const lines = (await reply.text()).trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        { component: 'badge', place: 'rows', row: { user: 'ann', step: 1 } },
        { component: 'feed', place: 'rows', row: { user: 'ann', step: 1 } },
        { component: 'feed', place: 'rows', row: { user: 'ann', step: 2 } },
      ])
    }
  })

  it('can be read in pages, each of at most 30 calls to components', async () => {
    const steps = { feed: 70, badge: 2 }
    const { ask } = gatewayOf({
      feed: erasable('feed', { steps: steps.feed }),
      badge: erasable('badge', { steps: steps.badge }),
    })
    const pageOf = async (query: string) => {
      const reply = await ask('GET', `/person?user=ann&${query}`)
      const lines = (await reply.text()).trimEnd().split('\n')
      const rows = lines.map((line) => JSON.parse(line) as Record<string, never>)
      const { next } = rows.pop()! as unknown as { next: string | null }
      return { next, rows: rows.map(({ component, row }) => [component, (row as unknown as { step: number }).step]) }
    }
    const all = (['badge', 'feed'] as const).flatMap((name) =>
      Array.from({ length: steps[name] }, (_, step) => [name, step + 1]),
    )
    const pages = [await pageOf('after=')]
    while (pages.at(-1)!.next) pages.push(await pageOf(`after=${pages.at(-1)!.next}`))
    expect(pages.map(({ rows }) => rows.length)).toEqual([30, 30, 12])
    expect(pages.flatMap(({ rows }) => rows)).toEqual(all)

    expect(await pageOf('component=badge')).toEqual({ next: null, rows: all.slice(0, 2) })
    const { next, rows } = await pageOf('component=feed')
    expect(rows).toEqual(all.slice(2, 32))
    expect((await pageOf(`component=feed&after=${next}`)).rows).toEqual(all.slice(32, 62))
  })

  it.each(['component=none', 'after=x', 'after=W10', 'after=WyJub25lIl0', 'component=feed&after=WyJiYWRnZSJd'])(
    'refuses a page with %s',
    async (query) => {
      const { askJson } = gatewayOf({ feed: erasable('feed'), badge: erasable('badge') })
      expect(await askJson('GET', `/person?user=ann&${query}`)).toMatchObject({
        status: 400,
        body: { status_code: 'validation_failed' },
      })
    },
  )

  it('is cut off if a component fails', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const failing = { ...erasable('feed'), exportPerson: () => Promise.reject(new Error('a bug')) }
    const { ask } = gatewayOf({ feed: failing })
    await expect((await ask('GET', '/person?user=ann')).text()).rejects.toThrow()
  })
})

describe('access', () => {
  it.each([
    ['DELETE', '/person?user=ann'],
    ['GET', '/person?user=ann'],
    ['POST', '/person?user=ann'],
    ['GET', `/operation?id=${crypto.randomUUID()}`],
  ])('is required for %s %s', async (method, path) => {
    stopClock()
    const { ask } = gatewayOf({ feed: erasable('feed') }, { AUTH_TOKENS: 'right' })
    const statusOf = async (headers: Record<string, string> = {}) => (await ask(method, path, headers)).status
    expect(await statusOf()).toBe(401)
    expect(await statusOf({ authorization: 'Bearer wrong' })).toBe(401)
    expect([200, 202, 404]).toContain(await statusOf({ authorization: 'Bearer right' }))
  })
})

it('the paths are in the OpenAPI document of the gateway', async () => {
  const { askJson } = gatewayOf({ feed: erasable('feed') })
  const { body } = await askJson('GET', '/_openapi.json')
  expect(Object.keys(body.paths!)).toEqual(['/feed/thing', '/person', '/operation'])
  expect(Object.keys(body.paths!['/person']!)).toEqual(['delete', 'get', 'post'])
  expect(body.paths!['/person']).toMatchObject({ delete: { security: [{ bearer: ['*:manage'] }, { basic: [] }] } })
})
