// The durable object `Ledger`, one per delivery: stores the recipients, messages and outcomes in SQLite, and creates the queue
// tasks that send the messages. The folder `ledger` has its SQL.
import { DurableObject } from 'cloudflare:workers'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { withRequestId } from '#core/http/request-id'
import { migrate } from '#core/objects/migrate'
import type { Failures, Pieces } from './contract/lists.ts'
import type { Changes, Retried, Retry } from './contract.ts'
import type { Definition } from './definition.ts'
import { recordStatus } from './delivery-rows.ts'
import type { LedgerEnv } from './env.ts'
import { retentionOf } from './env.ts'
import { missing } from './errors.ts'
import { amendLedger, cancelLedger, openLedger, pauseLedger, readDefinition } from './ledger/changes.ts'
import { claimForSlice, expireClaims, nextDue, noClaims, type SliceClaims, type SliceReport } from './ledger/claims.ts'
import { progressOf, readHead } from './ledger/head.ts'
import { listFailures, listPieces } from './ledger/lists.ts'
import { Outbox } from './ledger/outbox.ts'
import * as pages from './ledger/pages.ts'
import { type PersonVisit, type VisitedRecipients, visitPerson } from './ledger/person.ts'
import { deleteRetryData, retryLedger } from './ledger/retries.ts'
import { endSlice } from './ledger/slices.ts'
import { tableSteps } from './ledger/tables.ts'
import { holdOf, type View, viewLedger } from './ledger/view.ts'
import type { Range } from './range.ts'
import { schema } from './schema.ts'

/** Minimum interval between two copies of the state to the database. The lists of the API may be outdated by this time. */
const copyIntervalMs = 2_000

/** If the queue makes no call for this time, the ledger asks the queue whether its tasks still exist. */
const checkTasksAfterMs = 60_000

/** How long a deleted ledger remembers that it is deleted, to reject a start that arrives late. */
const tombstoneMs = 3_600_000

/** The ledger accepts no more recipients above this size. A durable object stores at most 10 GB. */
const maxDatabaseBytes = 9_500_000_000

/**
 * The only writer of a delivery's state. Every change is a transaction on the ledger's SQLite. After a call, and by alarm,
 * `#work` does the background work: it creates queue tasks, finds lost ones, and copies the state to the database.
 */
export class Ledger extends DurableObject<LedgerEnv> {
  readonly #sql = this.ctx.storage.sql
  readonly #outbox = new Outbox(this.#sql)
  /** Whether the ledger has a delivery: false before `begin` and after `destroy`. */
  #isOpen: boolean
  #working: Promise<void> | undefined
  #isWorkRequested = false
  /** Time of the queue's last call. 0 after a restart of the object, so that the queue's tasks are checked at once. */
  #calledAt = 0
  #copiedAt = 0
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env)
    this.#isOpen = ctx.storage.kv.get('schema') !== undefined
    if (this.#isOpen) migrate(ctx.storage, tableSteps)
  }

  /** Starts a delivery, or completes a start that was interrupted. Throws if the queue does not accept the tasks. */
  async begin(ledger: string, definition: Definition, requestId: string | undefined): Promise<void> {
    if (this.ctx.storage.kv.get('gone')) throw missing('delivery')
    migrate(this.ctx.storage, tableSteps)
    this.#isOpen = true
    if (requestId && !this.#requestId) this.ctx.storage.kv.put('request_id', requestId)
    this.#do((sql) => openLedger(sql, ledger, definition, Date.now()))
    this.#calledAt = Date.now()
    await this.#work()
    if (this.#outbox.failure) throw this.#outbox.failure
  }

  /** The state of the delivery. Like most methods, returns undefined if the ledger has no delivery. */
  view(): View | undefined {
    return this.#isOpen ? viewLedger(this.#sql) : undefined
  }

  async amend(changes: Changes): Promise<void> {
    this.#change((sql) => amendLedger(sql, changes, Date.now()))
    await this.#copy()
    await this.#work()
  }

  async pause(isPaused: boolean): Promise<void> {
    this.#change((sql) => pauseLedger(sql, isPaused, Date.now()))
    await this.#copy()
    void this.#work()
  }

  async cancel(): Promise<void> {
    this.#change((sql) => cancelLedger(sql, Date.now()))
    await this.#copy()
    void this.#work()
  }

  /** Reopens a delivery that has finished, and queues the chosen messages again. */
  async retry(params: Pick<Retry, 'states' | 'allow_duplicates'>): Promise<Retried> {
    const retried = this.#change((sql) => retryLedger(sql, params, retentionOf(this.env), Date.now()))
    this.#calledAt = Date.now()
    await this.#copy()
    void this.#work()
    return retried
  }

  /** Deletes all data of the ledger. Calls of the queue that arrive later have no effect. */
  async destroy(): Promise<void> {
    if (this.#isOpen) await this.#outbox.deleteFraction(this.env)
    this.#isOpen = false
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    // Tombstone: rejects a `begin` that was sent before the deletion and arrives after it.
    this.ctx.storage.kv.put('gone', true)
    await this.ctx.storage.setAlarm(Date.now() + tombstoneMs)
  }

  visitPerson(visit: PersonVisit): VisitedRecipients {
    const visited = this.#do((sql) => visitPerson(sql, visit, Date.now())) ?? { rows: [], erased: 0 }
    if (visited.erased > 0) void this.#work()
    return visited
  }

  beginPage(piece: Range, lease: number): pages.PageLease {
    this.#calledAt = Date.now()
    return this.#do((sql) => pages.beginPage(sql, piece, lease, Date.now())) ?? { state: 'over' }
  }

  stagePage(attempt: pages.PageAttempt, recipients: pages.StagedRecipient[]): 'kept' | 'unwanted' | 'full' {
    if (this.#sql.databaseSize > maxDatabaseBytes) return 'full'
    return this.#do((sql) => pages.stagePage(sql, attempt, recipients)) ? 'kept' : 'unwanted'
  }

  commitPage(attempt: pages.PageAttempt, recipients: number): void {
    this.#do((sql) => pages.commitPage(sql, attempt, recipients, Date.now()))
    void this.#work()
  }

  /**
   * Records a failed attempt to fetch a piece. Returns milliseconds until the next attempt, or undefined if the piece has
   * failed. With `isDown` the source of recipients is held instead, and the attempt does not count.
   */
  failPage(attempt: pages.PageAttempt, reason: string, isDown = false): number | undefined {
    const fail = isDown ? pages.holdPage : pages.failPage
    const wait = this.#do((sql) => fail(sql, attempt, reason, Date.now()))
    void this.#work()
    return wait
  }

  /** Records the outcomes of a slice and claims more messages for it. */
  claimNext(report: SliceReport): SliceClaims {
    const now = Date.now()
    this.#calledAt = now
    this.#outbox.recordCall()
    const claims = this.#do((sql) => claimForSlice(sql, report, retentionOf(this.env).keysMs, now))
    if (claims?.isLate) this.#outbox.addSlice()
    const isLast = claims?.messages.length === 0
    const isIntervalOver = now - this.#copiedAt >= copyIntervalMs
    if (claims?.isLate || ((isLast || isIntervalOver) && this.#isCopyDue(now))) void this.#work()
    return claims?.messages.length && claims.version !== report.version
      ? { ...claims, definition: readDefinition(this.#sql) }
      : (claims ?? noClaims)
  }

  endSlice(slice: number): void {
    this.#do((sql) => endSlice(sql, slice))
    void this.#work()
  }

  listFailures(filter: Omit<Failures, 'id'>) {
    return this.#isOpen ? listFailures(this.#sql, filter) : { failures: [] }
  }

  listPieces(filter: Omit<Pieces, 'id'>) {
    return this.#isOpen ? listPieces(this.#sql, filter) : []
  }

  /**
   * Does the background work and copies the state, for a ledger that the sweep finds silent. Returns false if the ledger has no
   * delivery: its data is lost.
   */
  async wake(): Promise<boolean> {
    if (!this.#isOpen) return false
    await this.#work()
    await this.#copy()
    return true
  }

  override async alarm() {
    this.#alarmAt = Number.POSITIVE_INFINITY
    if (this.#isOpen) await this.#work()
    else await this.ctx.storage.deleteAll()
  }

  /** Id of the request that started the delivery. Logs of background work contain it. */
  get #requestId(): string | undefined {
    return this.ctx.storage.kv.get<string>('request_id')
  }

  /** Runs a step in a transaction. Returns undefined if the ledger has no delivery. */
  #do<T>(step: (sql: SqlStorage) => T): T | undefined {
    return this.#isOpen ? this.ctx.storage.transactionSync(() => step(this.#sql)) : undefined
  }

  /** Runs a step in a transaction. Throws 404 if the ledger has no delivery. */
  #change<T>(step: (sql: SqlStorage) => T): T {
    if (!this.#isOpen) throw missing('delivery')
    return this.ctx.storage.transactionSync(() => step(this.#sql))
  }

  /** Does all background work that is due. Calls during the work share one run, which repeats. Never throws. */
  #work(): Promise<void> {
    this.#isWorkRequested = true
    this.#working ??= withRequestId(this.#requestId, () => this.#run())
    return this.#working
  }

  async #run() {
    // Yields first, so that `#working` is set before this function can reset it.
    await undefined
    while (this.#isWorkRequested) {
      this.#isWorkRequested = false
      await this.#step().catch((error: unknown) => this.#report(error))
    }
    this.#working = undefined
    if (this.#isOpen) this.#arm()
  }

  async #step() {
    if (!this.#isOpen) return
    this.#do((sql) => expireClaims(sql, Date.now()))
    this.#do((sql) => deleteRetryData(sql, retentionOf(this.env).recipientsMs, Date.now()))
    if (Date.now() - this.#calledAt >= checkTasksAfterMs) {
      this.#calledAt = Date.now()
      await this.#outbox.checkTasks(this.env)
    }
    await this.#outbox.flush(this.env)
    if (this.#isCopyDue(Date.now())) await this.#copy()
  }

  /**
   * Logs an error of the background work and delays the next attempt. Ignores errors after `destroy`: the deletion removed the
   * tables under the work.
   */
  #report(error: unknown) {
    if (!this.#isOpen) return
    this.#outbox.retryAt = Date.now() + copyIntervalMs
    log('error', { component: 'delivery', route: 'ledger', ...describe(error) })
  }

  #isCopyDue(now: number): boolean {
    const head = this.#isOpen ? readHead(this.#sql) : undefined
    if (!head || head.copied === head.revision) return false
    return head.status !== 'started' || now - this.#copiedAt >= copyIntervalMs
  }

  /** Copies the state to the delivery's row in the database, where the lists of the API read it. */
  async #copy() {
    const head = this.#isOpen ? readHead(this.#sql) : undefined
    if (!head) return
    const { ledger, status, revision, version } = head
    this.#copiedAt = Date.now()
    const { held_reason, next_attempt_at } = holdOf(this.#sql, head)
    const state = { status, is_paused: head.is_paused === 1, held_reason, next_attempt_at }
    const update = { ...state, progress: progressOf(head), revision }
    const definition = head.is_amended ? { definition: readDefinition(this.#sql) } : {}
    const updated_at = new Date(head.updated_at)
    await recordStatus(open(this.env, schema), ledger, { ...update, updated_at, ...definition }, new Date())
    this.#do((sql) =>
      sql.exec(
        'UPDATE head SET copied = ?1, is_amended = CASE WHEN version = ?2 THEN 0 ELSE is_amended END WHERE copied < ?1',
        revision,
        version,
      ),
    )
  }

  /** Sets the alarm for the next event: a message is due, data expires, tasks must be checked, or a copy or a retry is due. */
  #arm() {
    const head = readHead(this.#sql)
    if (!head) return
    const isStarted = head.status === 'started' && head.is_paused === 0
    const at = Math.min(
      nextDue(this.#sql, head, Date.now()),
      head.ended_at === null ? Number.POSITIVE_INFINITY : head.ended_at + retentionOf(this.env).recipientsMs,
      isStarted ? this.#calledAt + checkTasksAfterMs : Number.POSITIVE_INFINITY,
      head.copied === head.revision ? Number.POSITIVE_INFINITY : this.#copiedAt + copyIntervalMs,
      this.#outbox.retryAt > Date.now() ? this.#outbox.retryAt : Number.POSITIVE_INFINITY,
    )
    if (at < Number.POSITIVE_INFINITY) this.#setAlarm(Math.max(at, Date.now() + 1))
  }

  /** Sets the alarm unless an earlier alarm is set. An alarm that finds no work does no harm. */
  #setAlarm(at: number) {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return
    this.#alarmAt = at
    void this.ctx.storage.setAlarm(at)
  }
}
