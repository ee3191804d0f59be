// Tests of flow keys: due tasks of different keys take turns, and each key has a concurrency limit.
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Backlog } from '#queue/backlog'
import type { Lease } from '#queue/leases'
import { migrations } from '#queue/migrations'
import { ReadyQueue } from '#queue/ready-queue'
import { ask } from '../support/requests.ts'
import { runs } from '../support/tier.ts'
import { add, backlog, bound, fresh, onTables, place, put, putFraction, rowOf, show, until } from './support.ts'

const done = { status: 200, error: null } as const

/** Leases all tasks that may run at `now`, in one step. */
function takeAll(queue: ReadyQueue, now: number): Lease[] {
  queue.advance(now)
  const leases: Lease[] = []
  for (let lease = queue.leaseNext(now); lease; lease = queue.leaseNext(now)) leases.push(lease)
  queue.commit(now)
  return leases
}

const keysOf = (leases: Lease[]) => leases.map(({ key }) => key)

/** Inserts waiting tasks of a key, without `noteWaiting`: a queue that was created before may not find them. */
function fill(sql: SqlStorage, key: string | null, count: number, due_at = 0) {
  for (let n = 0; n < count; n++) put(sql, { key, due_at })
}

describe('due tasks of different keys', () => {
  it('take turns, also with tasks without a key, each key in order', () =>
    onTables((sql) => {
      fill(sql, 'a', 3)
      fill(sql, null, 2)
      fill(sql, 'b', 2)
      const leases = takeAll(new ReadyQueue(sql, 1), 1)
      const turns = [0, 3, 6].map((from) => new Set(keysOf(leases.slice(from, from + 3))))
      expect(turns).toEqual([new Set(['a', 'b', null]), new Set(['a', 'b', null]), new Set(['a'])])
      for (const key of ['a', 'b', null]) {
        const tasks = leases.filter((lease) => lease.key === key).map(({ task }) => task)
        expect(tasks).toEqual(tasks.toSorted((a, b) => a - b))
      }
    }))

  it('do not wait for ten thousand earlier tasks of another key', () =>
    onTables((sql) => {
      const queue = new ReadyQueue(sql, 1)
      sql.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO tasks (kind, state, due_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at, key)
        SELECT 'task', 'waiting', 2, 'POST', 'http://a.dev/', 0, 1, 0, 0, 0, 0, 'dead' FROM n`)
      const other = put(sql, { key: 'b', due_at: 3 })
      // One step reads at most 2 000 index entries, so several steps are needed to find the key after ten thousand.
      const steps = Array.from({ length: 10 }, (_, n) => {
        queue.advance(3 + n)
        return queue.leaseNext(3 + n)!
      })
      expect(steps.map(({ task }) => task)).toContain(other)
    }))

  it('take turns at once after a restart, even if one key has many tasks', () =>
    onTables((sql) => {
      fill(sql, 'dead', 5_000)
      const other = put(sql, { key: 'other', due_at: 1 })
      const queue = new ReadyQueue(sql, 2)
      queue.advance(2)
      expect([queue.leaseNext(2), queue.leaseNext(2)]).toContainEqual(expect.objectContaining({ task: other }))
    }))

  it('are found after a restart among more keys than one query reads', () =>
    onTables((sql) => {
      for (let n = 0; n < 3_000; n++) put(sql, { key: `key-${n}`, due_at: n % 2 ? 5 : 1_000 })
      const last = put(sql, { key: 'zzz', due_at: 6 })
      const queue = new ReadyQueue(sql, 10)
      const leases = [takeAll(queue, 10), takeAll(queue, 11)].flat()
      expect(leases).toHaveLength(1_501)
      expect(leases.map(({ task }) => task)).toContain(last)
      expect(queue.nextDue(12)).toBe(1_000)
    }))

  it('are leased as they become due', () =>
    onTables((sql) => {
      fill(sql, 'a', 1, 100)
      fill(sql, 'b', 1, 200)
      const queue = new ReadyQueue(sql, 1)
      expect(takeAll(queue, 99)).toEqual([])
      expect(queue.nextDue(99)).toBe(100)
      expect(keysOf(takeAll(queue, 100))).toEqual(['a'])
      expect(queue.nextDue(100)).toBe(200)
      expect(keysOf(takeAll(queue, 200))).toEqual(['b'])
    }))

  it('are leased after the clock was set back', () =>
    onTables((sql) => {
      const queue = new ReadyQueue(sql, 1_000)
      expect(takeAll(queue, 1_000)).toEqual([])
      fill(sql, 'a', 1, 900)
      expect(takeAll(queue, 500)).toEqual([])
      expect(keysOf(takeAll(queue, 901))).toEqual(['a'])
    }))
})

describe('a limit per key', () => {
  it('limits the concurrent tasks of a key, and does not block other tasks', () =>
    onTables((sql) => {
      fill(sql, 'a', 5)
      fill(sql, null, 3)
      fill(sql, 'b', 1)
      const queue = new ReadyQueue(sql, 1, { keyConcurrency: 2 })
      const leases = takeAll(queue, 1)
      expect(keysOf(leases).toSorted()).toEqual(['a', 'a', 'b', null, null, null])
      expect(queue.nextDue(1)).toBe(Number.POSITIVE_INFINITY)
      queue.settle(leases.find(({ key }) => key === 'a')!, done, 2)
      expect(keysOf(takeAll(queue, 2))).toEqual(['a'])
    }))

  it('counts the pieces of a fraction, and retries', () =>
    onTables((sql) => {
      putFraction(sql, 1, 5, 1, { key: 'a', retries: 1, retry_delay: 0 })
      const queue = new ReadyQueue(sql, 1, { keyConcurrency: 2 })
      const [first] = takeAll(queue, 1)
      expect(rowOf(sql, first!.task)).toMatchObject({ kind: 'piece', key: 'a' })
      expect(takeAll(queue, 2)).toEqual([])
      queue.settle(first!, { status: 500, error: null }, 3)
      expect(takeAll(queue, 3)).toHaveLength(1)
      expect(takeAll(queue, 4)).toEqual([])
    }))

  it('counts a request that was lost in a crash until its deadline, also after a second crash', () =>
    onTables((sql) => {
      put(sql, { key: 'a', timeout: 1_000 })
      fill(sql, 'a', 2)
      const [lost] = takeAll(new ReadyQueue(sql, 1, { keyConcurrency: 1 }), 5)
      for (const restarted of [100, 200]) {
        const queue = new ReadyQueue(sql, restarted, { keyConcurrency: 1 })
        expect(rowOf(sql, lost!.task)).toMatchObject({ state: 'lost' })
        expect(takeAll(queue, restarted)).toEqual([])
        expect(queue.nextDue(restarted)).toBe(1_005)
      }
      const queue = new ReadyQueue(sql, 300, { keyConcurrency: 1 })
      expect(takeAll(queue, 1_004)).toEqual([])
      expect(takeAll(queue, 1_005)).toHaveLength(1)
      expect(sql.exec('SELECT until FROM holds WHERE until > 1005').toArray()).toEqual([])
    }))

  it('counts a request with a lost outcome until its deadline', () =>
    onTables((sql) => {
      put(sql, { key: 'a', timeout: 1_000 })
      fill(sql, 'a', 1)
      const queue = new ReadyQueue(sql, 1, { keyConcurrency: 1 })
      const [lost] = takeAll(queue, 5)
      queue.settle(lost!, { status: null, error: 'lost' }, 10)
      expect(takeAll(queue, 1_004)).toEqual([])
      expect(takeAll(queue, 1_005)).toHaveLength(1)
    }))

  it('holds after any events, and every task is leased once', () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant('put' as const), key: fc.constantFrom('a', 'b', 'c', null), in: fc.nat(30) }),
      fc.record({ does: fc.constant('take' as const) }),
      fc.record({ does: fc.constant('end' as const), which: fc.nat(20) }),
      fc.record({ does: fc.constantFrom('look' as const, 'restart' as const) }),
      fc.record({ does: fc.constant('wait' as const), ms: fc.nat(20) }),
    )
    return onTables((sql) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 3 }), (steps, limit) => {
          sql.exec('DELETE FROM tasks; DELETE FROM journal; DELETE FROM holds; DELETE FROM key_states')
          let now = 100
          let queue = new ReadyQueue(sql, now, { keyConcurrency: limit })
          let open: Lease[] = []
          const taken: number[] = []
          let added = 0
          const take = () => {
            queue.advance(now)
            const lease = queue.leaseNext(now)
            queue.commit(now)
            if (!lease) return false
            open.push(lease)
            taken.push(lease.task)
            const same = open.filter(({ key }) => key !== null && key === lease.key)
            expect(same.length).toBeLessThanOrEqual(limit)
            return true
          }
          const end = (which: number) => {
            const [lease] = open.splice(which % open.length, 1)
            if (lease) queue.settle(lease, done, now)
            queue.commit(now)
          }
          for (const step of steps) {
            now++
            if (step.does === 'put') {
              const due_at = now - 15 + step.in
              queue.noteWaiting({
                key: step.key,
                priority: null,
                due_at,
                id: put(sql, { key: step.key, due_at, timeout: 5 }),
              })
              added++
            }
            if (step.does === 'take') take()
            if (step.does === 'end') end(step.which)
            if (step.does === 'wait') now += step.ms
            if (step.does === 'look') queue.flush()
            if (step.does === 'restart') {
              open = []
              queue = new ReadyQueue(sql, now, { keyConcurrency: limit })
            }
          }
          for (let n = 0; n < 500 && taken.length < added; n++) {
            now += 10
            take()
            end(0)
          }
          expect(taken.toSorted((a, b) => a - b)).toEqual([...new Set(taken)].toSorted((a, b) => a - b))
          expect(taken).toHaveLength(added)
        }),
        { numRuns: runs(500) },
      )
    })
  }, 300_000)
})

describe('a task with a key', () => {
  it('returns it, as do lists, fractions and tasks of a schedule', async () => {
    const worker = fresh()
    const { url } = place()
    const id = await add({ worker, url, key: 'tenant-1', delay: 1_000 })
    const plain = await add({ worker, url, delay: 2_000 })
    const fraction = await add({ worker, url, key: 'tenant-2', min: 1, max: 2, gap: 1, delay: 1_500 })
    expect(await show(id)).toMatchObject({ key: 'tenant-1' })
    expect(await show(fraction)).toMatchObject({ key: 'tenant-2' })
    expect(await show(plain)).toMatchObject({ key: null })
    const { json } = await ask('GET', '/tasks', { worker, state: 'waiting' })
    const { tasks } = json.content as unknown as { tasks: { id: string; key: string | null }[] }
    expect(tasks.map(({ id, key }) => [id, key])).toEqual([
      [id, 'tenant-1'],
      [fraction, 'tenant-2'],
      [plain, null],
    ])
    await ask('POST', '/task', { worker, url, key: 'k', schedule: 'often', cron: '* * * * * *' })
    const scheduled = async () => {
      const { json } = await ask('GET', '/tasks', { worker, schedule: 'often' })
      return (json.content as unknown as { tasks: { key: string }[] }).tasks
    }
    await expect.poll(async () => (await scheduled())[0]?.key).toBe('k')
  })

  it.each(['', 'k'.repeat(256), 7])('refuses the key %j', async (key) => {
    const reply = await ask('POST', '/task', { worker: 'default', url: 'http://127.0.0.1:1/', key })
    expect(reply).toMatchObject({ status: 400, json: { errors: { key: expect.any(String) } } })
  })

  it('does not delay tasks of other keys while its key is at its limit', async () => {
    const worker = fresh('keyed')
    const dead = place({ hold: 1 })
    const alive = place()
    const ids = await Promise.all(Array.from({ length: 40 }, () => add({ worker, url: dead.url, key: 'dead' })))
    await dead.arrived(2)
    for (const key of ['a', 'b', undefined]) await until(await add({ worker, url: alive.url, key }), 'done')
    expect((await dead.visits()).visits).toHaveLength(2)
    await dead.release()
    for (const id of ids) await until(id, 'done')
    expect((await dead.visits()).most).toBe(2)
  })

  it('keeps its slot through a crash until the deadline of its request', async () => {
    const worker = fresh('keyed')
    const held = place({ hold: 1 })
    const next = place()
    const lost = await Promise.all([1, 2].map(() => add({ worker, url: held.url, key: 'a', timeout: 4 })))
    await held.arrived(2)
    const waiting = await add({ worker, url: next.url, key: 'a' })
    const other = await add({ worker, url: next.url, key: 'b' })
    await until(other, 'done')
    await abortAllDurableObjects()
    const { started_at } = await until(waiting, 'done')
    for (const id of lost) {
      const deadline = await runInDurableObject(backlog(worker), (_: Backlog, { storage: { sql } }) => {
        const row = rowOf(sql, Number(id.split('-').at(-1)))!
        return row.started_at! + row.timeout
      })
      const began = await runInDurableObject(
        backlog(worker),
        (_: Backlog, { storage: { sql } }) => rowOf(sql, Number(waiting.split('-').at(-1)))!.started_at!,
      )
      expect(began).toBeGreaterThanOrEqual(deadline)
    }
    expect(started_at).not.toBeNull()
  })
})

it('keeps the tasks that an earlier version stored', () =>
  runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
    for (const step of migrations.slice(0, 5)) sql.exec(step)
    const columns = 'kind, state, due_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at'
    sql.exec(`INSERT INTO tasks (${columns}) VALUES ('task', 'waiting', 1, 'POST', 'http://a.dev/', 0, 1, 0, 0, 0, 0)`)
    for (const step of migrations.slice(5)) sql.exec(step)
    expect(takeAll(new ReadyQueue(sql, 5), 5)).toMatchObject([{ key: null, url: 'http://a.dev/' }])
  }))
