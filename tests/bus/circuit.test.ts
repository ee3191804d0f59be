// Tests of the circuit breakers: a handler or webhook that is down gets one probe at a time, and other documents wait.
import { env as bindings } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type Circuit, deleteIdleCircuits } from '#bus/circuit'
import { documentsOf } from '#bus/schema'
import { nowhere, place } from './place.ts'
import { buses, createCollectionAndUser, type Task, type TestedBus, target } from './support.ts'

const minute = 60_000

describe.each(buses())('old circuits on $dialect', ({ bus }) => {
  it.runIf(bus.dialect === 'd1')('are deleted by an index', async () => {
    const { sql: query, params } = deleteIdleCircuits(bus, new Date()).toSQL()
    const { results } = await (bindings as unknown as { DB: D1Database }).DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
      .bind(...params)
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail)).toEqual([expect.stringContaining('bus_circuits_probe_at')])
  })
})

/** Creates an async collection with this handler. Returns functions that send documents, deliver them and read the circuits. */
async function posting(tested: TestedBus, handler: string) {
  const { bus, queue, callBack } = tested
  const { collection, client } = await createCollectionAndUser(tested, 'async', { handler })
  const read = async (id: number) => {
    const { document } = await tested.content('GET', '/document', { collection: collection.name, id })
    return document as unknown as Record<string, unknown>
  }
  const circuits = async () => {
    const rows = await bus.db.select().from(bus.circuits)
    return rows.filter((row) => row.collection === collection.id)
  }
  return {
    collection,
    client,
    read,
    circuits,
    /** Sends `count` documents, and returns the tasks that the bus created for them. */
    tasksFor: async (count: number, webhook = target('/echo')): Promise<Task[]> => {
      for (let n = 0; n < count; n++) {
        const sent = { collection: collection.name, event: 'ask', uuid: crypto.randomUUID(), data: n, webhook }
        await tested.send('POST', '/document', sent, client.secret)
      }
      return queue.takeTasks()
    },
    /** Delivers the document of each task, one after another, and returns the tasks that the bus created for further attempts. */
    deliver: async (tasks: Task[]) => {
      for (const task of tasks) await callBack(task)
      return queue.takeTasks()
    },
    /** Makes all documents due now, and sets columns of the circuits. By default a probe is due now: the time of the wait is skipped. */
    wait: async (columns: Partial<Circuit & { probing_until: Date | null }> = { probe_at: new Date() }) => {
      await bus.db.update(documentsOf(bus, collection.id)).set({ next_at: new Date() })
      await bus.db.update(bus.circuits).set(columns)
    },
  }
}

describe.each(buses())('a circuit on $dialect', (tested) => {
  const { queue, callBack } = tested

  it('opens after repeated failures: other documents are deferred without a call', async () => {
    const handler = place({ statuses: '503' })
    const { tasksFor, deliver, read, circuits } = await posting(tested, handler.url)
    const later = await deliver(await tasksFor(10))
    expect(await handler.visits()).toHaveLength(3)
    expect(later).toHaveLength(10)
    for (const { delay } of later.slice(3)) expect(delay).toBeGreaterThan(5)
    expect(await circuits()).toMatchObject([{ origin: '', failures: 3 }])
    expect(await read(10)).toMatchObject({ state: 'waiting', attempts: 0, response: null })
  })

  it('probes the handler with one call at a time, and closes after a success', async () => {
    const handler = place({ statuses: '503,503,503,200', hold: '1' })
    const { tasksFor, deliver, wait, read, circuits } = await posting(tested, handler.url)
    const tasks = await tasksFor(6)
    for (const task of tasks.slice(0, 3)) {
      const called = callBack(task)
      await handler.arrived(tasks.indexOf(task) + 1)
      await handler.release(1)
      await called
    }
    await wait()
    const probe = callBack(tasks[3]!)
    await handler.arrived(4)
    await deliver(tasks.slice(4))
    expect(await handler.visits()).toHaveLength(4)
    await handler.release(1)
    await probe
    expect(await circuits()).toEqual([])
    await wait()
    const last = callBack(tasks[5]!)
    await handler.arrived(5)
    await handler.release(1)
    await last
    expect(await read(6)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it('is shown with its collection', async () => {
    const { tasksFor, deliver, wait, collection } = await posting(tested, nowhere)
    const shown = async () => (await tested.content('GET', '/collection', { id: collection.id })).collection
    expect(await shown()).toMatchObject({ circuit: 'closed', circuits: [] })
    await deliver(await tasksFor(4))
    const circuit = { destination: 'handler', failures: 3, opened_at: expect.any(String), probe_at: expect.any(String) }
    expect(await shown()).toMatchObject({ circuit: 'open', circuits: [{ ...circuit, state: 'open' }] })
    await wait({ probe_at: new Date(Date.now() - 1_000) })
    const { collections } = await tested.content('GET', '/collections', { limit: 1000 })
    expect(collections).toContainEqual(expect.objectContaining({ id: collection.id, circuit: 'half_open' }))
  })

  it('stays closed after statuses that concern one document', async () => {
    const handler = place({ statuses: '500' })
    const { tasksFor, deliver, circuits } = await posting(tested, handler.url)
    await deliver(await tasksFor(6))
    expect(await handler.visits()).toHaveLength(6)
    expect(await circuits()).toEqual([])
  })

  it('is separate for each webhook origin', async () => {
    const alive = place()
    const { tasksFor, deliver, read, circuits } = await posting(tested, target('/echo'))
    await deliver(await tasksFor(6, nowhere))
    expect(await circuits()).toMatchObject([{ origin: new URL(nowhere).origin, failures: 3 }])
    expect(await read(6)).toMatchObject({ state: 'waiting', attempts: 1, webhook_attempts: 0, webhook_status: null })
    await deliver(await tasksFor(1, alive.url))
    expect(await read(7)).toMatchObject({ state: 'delivered' })
  })

  it('of one collection does not affect others', async () => {
    const [dead, alive] = [await posting(tested, nowhere), await posting(tested, target('/echo'))]
    await dead.deliver(await dead.tasksFor(5))
    await alive.deliver(await alive.tasksFor(1))
    expect(await alive.read(1)).toMatchObject({ state: 'delivered' })
  })

  it('lets at most a quarter of the daemons probe dead handlers', async () => {
    const handler = place({ hold: '1' })
    const tasks: Task[] = []
    for (let n = 0; n < 12; n++) {
      const { tasksFor, collection } = await posting(tested, handler.url)
      const now = new Date()
      const failing = { collection: collection.id, origin: '', failures: 3, opened_at: now, probe_at: now }
      tasks.push(...(await tasksFor(1)))
      await tested.bus.db.insert(tested.bus.circuits).values(failing)
    }
    const calls: Promise<unknown>[] = []
    for (const [n, task] of tasks.entries()) {
      const called = callBack(task)
      calls.push(called)
      await (n < 8 ? handler.arrived(n + 1) : called)
    }
    expect(await handler.visits()).toHaveLength(8)
    expect(queue.takeTasks()).toHaveLength(4)
    await handler.release()
    await Promise.all(calls)
  })

  it('pauses the whole collection for a Retry-After', async () => {
    const handler = place({ statuses: '429', retry_after: '120' })
    const { tasksFor, deliver } = await posting(tested, handler.url)
    const later = await deliver(await tasksFor(3))
    expect(await handler.visits()).toHaveLength(1)
    for (const { delay } of later) expect(delay).toBeGreaterThan(110)
  })

  it('is closed by a change of the handler, and by a deletion', async () => {
    const { tasksFor, deliver, circuits, collection } = await posting(tested, nowhere)
    await deliver(await tasksFor(3))
    await tested.send('PATCH', '/collection', { id: collection.id, description: 'the same handler' })
    expect(await circuits()).toHaveLength(1)
    await tested.send('PATCH', '/collection', { id: collection.id, handler: nowhere })
    expect(await circuits()).toEqual([])
    await deliver(await tasksFor(3))
    expect(await circuits()).toHaveLength(1)
    await tested.send('DELETE', '/collection', { id: collection.id, force: true })
    expect(await circuits()).toEqual([])
  })

  it('is probed at once after a replay', async () => {
    const handler = place({ statuses: '503,503,503,200' })
    const { tasksFor, deliver, read, collection } = await posting(tested, handler.url)
    await deliver(await tasksFor(4))
    await tested.send('POST', '/document/replay', { collection: collection.name, id: 4 })
    await deliver(queue.takeTasks())
    expect(await read(4)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it('fails documents that it has deferred for longer than the schedule', async () => {
    const { tasksFor, deliver, wait, read, collection } = await posting(tested, nowhere)
    const tasks = await tasksFor(4)
    await deliver(tasks)
    const long = new Date(Date.now() - 76 * 60 * minute)
    await wait({ opened_at: long, probe_at: new Date(Date.now() + minute) })
    await deliver(tasks.slice(3))
    expect(await read(4)).toMatchObject({ state: 'waiting' })
    await tested.bus.db.update(documentsOf(tested.bus, collection.id)).set({ created_at: long })
    await wait({ probe_at: new Date(Date.now() + minute) })
    expect(await deliver(tasks.slice(3))).toEqual([])
    expect(await read(4)).toMatchObject({ state: 'failed', attempts: 0, next_at: null })
  })

  it('ends a probe of a crashed process when its lease expires', async () => {
    const { tasksFor, deliver, wait, read } = await posting(tested, target('/echo'))
    const [task] = await tasksFor(1)
    const collection = task!.json.collection
    const now = new Date()
    const failing = { collection, origin: '', failures: 3, opened_at: now, probe_at: now }
    await tested.bus.db.insert(tested.bus.circuits).values({ ...failing, probing_until: new Date(Date.now() + minute) })
    const [later] = await deliver([task!])
    expect(await read(1)).toMatchObject({ state: 'waiting', attempts: 0 })
    await wait({ probing_until: new Date(Date.now() - 1) })
    await deliver([later!])
    expect(await read(1)).toMatchObject({ state: 'delivered', attempts: 1 })
  })
})
