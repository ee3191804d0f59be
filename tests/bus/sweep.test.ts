// Tests of the sweep, which creates tasks for documents whose tasks were lost.
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sweepDocuments } from '#bus/callbacks'
import { documentsOf } from '#bus/schema'
import { formatTime } from '#core/http/time'
import { delivering } from './delivering.ts'
import { buses, busOn, target } from './support.ts'

const overdue = () => ({ next_at: new Date(Date.now() - 120_000) })

describe.each(buses())('a sweep on $dialect', (tested) => {
  const stuck = async () => {
    const { posted, set, collection } = await delivering(tested, target('/echo'), target('/echo'))
    await posted()
    await set(overdue())
    return collection.id
  }
  const takenUp = () => tested.queue.takeTasks().map(({ json }) => json.collection)

  it('continues after a collection that fails', async () => {
    const [broken, whole] = [await stuck(), await stuck()]
    await tested.bus.run(sql`ALTER TABLE ${documentsOf(tested.bus, broken)} DROP COLUMN holder`)
    await tested.bus.run(sql`ALTER TABLE ${documentsOf(tested.bus, broken)} RENAME COLUMN lease_until TO lost`)
    await tested.sweep()
    expect(takenUp()).toEqual([whole])
    await tested.bus.run(sql`DROP TABLE ${documentsOf(tested.bus, broken)}`)
    const another = await stuck()
    await tested.sweep()
    expect(takenUp()).toEqual([another])
  })

  it('skips documents whose task may still exist, and all of them if the queue does not answer', async () => {
    const id = await stuck()
    const before = Date.now() - 110_000
    tested.queue.oldestDue = formatTime(new Date(before))
    for (let sweeps = 0; sweeps < 3; sweeps++) await tested.sweep()
    expect(takenUp()).toEqual([])
    tested.queue.oldestDue = null
    tested.queue.isDown = true
    await tested.sweep()
    tested.queue.isDown = false
    expect(takenUp()).toEqual([])
    await tested.sweep()
    expect(takenUp()).toEqual([id])
  })

  it('queues documents that were due long before the oldest task', async () => {
    const id = await stuck()
    tested.queue.oldestDue = formatTime(new Date())
    await tested.sweep()
    tested.queue.oldestDue = null
    expect(takenUp()).toEqual([id])
  })

  it('continues where the previous one stopped', async () => {
    const ids = [await stuck(), await stuck(), await stuck()]
    const found: number[] = []
    const sweep = async () => {
      await sweepDocuments(tested.env, { collections: 2, tasks: 500 })
      const taken = takenUp()
      expect(taken.length).toBeLessThanOrEqual(2)
      found.push(...taken)
    }
    for (let sweeps = 0; found.length < ids.length && sweeps < 10; sweeps++) await sweep()
    expect(found.toSorted((a, b) => a - b)).toEqual(ids)
  })

  it('creates no more tasks than its limit, and starts again at the end', async () => {
    const ids = [await stuck(), await stuck()]
    const found: number[] = []
    for (let sweeps = 0; found.length < ids.length && sweeps < 10; sweeps++) {
      await sweepDocuments(tested.env, { collections: 300, tasks: 1 })
      const taken = takenUp()
      expect(taken.length).toBeLessThanOrEqual(1)
      found.push(...taken)
    }
    expect(found.toSorted((a, b) => a - b)).toEqual(ids)
  })

  it('reads the other instances even if the queue is down', async () => {
    await stuck()
    let followed = 0
    const SYNCHRONISER = { getByName: () => ({ follow: async () => followed++ }) } as never
    const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1', SYNCHRONISER }
    const other = busOn({ ...tested.env, dialect: tested.dialect } as never, system)
    other.queue.isDown = true
    await other.sweep()
    expect(followed).toBe(1)
  })

  it('queues documents even if an instance cannot be read', async () => {
    const id = await stuck()
    const SYNCHRONISER = { getByName: () => ({ follow: () => Promise.reject(new Error('No object')) }) } as never
    const system = { BOX_IS_SYSTEM: 'true', BOX_INSTANCES: 'http://127.0.0.1:1', SYNCHRONISER }
    const other = busOn({ ...tested.env, dialect: tested.dialect } as never, system)
    await other.sweep()
    expect(other.queue.takeTasks().map(({ json }) => json.collection)).toContain(id)
  })
})
