// The durable object `Operations`: erases persons in all components, one bounded step at a time, and continues after a crash.
import { DurableObject } from 'cloudflare:workers'
import { describe, log } from '#core/http/log'
import type { Manifest } from '#core/manifest'
import { migrate } from '#core/objects/migrate'
import type { ErasureReply, Person } from '#core/person/places'
import { manifests } from '#manifests'
import type { OperationStatus } from './contract.ts'
import { failure, missing } from './errors.ts'
import { serviceOf, servicesOf } from './services.ts'

/** Operations that may be running at a time. */
const maxRunning = 1_000

/** Calls of components in one event: the platform allows 32 invocations of other Workers, and 50 subrequests on Workers Free. */
export const maxCallsPerEvent = 30
const alarmBudgetMs = 20_000

const stepTimeoutMs = 120_000

/** Pause before the next step of a component that waits for requests which it is sending. */
const waitPauseMs = 2_000

/** Pauses after failed attempts: double from the first to the longest. */
const firstPauseMs = 2_000
const maxPauseMs = 300_000

/**
 * Maximum number of rounds over all components. Data of a component that is not erased yet may reach one that is done: a task may
 * call any component, and most components create tasks. So the rounds are repeated until one finds nothing.
 */
const maxRounds = 3

/** Operations that have ended are deleted after this time. */
const retentionMs = 30 * 86_400_000

const createTables = `
CREATE TABLE operations (
  id TEXT PRIMARY KEY,
  -- HMAC of the identifiers.
  subject TEXT NOT NULL,
  -- The identifiers as JSON; null when the operation has ended.
  person TEXT,
  created_at INTEGER NOT NULL,
  done_at INTEGER
) WITHOUT ROWID;
CREATE INDEX operations_done ON operations (done_at) WHERE done_at IS NOT NULL;
CREATE TABLE steps (
  operation TEXT NOT NULL,
  -- Components are erased in this order.
  place INTEGER NOT NULL,
  component TEXT NOT NULL,
  -- Null before the first step, and when the component is done.
  cursor TEXT,
  -- Numbers of erased rows, as JSON.
  erased TEXT NOT NULL DEFAULT '{}',
  failures INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (operation, place)
) WITHOUT ROWID;
CREATE INDEX steps_due ON steps (due_at) WHERE is_done = 0;
`

const addRounds = `
ALTER TABLE operations ADD COLUMN round INTEGER NOT NULL DEFAULT 1;
-- Number of rows that the current round has erased.
ALTER TABLE operations ADD COLUMN found INTEGER NOT NULL DEFAULT 0;
`

/** Condition: all earlier places of the operation are done. A place sends to later ones, so these must be erased after it. */
const isNext =
  'is_done = 0 AND place = (SELECT min(place) FROM steps AS open WHERE open.operation = steps.operation AND open.is_done = 0)'

type StepRow = {
  operation: string
  place: number
  component: string
  cursor: string | null
  erased: string
  failures: number
  is_done: number
}

/**
 * One object for all operations. The cursor of a component is stored after each of its steps, which are idempotent: after a crash
 * the interrupted step runs again. The identifiers are stored only until the operation has ended; then their HMAC remains.
 */
export class Operations extends DurableObject<object> {
  readonly #sql = this.ctx.storage.sql

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    migrate(ctx.storage, [createTables, addRounds])
  }

  /** Starts to erase a person in all components. Returns the id of the operation, and the HMAC of the identifiers. */
  async start(person: Person): Promise<{ id: string; subject: string }> {
    const subject = await this.subjectOf(person)
    const { running } = this.#sql
      .exec<{ running: number }>('SELECT count(*) AS running FROM operations WHERE done_at IS NULL')
      .one()
    if (running >= maxRunning) throw failure('operations_full', undefined, { retryAfter: 60 })
    const id = crypto.randomUUID()
    const now = Date.now()
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT INTO operations (id, subject, person, created_at) VALUES (?, ?, ?, ?)',
        ...[id, subject, JSON.stringify(person), now],
      )
      for (const [place, component] of componentsIn(this.env).entries())
        this.#sql.exec(
          'INSERT INTO steps (operation, place, component, due_at) VALUES (?, ?, ?, ?)',
          ...[id, place, component, now],
        )
      this.#endRound(id)
    })
    await this.ctx.storage.setAlarm(now)
    return { id, subject }
  }

  /** The state of an operation. Throws 404 if there is none, or it has expired. */
  find(id: string): OperationStatus {
    const [row] = this.#sql.exec<{ subject: string; round: number; created_at: number; done_at: number | null }>(
      'SELECT subject, round, created_at, done_at FROM operations WHERE id = ?',
      id,
    )
    if (!row) throw missing('operation', { id })
    const steps = this.#sql.exec<StepRow>('SELECT * FROM steps WHERE operation = ? ORDER BY place', id).toArray()
    return {
      id,
      done: row.done_at !== null,
      subject: row.subject,
      round: row.round,
      created_at: new Date(row.created_at),
      done_at: row.done_at === null ? null : new Date(row.done_at),
      components: steps.map(({ component, erased, failures, is_done }) => ({
        component,
        done: is_done === 1,
        erased: JSON.parse(erased) as Record<string, number>,
        failures,
      })),
    }
  }

  /** Sets the alarm if it was lost. */
  async resume(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.#arm()
  }

  override async alarm(): Promise<void> {
    const began = Date.now()
    try {
      this.#sql.exec(
        'DELETE FROM steps WHERE operation IN (SELECT id FROM operations WHERE done_at < ?)',
        began - retentionMs,
      )
      this.#sql.exec('DELETE FROM operations WHERE done_at < ?', began - retentionMs)
      for (let steps = 0; steps < maxCallsPerEvent && Date.now() - began < alarmBudgetMs; steps++) {
        const step = this.#nextDue()
        if (!step) break
        await this.#run(step)
      }
    } finally {
      // The platform gives up an alarm after some errors.
      await this.#arm()
    }
  }

  /** The next step of the oldest operation that does not wait for a retry. */
  #nextDue(): (StepRow & { person: string }) | undefined {
    const due = this.#sql.exec<StepRow & { person: string }>(
      `SELECT steps.*, operations.person FROM steps JOIN operations ON operations.id = operation
       WHERE ${isNext} AND due_at <= ? ORDER BY created_at, operation LIMIT 1`,
      Date.now(),
    )
    return due.toArray()[0]
  }

  async #run(step: StepRow & { person: string }): Promise<void> {
    const { component, person, cursor } = step
    try {
      const reply = await this.#erase(component, JSON.parse(person) as Person, cursor ?? undefined)
      this.ctx.storage.transactionSync(() => this.#record(step, reply))
    } catch (error) {
      log('error', { component: 'gateway', route: `erase ${component}`, operation: step.operation, ...describe(error) })
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(step.failures, 20))
      this.#sql.exec(
        'UPDATE steps SET failures = failures + 1, due_at = ? WHERE operation = ? AND place = ?',
        ...[Date.now() + pauseMs, step.operation, step.place],
      )
    }
  }

  /** Runs one step. A component that is no longer bound has nothing to erase. */
  async #erase(component: string, person: Person, cursor: string | undefined): Promise<ErasureReply> {
    const service = serviceOf(this.env, component)
    if (!service) return { erased: {} }
    let timer: ReturnType<typeof setTimeout> | undefined
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The component did not answer in time')), stepTimeoutMs)
    })
    try {
      return await Promise.race([service.erasePerson(person, cursor), timedOut])
    } finally {
      clearTimeout(timer)
    }
  }

  #record({ operation, place, ...step }: StepRow, { erased, next, waits }: ErasureReply): void {
    const counts = JSON.parse(step.erased) as Record<string, number>
    for (const [name, count] of Object.entries(erased)) counts[name] = (counts[name] ?? 0) + count
    this.#sql.exec(
      'UPDATE steps SET cursor = ?, erased = ?, failures = 0, is_done = ?, due_at = ? WHERE operation = ? AND place = ?',
      ...[next ?? null, JSON.stringify(counts), Number(next === undefined)],
      ...[Date.now() + (waits ? waitPauseMs : 0), operation, place],
    )
    const found = Object.values(erased).reduce((sum, count) => sum + count, 0)
    this.#sql.exec('UPDATE operations SET found = found + ? WHERE id = ?', found, operation)
    this.#endRound(operation)
  }

  /**
   * If all components are done: starts the next round, or ends the operation and deletes the identifiers, if the round has found
   * nothing or was the last one.
   */
  #endRound(operation: string): void {
    const allDone = 'NOT EXISTS (SELECT 1 FROM steps WHERE operation = id AND is_done = 0)'
    const ended = this.#sql.exec<{ round: number; found: number }>(
      `SELECT round, found FROM operations WHERE id = ? AND ${allDone}`,
      operation,
    )
    const [row] = ended.toArray()
    if (!row) return
    if (row.found === 0 || row.round >= maxRounds) {
      this.#sql.exec('UPDATE operations SET done_at = ?, person = NULL WHERE id = ?', Date.now(), operation)
      return
    }
    this.#sql.exec('UPDATE operations SET round = round + 1, found = 0 WHERE id = ?', operation)
    this.#sql.exec('UPDATE steps SET is_done = 0, cursor = NULL, due_at = ? WHERE operation = ?', Date.now(), operation)
  }

  /** Sets the alarm for the next due step, or for the first operation that expires. */
  async #arm(): Promise<void> {
    const { due, done } = this.#sql
      .exec<{ due: number | null; done: number | null }>(
        `SELECT (SELECT min(due_at) FROM steps WHERE ${isNext}) AS due,
           (SELECT min(done_at) FROM operations WHERE done_at IS NOT NULL) AS done`,
      )
      .one()
    const at = due ?? (done === null ? undefined : done + retentionMs + 1)
    if (at !== undefined) await this.ctx.storage.setAlarm(Math.max(at, Date.now()))
  }

  /** HMAC-SHA-256 of the identifiers under a key that only this object has: a phone could be guessed from a plain hash. */
  async subjectOf({ user, recipient, phone, email, chat_id }: Person): Promise<string> {
    const { kv } = this.ctx.storage
    if (kv.get('subject_key') === undefined) kv.put('subject_key', crypto.getRandomValues(new Uint8Array(32)))
    const secret = kv.get<Uint8Array<ArrayBuffer>>('subject_key')!
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const identifiers = new TextEncoder().encode(
      JSON.stringify([
        ...[user, recipient, phone, email].map((value) => value ?? null),
        ...(chat_id === undefined ? [] : [chat_id]),
      ]),
    )
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, identifiers)).toHex()
  }
}

/**
 * The bound components, those that create work for others before those: a task that is erased first cannot write a message that is
 * erased before. The list of manifests has the opposite order. A component that stores requests of others is last.
 */
export function componentsIn(env: object): string[] {
  const storesRequests = ({ ownPaths }: Manifest) => Number(ownPaths !== undefined)
  const order = manifests
    .toReversed()
    .toSorted((one, other) => storesRequests(one) - storesRequests(other))
    .map(({ name }) => name)
  return servicesOf(env)
    .map(([component]) => component)
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
}
