import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import type { Backlog } from '#queue/backlog'
import type { Env } from '#queue/bindings'
import { createCounts } from '#queue/counts'
import { addFlowKey } from '#queue/flow-scheduler'
import { createHolds } from '#queue/holds'
import { queue } from '#queue/index'
import { createJournal } from '#queue/journal'
import type { Lease } from '#queue/leases'
import { Line, type LineSettings } from '#queue/line'
import type { Posting } from '#queue/posting'
import { createRemovals } from '#queue/retention'
import { addExpiry, addRequestId, createTables, type Payload, type TaskRow } from '#queue/tables'
import { parseTaskId } from '#queue/task-id'
import { type Columns, insertRow } from '#queue/tasks'
import { ask } from '../support/requests.ts'
import type { Visits } from '../support/visits.ts'

export const bound = env as unknown as Env

/** The queue in another environment. */
export const under = (given: Partial<Env>) => (url: string, init?: RequestInit) =>
  queue.fetch(new Request(url, init), { ...bound, ...given }, createExecutionContext())

const used = { one: 0, two: 0, dozen: 0, keyed: 0 }

/** The name of a worker that nobody has used yet, with so many daemons. */
export const fresh = (daemons: keyof typeof used = 'one') => `${daemons}-${used[daemons]++}`

export const backlog = (worker: string) => bound.BACKLOG.getByName(worker)

const port = inject('targetPort')

/** An address of the target. */
export const target = (path: string) => `http://127.0.0.1:${port}${path}`

/** A place of the target that notes who comes. */
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
    /** The visits, as soon as there are so many. */
    arrived: async (count: number) => {
      await expect.poll(async () => (await visits()).visits.length, patience).toBeGreaterThanOrEqual(count)
      return (await visits()).visits
    },
    /** What each visit's JSON body has under `n`. */
    order: async () => (await visits()).visits.map(({ body }) => (JSON.parse(body) as { n: number }).n),
    release: async (count?: number) => {
      await (await fetch(target(`/release?key=${key}${count === undefined ? '' : `&count=${count}`}`))).text()
    },
  }
}

export const patience = { timeout: 60_000, interval: 20 }

export interface Shown {
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
  fraction: { next: number | null; pieces: { total: number; done: number; failed: number; lost: number } } | null
  unhappy_pieces: { min: number; max: number; state: string; attempts: number; status: number | null }[]
}

/** Puts a task in, or a fraction where it has a range; gives its id. */
export async function add(params: Record<string, unknown>): Promise<string> {
  const { status, json } = await ask('POST', 'gap' in params ? '/fraction' : '/task', params)
  expect([status, json]).toEqual([200, expect.objectContaining({ status: true })])
  const { task, fraction } = json.content as unknown as Record<'task' | 'fraction', { id: string } | undefined>
  return (task ?? fraction)!.id
}

export async function show(id: string): Promise<Shown> {
  const { json } = await ask('GET', '/task', { id })
  return (json.content as unknown as { task: Shown }).task
}

/** The task, as soon as it is in this state. */
export async function until(id: string, state: string): Promise<Shown> {
  await expect.poll(async () => (await show(id)).state, patience).toBe(state)
  return show(id)
}

/** The row of a task as it is stored. */
export function stored(id: string): Promise<TaskRow & Payload> {
  const { worker, number } = parseTaskId(id)!
  return runInDurableObject(backlog(worker), (_: Backlog, { storage }) =>
    storage.sql.exec<TaskRow & Payload>('SELECT * FROM tasks WHERE id = ?', number).one(),
  )
}

/** The tables of a backlog in an object that does nothing by itself. */
export const onTables = <Result>(use: (sql: SqlStorage) => Result | Promise<Result>): Promise<Result> =>
  runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage }) => {
    for (const step of [
      createTables,
      createJournal,
      addExpiry,
      addRequestId,
      addFlowKey,
      createHolds,
      createCounts,
      createRemovals,
    ])
      storage.sql.exec(step)
    return use(storage.sql)
  })

/** A request that waits since 0. */
export const posting: Posting = {
  ...{ due_at: 0, expires_at: null, method: 'POST', url: 'http://a.dev/', headers: null, json: null, body: null },
  ...{ sealed: null, is_sealed: 0, timeout: 30_000, sleep: 0, retries: 0, retry_delay: 1_000 },
  ...{ request_id: null, key: null },
}

/** A row in line. */
export const put = (sql: SqlStorage, columns: Partial<Columns> = {}): number =>
  insertRow(sql, { kind: 'task', ...posting, ...columns }, 0).id

/** A fraction in line. */
export const putFraction = (sql: SqlStorage, min: number, max: number, gap: number, columns: Partial<Columns> = {}) =>
  put(sql, { kind: 'fraction', min, max, gap, next: min, json: '{}', ...columns })

export const rowOf = (sql: SqlStorage, id: number) =>
  sql.exec<TaskRow & Payload>('SELECT * FROM tasks WHERE id = ?', id).toArray()[0]

/** What a lease is for: the number of its task, or the range of its piece. */
export const aimOf = ({ task, piece }: Lease) => (piece ? [piece.min, piece.max] : task)

const lines = new WeakMap<SqlStorage, Line>()

/** The line of these tables, as it was begun first. */
function lineOf(sql: SqlStorage, now: number, settings: LineSettings = {}): Line {
  const line = lines.get(sql) ?? new Line(sql, now, settings)
  lines.set(sql, line)
  return line
}

/** Takes the first that is due, with the table brought up to date at once. */
export function takeDue(sql: SqlStorage, now: number): Lease | undefined {
  const line = lineOf(sql, now)
  line.advance(now)
  const lease = line.take(now)
  line.commit(now)
  line.fold()
  return lease
}

/** When something is due next, of a line that has nothing to take now. */
export const nextDue = (sql: SqlStorage, now: number): number => lineOf(sql, now).nextDue(now)

/** Takes all that is due at `now`, and says of each lease what it is for. */
export function takeAll(sql: SqlStorage, now: number): (number | number[])[]
export function takeAll<Said>(sql: SqlStorage, now: number, say: (lease: Lease) => Said): Said[]
export function takeAll(sql: SqlStorage, now: number, say: (lease: Lease) => unknown = aimOf) {
  const taken = []
  for (let lease = takeDue(sql, now); lease; lease = takeDue(sql, now)) taken.push(say(lease))
  return taken
}
