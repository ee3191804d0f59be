// Property-based tests of a queue: random steps, crashes included, must not break the invariants of its tables.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf } from '#queue/counts'
import { countPieces } from '#queue/fractions'
import type { Lease } from '#queue/leases'
import { ReadyQueue } from '#queue/ready-queue'
import type { Payload, TaskRow } from '#queue/tables'
import { cancelTask, retryTask } from '#queue/task-actions'
import type { RequestOutcome } from '#queue/task-request'
import { runs } from '../support/tier.ts'
import { aimOf, onTables, put, putFraction } from './support.ts'

type Step =
  | { does: 'put'; retries: number; sealed: boolean; ago: number }
  | { does: 'split'; retries: number; min: number; items: number; gap: number }
  | { does: 'take' }
  | { does: 'end'; which: number; outcome: RequestOutcome }
  | { does: 'cancel' | 'retry'; which: number }
  | { does: 'crash' | 'look' }
  | { does: 'wait'; ms: number }

const outcome = fc.constantFrom<RequestOutcome>(
  { status: 200, error: null },
  { status: 204, error: null },
  { status: 500, error: null },
  { status: 503, error: null, retryAfterMs: 5_000 },
  { status: null, error: 'timeout' },
  { status: null, error: 'lost' },
)

const retries = fc.nat({ max: 2 })
const which = fc.nat({ max: 50 })
const is = <const Does extends Step['does']>(does: Does) => fc.constant(does)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: is('put'), retries, sealed: fc.boolean(), ago: fc.nat({ max: 20 }) }),
  fc.record({
    ...{ does: is('split'), retries, min: fc.integer({ min: -20, max: 20 }) },
    ...{ items: fc.integer({ min: 1, max: 6 }), gap: fc.integer({ min: 1, max: 4 }) },
  }),
  { weight: 4, arbitrary: fc.record({ does: is('take') }) },
  { weight: 4, arbitrary: fc.record({ does: is('end'), which, outcome }) },
  fc.record({ does: is('cancel'), which }),
  fc.record({ does: is('retry'), which }),
  fc.record({ does: is('crash') }),
  fc.record({ does: is('look') }),
  { weight: 2, arbitrary: fc.record({ does: is('wait'), ms: fc.nat({ max: 4_000 }) }) },
)

const states = ['waiting', 'running', 'done', 'failed', 'lost', 'canceled'] as const

/**
 * Runs random steps on the tables of a backlog as its durable object would. If `isEager`, checks the invariants after each step, which
 * also writes the journal to the table. Otherwise entries stay in the journal for many steps.
 */
class Life {
  readonly taken: unknown[] = []
  readonly #sql: SqlStorage
  readonly #isEager: boolean
  #queue: ReadyQueue
  #now = 1
  #leases: Lease[] = []

  constructor(sql: SqlStorage, isEager: boolean) {
    this.#sql = sql
    this.#isEager = isEager
    sql.exec(
      'DELETE FROM tasks; DELETE FROM journal; DELETE FROM counts; DELETE FROM holds; DELETE FROM sqlite_sequence',
    )
    this.#queue = new ReadyQueue(sql, this.#now)
  }

  rows() {
    this.#queue.flush()
    return this.#sql.exec<TaskRow & Payload>('SELECT * FROM tasks ORDER BY id').toArray()
  }

  run(step: Step) {
    this.#now += 1
    if (step.does === 'put') {
      const sealed = step.sealed ? new ArrayBuffer(1) : null
      const due_at = this.#now - step.ago
      const id = put(this.#sql, { ...this.#request(step), due_at, sealed, is_sealed: Number(step.sealed) })
      this.#queue.noteWaiting({ key: null, priority: null, due_at, id })
    }
    if (step.does === 'split') {
      const id = putFraction(this.#sql, step.min, step.min + step.items - 1, step.gap, this.#request(step))
      this.#queue.noteWaiting({ key: null, priority: null, due_at: this.#now, id })
    }
    if (step.does === 'wait') this.#now += step.ms
    if (step.does === 'take') this.#take()
    if (step.does === 'end') this.#end(step)
    if (step.does === 'cancel' || step.does === 'retry') this.#recall(step.does, step.which)
    if (step.does === 'look') this.check()
    if (step.does === 'crash') {
      this.#leases = []
      this.#queue = new ReadyQueue(this.#sql, this.#now)
    }
    if (this.#isEager) this.check()
  }

  // A retry delay of 0 has no jitter, so that two runs of the same steps have the same result.
  #request({ retries }: { retries: number }) {
    return { due_at: this.#now, retry_delay: 0, retries }
  }

  #take() {
    this.#queue.advance(this.#now)
    const lease = this.#queue.leaseNext(this.#now)
    this.#queue.commit(this.#now)
    if (!lease) return
    this.#leases.push(lease)
    this.taken.push([lease.parent, aimOf(lease), lease.attempt])
  }

  #end({ which, outcome }: { which: number; outcome: RequestOutcome }) {
    const [lease] = this.#leases.splice(which % this.#leases.length, 1)
    if (lease) this.#queue.settle(lease, outcome, this.#now)
    this.#queue.commit(this.#now)
  }

  /** Cancels or retries a task, and checks that the queue refuses with 409 exactly if the state of the task does not allow it. */
  #recall(does: 'cancel' | 'retry', which: number) {
    const named = this.rows().filter(({ kind }) => kind !== 'piece')
    const row = named[which % named.length]
    if (!row) return
    const isOver = row.ended_at !== null
    const isPossible =
      does === 'cancel' ? !isOver || row.state === 'canceled' : isOver && row.state !== 'done' && !row.is_sealed
    const verb = () => (does === 'cancel' ? cancelTask : retryTask)(this.#sql, row.id, this.#now)
    if (isPossible) verb()
    else expect(verb).toThrowError(expect.objectContaining({ status: 409 }))
  }

  /** Runs all remaining tasks with success. */
  drain() {
    this.#now += 1_000_000
    for (let n = 0; n < 10_000 && this.rows().some(({ ended_at }) => ended_at === null); n++) {
      this.run({ does: 'take' })
      this.run({ does: 'end', which: 0, outcome: { status: 200, error: null } })
      this.#now++
    }
  }

  /** Checks the invariants, which must hold between any two steps. */
  check() {
    const rows = this.rows()
    const running = rows.filter(({ kind, state }) => kind !== 'fraction' && state === 'running')
    for (const kind of ['task', 'fraction', 'piece'] as const)
      for (const state of kind === 'piece' ? (['waiting'] as const) : states)
        expect([kind, state, countOf(this.#sql, { kinds: [kind], states: [state] })]).toEqual([
          kind,
          state,
          rows.filter((row) => row.kind === kind && row.state === state).length,
        ])
    expect(running.map(({ id }) => id)).toEqual(this.#leases.map(({ task }) => task).sort((a, b) => a - b))
    for (const row of rows) {
      expect(row.ended_at !== null).toBe(['done', 'failed', 'lost', 'canceled'].includes(row.state))
      if (row.ended_at !== null) expect(row.sealed).toBeNull()
      expect(row.tries).toBeLessThanOrEqual(row.kind === 'fraction' ? 0 : row.retries + 1)
      if (row.kind === 'fraction')
        checkFraction(
          row,
          rows.filter(({ parent }) => parent === row.id),
        )
    }
  }
}

function checkFraction(row: TaskRow, pieces: TaskRow[]) {
  const range = { min: row.min!, max: row.max!, gap: row.gap! }
  const count = (...states: TaskRow['state'][]) => pieces.filter(({ state }) => states.includes(state)).length
  const taken = row.next === null ? countPieces(range) : (row.next - range.min) / range.gap
  expect(row.done + row.failed + row.lost + count('waiting', 'running')).toBe(taken)
  expect([row.failed, row.lost]).toEqual([count('failed'), count('lost')])
  expect(new Set(pieces.map(({ min }) => min)).size).toBe(pieces.length)
  if (row.state === 'waiting') expect(row.next).not.toBeNull()
  if (row.state === 'running')
    expect([row.next, count('waiting', 'running')]).toEqual([null, expect.toSatisfy((n) => n > 0)])
  if (row.state === 'done') expect([row.done, row.failed + row.lost]).toEqual([countPieces(range), 0])
  if (row.state === 'failed')
    expect([row.next, row.failed + row.lost > 0, count('waiting', 'running')]).toEqual([null, true, 0])
  if (row.state === 'canceled') expect(count('waiting')).toBe(0)
}

describe('a queue, after any events in any order', () => {
  const steps = fc.array(step, { maxLength: 60, size: 'max' })

  it(
    'knows its running tasks, counts every piece once, and ends all tasks',
    () =>
      onTables((sql) => {
        fc.assert(
          fc.property(steps, fc.boolean(), (steps, isEager) => {
            const life = new Life(sql, isEager)
            for (const step of steps) life.run(step)
            life.drain()
            life.check()
            expect(life.rows().filter(({ ended_at }) => ended_at === null)).toEqual([])
          }),
          { numRuns: runs(1_000) },
        )
      }),
    300_000,
  )

  it(
    'leases the same tasks in the same order, however long they are only in its journal',
    () =>
      onTables((sql) => {
        const liveThrough = (steps: Step[], isEager: boolean) => {
          const life = new Life(sql, isEager)
          for (const step of steps) life.run(step)
          life.drain()
          return { taken: life.taken, rows: life.rows() }
        }
        fc.assert(
          fc.property(steps, (steps) => {
            expect(liveThrough(steps, false)).toEqual(liveThrough(steps, true))
          }),
          { numRuns: runs(500) },
        )
      }),
    300_000,
  )
})
