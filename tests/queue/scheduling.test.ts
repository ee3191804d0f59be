// Tests of the limits of flow keys and workers: priority, order, rates, pauses and circuit breakers, on a virtual clock.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyStates, pausedKeys } from '#queue/key-states'
import type { Lease } from '#queue/leases'
import { type QueueLimits, ReadyQueue } from '#queue/ready-queue'
import { ReadyRings } from '#queue/ready-rings'
import { cancelTask } from '#queue/task-actions'
import type { RequestOutcome } from '#queue/task-request'
import { runs } from '../support/tier.ts'
import { onTables, put, rowOf } from './support.ts'

const done = { status: 200, error: null } as const
const failed = { status: 500, error: null } as const

/** Leases all tasks that may run at `now`, in one step. */
function takeAll(queue: ReadyQueue, now: number): Lease[] {
  queue.advance(now)
  const leases: Lease[] = []
  for (let lease = queue.leaseNext(now); lease; lease = queue.leaseNext(now)) leases.push(lease)
  queue.commit(now)
  return leases
}

/** Records the outcome of a request as one step. */
function settle(queue: ReadyQueue, lease: Lease, outcome: RequestOutcome, now: number) {
  queue.settle(lease, outcome, now)
  queue.commit(now)
}

const tasksOf = (leases: Lease[]) => leases.map(({ task }) => task)

describe('priority', () => {
  it('orders due tasks of different keys, and of no key', () =>
    onTables((sql) => {
      const low = put(sql, { priority: 0 })
      const plain = put(sql)
      const high = put(sql, { priority: 9, key: 'a' })
      const keyed = put(sql, { priority: 7, key: 'b', due_at: 1 })
      const same = put(sql, { key: 'a' })
      const leased = tasksOf(takeAll(new ReadyQueue(sql, 5), 5))
      expect(leased.slice(0, 2)).toEqual([high, keyed])
      expect(new Set(leased.slice(2, 4))).toEqual(new Set([plain, same]))
      expect(leased[4]).toBe(low)
    }))

  it('orders tasks that are added later, and after a restart', () =>
    onTables((sql) => {
      const queue = new ReadyQueue(sql, 1)
      const add = (columns: object) => {
        const id = put(sql, columns)
        queue.noteWaiting(rowOf(sql, id)!)
        return id
      }
      const [low, high] = [add({ priority: 1, due_at: 3 }), add({ priority: 8, due_at: 5 })]
      expect(queue.nextDue(1)).toBe(3)
      queue.advance(6)
      expect(queue.leaseNext(6)?.task).toBe(high)
      queue.commit(6)
      expect(tasksOf(takeAll(new ReadyQueue(sql, 7), 7))).toEqual([low])
    }))

  it('does not starve a lower one', () => {
    const rings = new ReadyRings<string>()
    for (const [item, priority] of [
      ['high', 9],
      ['middle', 5],
      ['low', 0],
    ] as const)
      rings.push(item, priority)
    const taken: Record<string, number> = { high: 0, middle: 0, low: 0 }
    for (let n = 0; n < 1_000; n++) {
      const { item, priority } = rings.shift()!
      rings.countStart(priority)
      rings.push(item, priority)
      taken[item]!++
    }
    expect(taken.high).toBeGreaterThan(850)
    expect(taken.middle).toBeGreaterThan(40)
    expect(taken.low).toBeGreaterThan(40)
  })
})

describe('a key with order', () => {
  const ordered: QueueLimits = { isOrdered: true, keyConcurrency: 1 }

  it('runs its tasks one after the other, and waits for retries', () =>
    onTables((sql) => {
      const first = put(sql, { key: 'a', retries: 3, retry_delay: 1_000 })
      const second = put(sql, { key: 'a', due_at: 1, priority: 9 })
      const other = put(sql, { key: 'b', due_at: 1 })
      let queue = new ReadyQueue(sql, 5, ordered)
      const [one, two] = takeAll(queue, 5)
      expect(new Set([one!.task, two!.task])).toEqual(new Set([first, other]))
      settle(queue, one!.task === first ? one! : two!, failed, 10)
      const due = rowOf(sql, first)!.due_at
      expect(takeAll(queue, due - 1)).toEqual([])
      expect(queue.nextDue(due - 1)).toBe(due)
      // The wait survives a restart, during which the other task of the key is lost.
      queue = new ReadyQueue(sql, due - 1, ordered)
      expect(takeAll(queue, due - 1)).toEqual([])
      const [again] = takeAll(queue, due)
      expect(again!.task).toBe(first)
      settle(queue, again!, done, due + 5)
      expect(tasksOf(takeAll(queue, due + 5))).toEqual([second])
    }))

  it('continues when the task that waits for its retry is canceled or expires', () =>
    onTables((sql) => {
      for (const end of ['cancel', 'expire'] as const) {
        const first = put(sql, {
          key: end,
          retries: 3,
          retry_delay: 50_000,
          ...(end === 'expire' && { expires_at: 100_000 }),
        })
        const second = put(sql, { key: end, due_at: 1 })
        const queue = new ReadyQueue(sql, 5, ordered)
        const [lease] = takeAll(queue, 5)
        expect(lease!.task).toBe(first)
        settle(queue, lease!, failed, 10)
        expect(takeAll(queue, 11)).toEqual([])
        queue.flush()
        if (end === 'cancel') cancelTask(sql, first, 12)
        else sql.exec('UPDATE tasks SET expires_at = 15 WHERE id = ?', first)
        expect(tasksOf(takeAll(queue, 20))).toEqual([second])
      }
    }))

  it('waits for the retry of a task that followed another retried one', () =>
    onTables((sql) => {
      const [first, second] = [0, 1].map((due_at) => put(sql, { key: 'a', due_at, retries: 3, retry_delay: 1_000 }))
      put(sql, { key: 'a', due_at: 2 })
      const queue = new ReadyQueue(sql, 5, ordered)
      settle(queue, takeAll(queue, 5)[0]!, failed, 10)
      // All daemons are busy then, so that the lease is in the journal only.
      queue.advance(50_000)
      const again = queue.leaseNext(50_000)
      queue.commit(50_000)
      expect(again!.task).toBe(first)
      // One step, as in the backlog: the next task starts in the transaction that records the end of the first.
      queue.settle(again!, done, 50_001)
      const [next] = takeAll(queue, 50_001)
      expect(next!.task).toBe(second)
      queue.settle(next!, failed, 50_002)
      expect(takeAll(queue, 50_002)).toEqual([])
    }))

  it('runs callbacks of tasks that were lost in a crash in their order', () =>
    onTables((sql) => {
      for (const key of ['a', 'b', 'c']) put(sql, { key, timeout: 1, on_failure: 'https://any/failed' })
      takeAll(new ReadyQueue(sql, 5, ordered), 5)
      const queue = new ReadyQueue(sql, 100, ordered)
      const [callback] = takeAll(queue, 100)
      expect(callback!.task).toBe(4)
    }))

  it('waits for a task that was lost in a crash and is retried', () =>
    onTables((sql) => {
      const first = put(sql, { key: 'a', retries: 1, retry_delay: 0, timeout: 1_000 })
      const second = put(sql, { key: 'a', due_at: 1 })
      takeAll(new ReadyQueue(sql, 5, ordered), 5)
      const queue = new ReadyQueue(sql, 100, ordered)
      expect(takeAll(queue, 1_004)).toEqual([])
      const [again] = takeAll(queue, 1_005)
      expect(again!.task).toBe(first)
      settle(queue, again!, failed, 1_010)
      expect(tasksOf(takeAll(queue, 1_010))).toEqual([second])
    }))

  it('starts its tasks in order, one at a time, whatever happens', () => {
    const step = fc.oneof(
      fc.record({
        does: fc.constant('put' as const),
        key: fc.constantFrom('a', 'b'),
        retries: fc.nat(2),
        priority: fc.constantFrom(null, 0, 9),
        in: fc.nat(20),
      }),
      { weight: 3, arbitrary: fc.record({ does: fc.constant('take' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ does: fc.constant('end' as const), which: fc.nat(9), isDone: fc.boolean() }),
      },
      fc.record({ does: fc.constant('cancel' as const), which: fc.nat(20) }),
      fc.record({ does: fc.constantFrom('look' as const, 'restart' as const) }),
      fc.record({ does: fc.constant('wait' as const), ms: fc.nat(30) }),
    )
    return onTables((sql) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
          sql.exec('DELETE FROM tasks; DELETE FROM journal; DELETE FROM holds; DELETE FROM key_states')
          let now = 100
          let queue = new ReadyQueue(sql, now, ordered)
          let open: Lease[] = []
          const ids: number[] = []
          const isOpen = (id: number) => {
            queue.flush()
            const row = rowOf(sql, id)!
            return row.state === 'waiting' || row.state === 'running' ? row : undefined
          }
          const take = () => {
            // The task of a key that has started and not ended, before the step.
            const started = ids.flatMap((id) => {
              const row = isOpen(id)
              return row && row.attempts > 0 ? [row] : []
            })
            queue.advance(now)
            const lease = queue.leaseNext(now)
            queue.commit(now)
            if (!lease) return
            for (const row of started) if (row.key === lease.key) expect(row.id).toBe(lease.task)
            open.push(lease)
          }
          const end = (which: number, outcome: RequestOutcome) => {
            const [lease] = open.splice(which % open.length, 1)
            if (lease) settle(queue, lease, outcome, now)
          }
          for (const step of steps) {
            now++
            if (step.does === 'put') {
              const { key, retries, priority } = step
              const id = put(sql, { key, retries, priority, retry_delay: 10, timeout: 5, due_at: now - 10 + step.in })
              ids.push(id)
              queue.noteWaiting(rowOf(sql, id)!)
            }
            if (step.does === 'take') take()
            if (step.does === 'end') end(step.which, step.isDone ? done : { status: 404, error: null })
            if (step.does === 'wait') now += step.ms
            if (step.does === 'look') queue.flush()
            if (step.does === 'cancel' && ids.length > 0) {
              const id = ids[step.which % ids.length]!
              if (isOpen(id)) cancelTask(sql, id, now)
            }
            if (step.does === 'restart') {
              open = []
              queue = new ReadyQueue(sql, now, ordered)
            }
          }
          for (let n = 0; n < 1_000 && ids.some((id) => isOpen(id)); n++) {
            now += 15
            take()
            end(0, done)
          }
          expect(ids.filter((id) => isOpen(id))).toEqual([])
        }),
        { numRuns: runs(300) },
      )
    })
  }, 300_000)
})

describe('a rate limit', () => {
  it('of a worker limits the starts in a period, also after a restart', () =>
    onTables((sql) => {
      const rate = { limit: 3, periodMs: 1_000 }
      for (let n = 0; n < 10; n++) put(sql, { key: n % 2 ? 'a' : null })
      let queue = new ReadyQueue(sql, 1, { rate })
      expect(takeAll(queue, 10)).toHaveLength(3)
      expect(takeAll(queue, 500)).toEqual([])
      expect(queue.nextDue(500)).toBe(1_010)
      queue = new ReadyQueue(sql, 600, { rate })
      expect(takeAll(queue, 1_009)).toEqual([])
      expect(takeAll(queue, 1_500)).toHaveLength(3)
      expect(queue.nextDue(1_600)).toBe(2_500)
    }))

  it('of each key limits only that key', () =>
    onTables((sql) => {
      const keyRate = { limit: 2, periodMs: 1_000 }
      for (let n = 0; n < 9; n++) put(sql, { key: ['a', 'b', null][n % 3]! })
      let queue = new ReadyQueue(sql, 1, { keyRate })
      expect(
        takeAll(queue, 10)
          .map(({ key }) => key)
          .toSorted(),
      ).toEqual(['a', 'a', 'b', 'b', null, null, null])
      expect(takeAll(queue, 1_009)).toEqual([])
      expect(queue.nextDue(1_009)).toBe(1_010)
      queue = new ReadyQueue(sql, 1_009, { keyRate })
      expect(takeAll(queue, 1_009)).toEqual([])
      expect(takeAll(queue, 1_010)).toHaveLength(2)
    }))
})

describe('a key whose target fails', () => {
  /** Lets the only daemon run the next task of the key `a`, and returns it. */
  const runOne = (queue: ReadyQueue, now: number, outcome: RequestOutcome) => {
    queue.advance(now)
    const lease = queue.leaseNext(now)
    queue.commit(now)
    if (lease) settle(queue, lease, outcome, now)
    return lease?.task
  }

  it.each([429, 503])('is paused by a %i with Retry-After until then; other keys are not', (status) =>
    onTables((sql) => {
      for (let n = 0; n < 3; n++) put(sql, { key: 'a' })
      let queue = new ReadyQueue(sql, 1)
      expect(runOne(queue, 10, { status, error: null, retryAfterMs: 5_000 })).toBeDefined()
      expect(runOne(queue, 5_009, done)).toBeUndefined()
      expect(queue.nextDue(20)).toBe(5_010)
      const other = put(sql, { key: 'b' })
      queue = new ReadyQueue(sql, 30)
      expect(runOne(queue, 5_009, done)).toBe(other)
      expect(pausedKeys(sql, 5_009, 10)).toMatchObject([{ key: 'a', until: 5_010 }])
      expect(runOne(queue, 5_010, done)).toBeDefined()
      expect(runOne(queue, 5_011, done)).toBeDefined()
    }),
  )

  it('opens its circuit after five failures, is probed by one task at a time, and closes it after a success', () =>
    onTables((sql) => {
      for (let n = 0; n < 12; n++) put(sql, { key: 'a' })
      let queue = new ReadyQueue(sql, 6)
      for (const _ of [1, 2, 3, 4, 5]) expect(runOne(queue, 10, failed)).toBeDefined()
      expect(runOne(queue, 9_000, done)).toBeUndefined()
      const { until } = pausedKeys(sql, 10, 10)[0]!
      expect(until).toBeGreaterThanOrEqual(10_010)
      expect(until).toBeLessThanOrEqual(12_010)
      queue = new ReadyQueue(sql, 20)
      expect(takeAll(queue, until - 1)).toEqual([])
      const [probe, ...others] = takeAll(queue, until)
      expect(others).toEqual([])
      settle(queue, probe!, { status: null, error: 'timeout' }, until + 1)
      expect(takeAll(queue, until + 29_000)).toEqual([])
      const probes = takeAll(queue, until + 40_000)
      expect(probes).toHaveLength(1)
      settle(queue, probes[0]!, done, until + 40_001)
      expect(takeAll(queue, until + 40_001)).toHaveLength(5)
      expect(sql.exec('SELECT * FROM key_states').toArray()).toEqual([])
    }))

  it('counts failures of concurrent requests once the circuit is open only as one', () =>
    onTables((sql) => {
      for (let n = 0; n < 40; n++) put(sql, { key: 'a' })
      const queue = new ReadyQueue(sql, 1)
      for (const lease of takeAll(queue, 5)) settle(queue, lease, failed, 10)
      expect(pausedKeys(sql, 10, 10)).toMatchObject([{ failures: 5 }])
    }))

  it('does not count responses that say nothing about the target', () =>
    onTables((sql) => {
      for (let n = 0; n < 20; n++) put(sql, { key: 'a' })
      const queue = new ReadyQueue(sql, 1)
      for (let n = 0; n < 20; n++) expect(runOne(queue, 5 + n, { status: 404, error: null })).toBeDefined()
      expect(sql.exec('SELECT * FROM key_states').toArray()).toEqual([])
    }))

  it('is forgotten when it has had no request for a week', () =>
    onTables(async (sql) => {
      const now = 1_800_000_000_000
      put(sql, { key: 'a' })
      const queue = new ReadyQueue(sql, now)
      runOne(queue, now, failed)
      const stored = () => sql.exec('SELECT * FROM key_states').toArray().length
      const states = new KeyStates(sql, now + 1)
      await states.cleanUp(now + 1, 0)
      expect(stored()).toBe(1)
      await states.cleanUp(now + 8 * 86_400_000, 0)
      expect(stored()).toBe(0)
    }))
})

describe('a key whose pause ends', () => {
  it('is found again when too many other keys are in memory', () =>
    onTables((sql) => {
      const paused = put(sql, { key: 'paused' })
      const range = 'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20500)'
      const columns = Object.keys(sql.exec('SELECT * FROM tasks').one()).filter((name) => name !== 'id')
      const values = columns.map((name) => ({ key: `'key' || n`, due_at: 'n' })[name] ?? name)
      const queue = new ReadyQueue(sql, 5)
      const [first] = takeAll(queue, 5)
      settle(queue, first!, { status: 429, error: null, retryAfterMs: 50_000 }, 10)
      const next = put(sql, { key: 'paused', due_at: 1 })
      queue.noteWaiting(rowOf(sql, next)!)
      expect(takeAll(queue, 11)).toEqual([])
      sql.exec(`${range} INSERT INTO tasks (${columns}) SELECT ${values} FROM tasks, n WHERE id = ${next}`)
      const lease = (count: number, now: number) => {
        queue.advance(now)
        const leases = Array.from({ length: count }).flatMap(() => queue.leaseNext(now) ?? [])
        queue.commit(now)
        return leases
      }
      for (let now = 40_000; now < 40_020; now++) lease(3, now)
      lease(3, 60_000)
      const found: number[] = []
      for (let n = 0; n < 30 && !found.includes(next); n++) {
        for (const one of lease(1_000, 60_001)) {
          found.push(one.task)
          queue.settle(one, done, 60_001)
        }
      }
      expect(found).toContain(next)
      expect(found).not.toContain(paused)
    }))
})

describe('ten thousand tasks of a dead key', () => {
  const fillDead = (sql: SqlStorage, due_at: number) =>
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO tasks (kind, state, due_at, method, url, is_sealed, timeout, sleep, retries, retry_delay, created_at, key)
       SELECT 'task', 'waiting', ?, 'POST', 'http://a.dev/', 0, 900000, 0, 9, 1000, 0, 'dead' FROM n`,
      due_at,
    )

  /** Leases for four daemons what may start at `now`, as a backlog does: in steps, until nothing more is due. */
  function start(queue: ReadyQueue, now: number, daemons: number): Lease[] {
    const leases: Lease[] = []
    do {
      queue.advance(now)
      for (let lease = queue.leaseNext(now); lease; lease = leases.length < daemons ? queue.leaseNext(now) : undefined)
        leases.push(lease)
      queue.commit(now)
    } while (leases.length < daemons && queue.nextDue(now) <= now)
    return leases
  }

  it.each([
    ['that are due', 1, { keyConcurrency: 2 }],
    ['that become due in the same millisecond', 1_000, { keyConcurrency: 2 }],
    ['with order', 1, { keyConcurrency: 1, isOrdered: true }],
    ['with a rate limit per key', 1, { keyConcurrency: 2, keyRate: { limit: 50, periodMs: 60_000 } }],
  ] as const)('%s delay no task of another key, also after a restart', (_, due_at, limits) =>
    onTables((sql) => {
      fillDead(sql, due_at)
      let queue = new ReadyQueue(sql, 1, limits)
      const delays: number[] = []
      const dead = start(queue, 1_000, 4).filter(({ key }) => key === 'dead')
      expect(dead.length).toBeGreaterThan(0)
      let running = dead.length
      for (let n = 0; n < 200; n++) {
        const now = 1_000 + n * 10
        if (n === 100) {
          // The requests to the dead target are lost, and hold their slots until their deadlines.
          queue = new ReadyQueue(sql, now, limits)
          running = 0
        }
        const id = put(sql, { key: `key-${n % 7}`, due_at: now })
        queue.noteWaiting(rowOf(sql, id)!)
        let at = now
        let lease: Lease | undefined
        for (; !lease && at < now + 1_000; at++) {
          const leases = start(queue, at, 4 - running)
          lease = leases.find(({ task }) => task === id)
          running += leases.filter(({ key }) => key === 'dead').length
        }
        delays.push(at - 1 - now)
        settle(queue, lease!, done, at)
      }
      delays.sort((one, other) => one - other)
      expect(delays[Math.floor(delays.length * 0.99)]).toBe(0)
      expect(delays.at(-1)).toBe(0)
    }),
  )

  it('let the worker try another key at once while its requests time out', () =>
    onTables((sql) => {
      fillDead(sql, 1)
      const queue = new ReadyQueue(sql, 1)
      // Without a limit per key, all daemons send to the dead target. Its failures open the circuit.
      const dead = start(queue, 1_000, 4)
      for (const lease of dead) settle(queue, lease, { status: null, error: 'timeout' }, 2_000)
      const [last] = start(queue, 2_000, 1)
      settle(queue, last!, { status: null, error: 'timeout' }, 3_000)
      const ids = Array.from({ length: 4 }, () => put(sql, { key: 'other', due_at: 3_000 }))
      for (const id of ids) queue.noteWaiting(rowOf(sql, id)!)
      expect(tasksOf(start(queue, 3_000, 4))).toEqual(ids)
    }))
})
