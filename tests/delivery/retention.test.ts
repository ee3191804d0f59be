import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sweepEnded } from '#delivery/sweep'
import { databases } from '../support/databases.ts'
import { deliver, deliveries, deliveryOn, errorReply, start } from './support.ts'

const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day)

describe.each(deliveries({ DELIVERY_RETENTION: '864000' }))('DELIVERY_RETENTION on $dialect', (tested) => {
  const { send, store, env } = tested
  const { db, deliveries: table } = store
  const age = (id: number, days: number) => db.update(table).set({ heard_at: daysAgo(days) }).where(eq(table.id, id)) // biome-ignore format: one line
  const statusOf = async (id: number) => (await send('GET', '/delivery', { id })).status

  it('deletes deliveries that ended earlier, with their ledgers', async () => {
    const [old, young] = [await deliver(tested), await deliver(tested)]
    const ledger = await tested.ledgerOf(old.id)
    await age(old.id, 11)
    await age(young.id, 9)
    await sweepEnded(env)
    expect([await statusOf(old.id), await statusOf(young.id)]).toEqual([404, 200])
    expect(await env.LEDGER.getByName(ledger).wake()).toBe(false)
  })

  it('deletes canceled deliveries, and none that has not ended', async () => {
    const [canceled, started] = [await start(tested), await start(tested)]
    await send('POST', '/delivery/cancel', { id: canceled.id })
    for (const { id } of [canceled, started]) await age(id, 100)
    await Promise.all([sweepEnded(env), sweepEnded(env)])
    expect([await statusOf(canceled.id), await statusOf(started.id)]).toEqual([404, 200])
  })

  it('keeps deliveries that can still be retried, and all if it is not set', async () => {
    const { id } = await deliver(tested)
    await age(id, 20)
    await sweepEnded({ ...env, DELIVERY_RETRY_DAYS: '30' })
    await sweepEnded({ ...env, DELIVERY_RETENTION: '' })
    expect(await statusOf(id)).toBe(200)
    await sweepEnded({ ...env, DELIVERY_RETRY_DAYS: '0' })
    expect(await statusOf(id)).toBe(404)
  })
})

it('rejects all requests if DELIVERY_RETENTION is invalid', async () => {
  for (const DELIVERY_RETENTION of ['0', '7d', '-1', '99999999999']) {
    const refused = await deliveryOn(databases[0]!, { DELIVERY_RETENTION }).send('GET', '/deliveries')
    expect(refused).toMatchObject(errorReply(503, 'not_configured'))
    expect(refused.json.message).toContain('DELIVERY_RETENTION')
  }
})
