// Tests that a delivery completes after crashes: of the component, the queue, a slice and the ledger.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NewDelivery } from '#delivery/contract'
import { defineDelivery } from '#delivery/definition'
import { definitionOf, findDelivery, hideDelivery, insertDelivery } from '#delivery/delivery-rows'
import { databases } from '../support/databases.ts'
import { deliveries, deliveryOn, deliveryParams, errorReply, show, start, type Tested } from './support.ts'

const smsOnly = { has_email: false, has_feed: false }
const minute = 60_000

/** Advances the clock, and makes the ledger do its background work as its alarm would. */
async function later({ env }: Tested, ledger: string, milliseconds: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  try {
    await env.LEDGER.getByName(ledger).wake()
  } finally {
    vi.useRealTimers()
  }
}

const fractions = ({ queue }: Tested, ledger: string) =>
  queue.tasks.filter(({ json, path }) => json.ledger === ledger && path === '/piece')

describe.each(deliveries())('on $dialect', (tested) => {
  const { queue, store, send, channels, env } = tested
  beforeEach(() => {
    Object.assign(queue, { isDown: false, isDeaf: false })
    channels.sms.sent = []
  })

  const put = async (heard: Date) => {
    const definition = defineDelivery(NewDelivery.decode(deliveryParams(smsOnly) as never))
    return insertDelivery(store, definition, crypto.randomUUID(), heard)
  }

  it('the sweep begins a delivery that was stored but not begun, once', async () => {
    const { id, ledger } = await put(new Date(Date.now() - 5 * minute))
    expect(await show(tested, id)).toMatchObject({ status: 'started', report: { pieces: { total: 0 } } })
    await Promise.all([tested.sweep(), tested.sweep()])
    await tested.sweep()
    expect(fractions(tested, ledger)).toHaveLength(1)
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 20 } } })
  })

  it('the sweep skips a delivery that was stored a moment ago', async () => {
    const { ledger } = await put(new Date())
    await tested.sweep()
    expect(fractions(tested, ledger)).toEqual([])
  })

  it('the sweep copies the status of a ledger that has not reported', async () => {
    const row = await put(new Date(Date.now() - 5 * minute))
    await env.LEDGER.getByName(row.ledger).begin(row.ledger, definitionOf(row), undefined)
    await tested.inLedger(row.ledger, (sql) => sql.exec(`UPDATE head SET status = 'canceled', revision = 99`))
    await store.db.update(store.deliveries).set({ heard_at: new Date(0) })
    await tested.sweep()
    expect(await findDelivery(store, row.id)).toMatchObject({ status: 'canceled', revision: 99 })
  })

  it('the sweep deletes a delivery whose deletion was interrupted, and it cannot be begun again', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    await hideDelivery(store, id, new Date(Date.now() - 5 * minute))
    expect((await send('GET', '/delivery', { id })).status).toBe(404)
    await tested.sweep()
    expect(await store.db.select().from(store.deliveries)).not.toContainEqual(expect.objectContaining({ id }))
    expect(await env.LEDGER.getByName(ledger).view()).toBeUndefined()
    const definition = defineDelivery(NewDelivery.decode(deliveryParams(smsOnly) as never))
    await expect(env.LEDGER.getByName(ledger).begin(ledger, definition, undefined)).rejects.toMatchObject({
      status: 404,
    })
  })

  it('the sweep cancels a delivery whose ledger is lost', async () => {
    const { id } = await start(tested, smsOnly)
    const { ledger, revision } = await findDelivery(store, id)
    expect(revision).toBeGreaterThan(0)
    await env.LEDGER.getByName(ledger).destroy()
    await store.db.update(store.deliveries).set({ heard_at: new Date(0) })
    await tested.sweep()
    expect(await findDelivery(store, id)).toMatchObject({ status: 'canceled' })
  })

  it('an older status of a ledger does not replace a newer one', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    await queue.run(tested, ledger)
    await tested.inLedger(ledger, (sql) => sql.exec(`UPDATE head SET status = 'started', revision = 1, copied = 0`))
    await env.LEDGER.getByName(ledger).wake()
    expect(await findDelivery(store, id)).toMatchObject({ status: 'finished', progress: 1 })
  })
})

const tested = deliveryOn(databases[0]!, { DELIVERY_DATA_TIMEOUT: '60' })
const { queue, send, channels, env } = tested
beforeEach(() => {
  Object.assign(queue, { isDown: false, isDeaf: false })
  channels.sms.sent = []
})

describe('a queue', () => {
  it('that accepts the fraction but loses its reply fails the start, and the fraction sends nothing', async () => {
    queue.isDeaf = true
    expect(await send('POST', '/delivery', deliveryParams(smsOnly))).toMatchObject(errorReply(502, 'queue_failed'))
    queue.isDeaf = false
    const orphan = queue.tasks.at(-1)!
    while (orphan.state === 'waiting') expect(await queue.perform(tested, orphan)).toBe(200)
    expect(channels.sms.sent).toEqual([])
  })

  it('gets a request again with the same idempotency key if its reply was lost', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    await send('POST', '/delivery/pause', { id })
    await expect.poll(() => queue.at('/piece', ledger)).toEqual([])
    queue.isDeaf = true
    await send('POST', '/delivery/resume', { id })
    await expect.poll(() => fractions(tested, ledger).length).toBe(2)
    queue.isDeaf = false
    await later(tested, ledger, 6_000)
    expect(fractions(tested, ledger)).toHaveLength(2)
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { recipients: 20, sms: { sent: 20 } } })
  })

  it('gets a fraction with a new idempotency key after repeated failures', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    await send('POST', '/delivery/pause', { id })
    await expect.poll(() => queue.at('/piece', ledger)).toEqual([])
    queue.isDown = true
    await send('POST', '/delivery/resume', { id })
    for (const wait of [6_000, 12_000, 18_000]) await later(tested, ledger, wait)
    queue.isDown = false
    await later(tested, ledger, 24_000)
    expect(fractions(tested, ledger)).toHaveLength(2)
    const numbers = await tested.inLedger(ledger, (sql) => sql.exec('SELECT fraction_number AS n FROM head').one().n)
    expect(numbers).toBeGreaterThan(2)
  })

  it('that is down when a page is fetched gets the slices later', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    const [fraction] = queue.at('/piece', ledger)
    await queue.perform(tested, fraction!)
    await env.LEDGER.getByName(ledger).wake()
    queue.isDown = true
    await queue.perform(tested, fraction!)
    const [slice] = queue.at('/slice', ledger)
    await queue.perform(tested, slice!)
    await env.LEDGER.getByName(ledger).wake()
    expect(queue.at('/slice', ledger)).toEqual([])
    queue.isDown = false
    await later(tested, ledger, 6_000)
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 20 } } })
  })

  it('that has lost the fraction and slices gets them again after two silent minutes', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    const [fraction] = queue.at('/piece', ledger)
    await queue.perform(tested, fraction!)
    await env.LEDGER.getByName(ledger).wake()
    for (const task of queue.waiting(ledger)) queue.forget(task)
    // The ledger checks its tasks only after some time without a call of the queue, so this first run creates nothing.
    await env.LEDGER.getByName(ledger).wake()
    expect(queue.waiting(ledger)).toEqual([])
    await later(tested, ledger, 2 * minute)
    expect(queue.waiting(ledger)).toMatchObject([{ range: { min: 6, max: 20 } }, { path: '/slice' }])
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 20 } } })
  })

  it('whose calls all fail, as after a change of the secret, gets all tasks again', async () => {
    const own = deliveryOn(databases[0]!)
    const { id } = await start(own, smsOnly)
    const ledger = await own.ledgerOf(id)
    await own.queue.perform(own, own.queue.at('/piece', ledger)[0]!)
    await own.env.LEDGER.getByName(ledger).wake()
    const before = own.queue.waiting(ledger)
    Object.assign(own.env, { DELIVERY_SECRET: 'another' })
    for (const task of before) expect(await own.queue.perform(own, task)).toBe(401)
    await own.env.LEDGER.getByName(ledger).wake()
    expect(own.queue.waiting(ledger)).toEqual(before)
    await later(own, ledger, 2 * minute)
    expect(before.map(({ state }) => state)).toEqual(['canceled', 'canceled'])
    expect(own.queue.waiting(ledger)).toMatchObject([{ range: { min: 6, max: 20 } }, { path: '/slice' }])
    await own.queue.run(own, ledger)
    expect(await show(own, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 20 } } })
    expect(own.channels.sms.sent).toHaveLength(20)
  })

  it('whose calls all fail gets one slice at a time until a call succeeds', async () => {
    const { id } = await start(tested, { ...smsOnly, max: 180, gap: 180 })
    const ledger = await tested.ledgerOf(id)
    await queue.perform(tested, queue.at('/piece', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    const unreachable = { ...tested, call: async () => ({ status: 503 }) } as never
    for (const wait of [2, 4, 6]) {
      for (const slice of queue.at('/slice', ledger)) await queue.perform(unreachable, slice)
      await later(tested, ledger, wait * minute)
      expect(queue.at('/slice', ledger)).toMatchObject([{ attempts: 0 }])
    }
    await queue.perform(tested, queue.at('/slice', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    expect(queue.at('/slice', ledger)).toHaveLength(3)
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 180 } } })
  })

  it('that is only slow gets no task again', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    await queue.perform(tested, queue.at('/piece', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    const before = queue.waiting(ledger).length
    for (const wait of [2, 4, 6]) await later(tested, ledger, wait * minute)
    expect(queue.waiting(ledger)).toHaveLength(before)
  })

  it('that calls for a slice twice, even concurrently, sends no message twice', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    const [fraction] = queue.at('/piece', ledger)
    while (fraction!.state === 'waiting') await queue.perform(tested, fraction!)
    await env.LEDGER.getByName(ledger).wake()
    const slices = queue.at('/slice', ledger)
    const twice = [...slices, ...slices, ...slices]
    expect(await Promise.all(twice.map((slice) => queue.perform(tested, slice)))).toEqual(twice.map(() => 200))
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 20 } } })
    expect(channels.sms.sent).toHaveLength(20)
  })
})

describe('a slice', () => {
  it('that crashes leaves its claimed messages unknown, and another slice sends the rest', async () => {
    const { id } = await start(tested, smsOnly)
    const ledger = await tested.ledgerOf(id)
    const [fraction] = queue.at('/piece', ledger)
    while (fraction!.state === 'waiting') await queue.perform(tested, fraction!)
    await env.LEDGER.getByName(ledger).wake()
    const [slice] = queue.at('/slice', ledger)
    const turn = { slice: slice!.json.slice!, settled: [], held: [], version: 0, limit: 4 }
    const { messages } = await env.LEDGER.getByName(ledger).claimNext(turn)
    await later(tested, ledger, 31_000)
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({
      status: 'finished',
      report: { sms: { sent: 16, unknown: 4, reasons: { interrupted: 4 } } },
    })
    // The slice had not crashed, it was only slow: it reports outcomes of messages that already count as unknown.
    const settled = messages.map(({ id, claim }) => ({ id, claim, state: 'sent' as const }))
    await env.LEDGER.getByName(ledger).claimNext({ ...turn, settled, limit: 0 })
    expect((await show(tested, id)).report.sms).toMatchObject({ sent: 16, unknown: 4 })
  })

  it('that takes long keeps its claims while it renews them', async () => {
    const { id } = await start(tested, { ...smsOnly, max: 5 })
    const ledger = await tested.ledgerOf(id)
    await queue.perform(tested, queue.at('/piece', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    const slice = queue.at('/slice', ledger)[0]!.json.slice!
    const stub = env.LEDGER.getByName(ledger)
    const { messages } = await stub.claimNext({ slice, settled: [], held: [], version: 0, limit: 5 })
    const held = messages.slice(0, 2)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 })
    await stub.claimNext({ slice, settled: [], held, version: 1, limit: 0 })
    vi.useRealTimers()
    await later(tested, ledger, 31_000)
    expect((await show(tested, id)).report.sms).toMatchObject({ sending: 2, unknown: 3 })
    await later(tested, ledger, 51_000)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sending: 0, unknown: 5 } } })
  })

  it('retries a call to a ledger that does not reply', async () => {
    const { id } = await start(tested, { ...smsOnly, max: 5 })
    const ledger = await tested.ledgerOf(id)
    const real = env.LEDGER
    let turns = 0
    const flaky = {
      getByName: (name: string) =>
        new Proxy(real.getByName(name), {
          get: (stub, verb) => {
            if (verb !== 'claimNext') return Reflect.get(stub, verb)
            return (turn: never) =>
              ++turns % 4 !== 0 ? Promise.reject(new Error('The object was reset')) : stub.claimNext(turn)
          },
        }),
    }
    const shaky = { ...tested, env: { ...env, LEDGER: flaky as never } }
    await queue.perform(tested, queue.at('/piece', ledger)[0]!)
    await env.LEDGER.getByName(ledger).wake()
    const { sendSlice } = await import('#delivery/slice')
    await sendSlice(shaky.env, { ledger, slice: queue.at('/slice', ledger)[0]!.json.slice! })
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 5 } } })
    expect(turns).toBeGreaterThan(2)
  })
})

describe('a ledger', () => {
  it('creates the next slice by its alarm', async () => {
    const { id } = await start(tested, { ...smsOnly, max: 5 })
    const ledger = await tested.ledgerOf(id)
    channels.sms.respond = () => {
      channels.sms.respond = undefined
      return Response.json({ status: false, status_code: 'sms_failed' }, { status: 502 })
    }
    await queue.run(tested, ledger)
    expect((await show(tested, id)).report.sms).toMatchObject({ queued: 1, sent: 4 })
    expect(queue.waiting(ledger)).toEqual([])
    await later(tested, ledger, 11_000)
    expect(queue.waiting(ledger)).toMatchObject([{ path: '/slice' }])
  })

  it('fetches no more pages while too many messages are queued', async () => {
    const { id } = await start(tested, { ...smsOnly, max: 200_000, gap: 10_000 })
    const ledger = await tested.ledgerOf(id)
    const [first] = queue.at('/piece', ledger)
    await queue.perform(tested, first!)
    await queue.perform(tested, first!)
    await expect.poll(() => first!.state).toBe('canceled')
    expect(await show(tested, id)).toMatchObject({ report: { recipients: 20_000, sms: { queued: 20_000 } } })
    await tested.inLedger(ledger, (sql) => {
      sql.exec(`UPDATE head SET counts = replace(counts, '20000', '4999')`)
    })
    await env.LEDGER.getByName(ledger).wake()
    expect(queue.at('/piece', ledger)).toMatchObject([{ range: { min: 20_001, max: 200_000, gap: 10_000 } }])
  })
})
