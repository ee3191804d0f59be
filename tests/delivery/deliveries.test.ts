// Tests the SQL on the table of deliveries: stored definitions, copies of the status, and indexes.
import { type SQLWrapper, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rowsOf } from '#core/db/open'
import {
  definitionOf,
  deleteDeliveryRow,
  deletedDeliveries,
  findDelivery,
  hideDelivery,
  insertDelivery,
  recordStatus,
  staleDeliveries,
} from '#delivery/delivery-rows'
import { countOf } from '#delivery/metrics'
import { definition } from './books.ts'
import { deliveries } from './support.ts'

const notHeld = { held_reason: null, next_attempt_at: null }

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000)

describe.each(deliveries())('deliveries on $dialect', ({ store }) => {
  const put = (heard: Date) => insertDelivery(store, definition, crypto.randomUUID(), heard)

  it('keep their definition unchanged', async () => {
    const full = {
      ...definition,
      ...{ filters: '{"b":1.0,"a":[]}', payload: '{"z":12345678901234567890}', feed_payload: '{}' },
      ...{ max_per_second: 0.5, min: -1e15, max: 1e15, gap: 2e9, feed_image: '{"kk":"\\u0000"}' },
    }
    const row = await insertDelivery(store, full, crypto.randomUUID(), at(0))
    expect(definitionOf(await findDelivery(store, row.id))).toEqual(full)
  })

  it('keep the status with the newest revision', async () => {
    const { id, ledger } = await put(at(0))
    const status = {
      status: 'started' as const,
      is_paused: true,
      ...notHeld,
      progress: 0.25,
      revision: 5,
      updated_at: at(1),
    }
    await recordStatus(store, ledger, status, at(2))
    await recordStatus(store, ledger, { ...status, revision: 4, progress: 0.1, is_paused: false }, at(3))
    expect(await findDelivery(store, id)).toMatchObject({ ...status, heard_at: at(2), name: 'All' })
    await recordStatus(store, ledger, { ...status, revision: 5, definition: { ...definition, name: 'New' } }, at(4))
    expect(await findDelivery(store, id)).toMatchObject({ revision: 5, heard_at: at(4), name: 'New' })
    await recordStatus(store, crypto.randomUUID(), status, at(5))
  })

  it('are stale if they have not ended and their ledger has not reported for a while', async () => {
    await store.db.delete(store.deliveries)
    const [old, older, fresh, over, hidden] = [
      await put(at(2)),
      await put(at(1)),
      await put(at(9)),
      await put(at(0)),
      await put(at(0)),
    ]
    const canceled = {
      status: 'canceled' as const,
      is_paused: false,
      ...notHeld,
      progress: 0,
      revision: 1,
      updated_at: at(0),
    }
    await recordStatus(store, over!.ledger, canceled, at(0))
    await hideDelivery(store, hidden!.id, at(0))
    const ids = async (limit: number) => (await staleDeliveries(store, at(5), limit)).map(({ id }) => id)
    expect(await ids(10)).toEqual([older!.id, old!.id])
    expect(await ids(1)).toEqual([older!.id])
    expect(await staleDeliveries(store, at(99), 10)).toContainEqual(expect.objectContaining({ id: fresh!.id }))
  })

  it('are not found after they are hidden, except by the sweep that deletes them', async () => {
    const { id, ledger } = await put(at(0))
    await hideDelivery(store, id, at(10))
    await expect(findDelivery(store, id)).rejects.toMatchObject({ code: 'delivery_not_found' })
    expect(await deletedDeliveries(store, at(10), 1_000)).not.toContainEqual({ id, ledger })
    expect(await deletedDeliveries(store, at(11), 1_000)).toContainEqual({ id, ledger })
    await deleteDeliveryRow(store, id)
    expect(await deletedDeliveries(store, at(11), 1_000)).not.toContainEqual({ id, ledger })
  })
})

describe.each(deliveries().filter(({ store }) => store.dialect === 'd1'))('deliveries on $dialect', ({ store }) => {
  const planOf = async (query: SQLWrapper) =>
    rowsOf<{ detail: string }>(await store.run(sql`EXPLAIN QUERY PLAN ${query.getSQL()}`)).map(({ detail }) => detail)

  it('of a status are found by an index', async () => {
    for (const query of [countOf(store, 'started'), staleDeliveries(store, at(5), 10)])
      expect(await planOf(query)).toContainEqual(
        expect.stringMatching(/^SEARCH delivery_deliveries USING INDEX delivery_deliveries_status/),
      )
  })
})
