// Shared helpers of the queue's tests: workers, a target server, and the tables of a backlog without its durable object.
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import type { Backlog } from '#queue/backlog'
import type { Env } from '#queue/bindings'
import { queue } from '#queue/index'
import type { Lease } from '#queue/leases'
import { migrations } from '#queue/migrations'
import { type QueueLimits, ReadyQueue } from '#queue/ready-queue'
import type { Payload, TaskRow } from '#queue/tables'
import { parseTaskId } from '#queue/task-id'
import type { TaskRecord } from '#queue/task-record'
import { insertTask, type NewTaskRow } from '#queue/tasks'
import { ask } from '../support/requests.ts'
import type { Visits } from '../support/visits.ts'

export const bound = env as unknown as Env

/** Calls the queue with other variables or bindings than the tests' usual ones. */
export const under = (changes: Partial<Env>) => (url: string, init?: RequestInit) =>
  queue.fetch(new Request(url, init), { ...bound, ...changes }, createExecutionContext())

const workersUsed = { one: 0, two: 0, dozen: 0, keyed: 0 }

/** The name of an unused worker with the given number of daemons. */
export const fresh = (daemons: keyof typeof workersUsed = 'one') => `${daemons}-${workersUsed[daemons]++}`

export const backlog = (worker: string) => bound.BACKLOG.getByName(worker)

const port = inject('targetPort')

/** A URL of the target server. */
export const target = (path: string) => `http://127.0.0.1:${port}${path}`

/** A path of the target server that records its requests. */
export function place(behaviour: Record<string, string | number> = {}) {
  const key = crypto.randomUUID()
  const query = new URLSearchParams({
    key,
    ...Object.fromEntries(Object.entries(behaviour).map(([k, v]) => [k, `${v}`])),
  })
  const visits = async () => (await fetch(target(`/visits?key=${key}`))).json() as Promise<Visits>
  return {
    url: target(`/visit?${query}`),
    visits,
    /** Waits for `count` requests and returns them. */
    arrived: async (count: number) => {
      await expect.poll(async () => (await visits()).visits.length, pollOptions).toBeGreaterThanOrEqual(count)
      return (await visits()).visits
    },
    /** The value of `n` in the JSON body of each request. */
    order: async () => (await visits()).visits.map(({ body }) => (JSON.parse(body) as { n: number }).n),
    release: async (count?: number) => {
      await (await fetch(target(`/release?key=${key}${count === undefined ? '' : `&count=${count}`}`))).text()
    },
  }
}

export const pollOptions = { timeout: 60_000, interval: 20 }

export interface TaskView {
  id: string
  state: string
  method: string
  status: number | null
  error: string | null
  attempts: number
  url: string
  due_at: string
  expires_at: string | null
  created_at: string
  started_at: string | null
  ended_at: string | null
  schedule: string | null
  request_id: string | null
  key: string | null
  labels: string[]
  on_success: string | null
  on_failure: string | null
  fraction: { next: number | null; pieces: { total: number; done: number; failed: number; lost: number } } | null
  unhappy_pieces: { min: number; max: number; state: string; attempts: number; status: number | null }[]
}

/** Creates a task, or a fraction if the parameters have a range. Returns its id. */
export async function add(params: Record<string, unknown>): Promise<string> {
  const { status, json } = await ask('POST', 'gap' in params ? '/fraction' : '/task', params)
  expect([status, json]).toEqual([200, expect.objectContaining({ status: true })])
  const { task, fraction } = json.content as unknown as Record<'task' | 'fraction', { id: string } | undefined>
  return (task ?? fraction)!.id
}

export async function show(id: string): Promise<TaskView> {
  const { json } = await ask('GET', '/task', { id })
  return (json.content as unknown as { task: TaskView }).task
}

/** Waits until the task is in a state and returns it. */
export async function until(id: string, state: string): Promise<TaskView> {
  await expect.poll(async () => (await show(id)).state, pollOptions).toBe(state)
  return show(id)
}

/** The stored row of a task. */
export function stored(id: string): Promise<TaskRow & Payload> {
  const { worker, number } = parseTaskId(id)!
  return runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    storage.sql.exec<TaskRow & Payload>('SELECT * FROM tasks WHERE id = ?', number).one(),
  )
}

/** Runs a function on the tables of a backlog, in a durable object without alarms. */
export const onTables = <Result>(use: (sql: SqlStorage) => Result | Promise<Result>): Promise<Result> =>
  runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage }) => {
    for (const step of migrations) storage.sql.exec(step)
    return use(storage.sql)
  })

/** A task that is due since time 0. */
export const record: TaskRecord = {
  ...{ due_at: 0, expires_at: null, method: 'POST', url: 'http://a.dev/', headers: null, json: null, body: null },
  ...{ sealed: null, is_sealed: 0, timeout: 30_000, sleep: 0, retries: 0, retry_delay: 1_000 },
  ...{ request_id: null, key: null, priority: null, labels: null, on_success: null, on_failure: null },
}

/** Inserts a waiting task; returns its number. */
export const put = (sql: SqlStorage, columns: Partial<NewTaskRow> = {}): number =>
  insertTask(sql, { kind: 'task', ...record, ...columns }, 0).id

/** Inserts a waiting fraction; returns its number. */
export const putFraction = (
  sql: SqlStorage,
  min: number,
  max: number,
  gap: number,
  columns: Partial<NewTaskRow> = {},
) => put(sql, { kind: 'fraction', min, max, gap, next: min, json: '{}', ...columns })

export const rowOf = (sql: SqlStorage, id: number) =>
  sql.exec<TaskRow & Payload>('SELECT * FROM tasks WHERE id = ?', id).toArray()[0]

/** The number of the leased task, or the range of the leased piece: a short form of a lease for assertions. */
export const aimOf = ({ task, piece }: Lease) => (piece ? [piece.min, piece.max] : task)

const queues = new WeakMap<SqlStorage, ReadyQueue>()

/** The queue of these tables, created at its first use. */
function queueOf(sql: SqlStorage, now: number, settings: QueueLimits = {}): ReadyQueue {
  const ready = queues.get(sql) ?? new ReadyQueue(sql, now, settings)
  queues.set(sql, ready)
  return ready
}

/** Leases the first due task and writes the journal to the table. */
export function takeDue(sql: SqlStorage, now: number): Lease | undefined {
  const ready = queueOf(sql, now)
  ready.advance(now)
  const lease = ready.leaseNext(now)
  ready.commit(now)
  ready.flush()
  return lease
}

/** Time at which a queue that has no due task now has the next one, in milliseconds since 1970. */
export const nextDue = (sql: SqlStorage, now: number): number => queueOf(sql, now).nextDue(now)

/** Leases all tasks that are due at `now`, and maps each lease. */
export function takeAll(sql: SqlStorage, now: number): (number | number[])[]
export function takeAll<Mapped>(sql: SqlStorage, now: number, map: (lease: Lease) => Mapped): Mapped[]
export function takeAll(sql: SqlStorage, now: number, map: (lease: Lease) => unknown = aimOf) {
  const taken = []
  for (let lease = takeDue(sql, now); lease; lease = takeDue(sql, now)) taken.push(map(lease))
  return taken
}
