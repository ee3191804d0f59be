import { DurableObject } from 'cloudflare:workers'
import { open } from '#core/db/open'
import { describe, log } from '#core/http/log'
import { withRequestId } from '#core/http/request-id'
import { migrate } from '#core/objects/migrate'
import type { Changes, Failures, Pieces, Retried, Retry } from './contract.ts'
import type { Definition } from './definition.ts'
import { keepTold } from './deliveries.ts'
import type { CourierEnv } from './env.ts'
import { retentionOf } from './env.ts'
import { missing } from './errors.ts'
import { amendBooks, cancelBooks, openBooks, pauseBooks, readDefinition } from './ledger/changes.ts'
import { expireClaims, nextDue } from './ledger/claims.ts'
import { Courier } from './ledger/courier.ts'
import { progressOf, readHead } from './ledger/head.ts'
import { listFailures, listPieces } from './ledger/lists.ts'
import * as pages from './ledger/pages.ts'
import { forgetEnded, retryBooks } from './ledger/retrying.ts'
import { endSlice } from './ledger/slices.ts'
import { tableSteps } from './ledger/tables.ts'
import { holdOf, noTurn, type Turn, type Turned, takeTurn, type View, viewBooks } from './ledger/turn.ts'
import type { Range } from './range.ts'
import { schema } from './schema.ts'

/** What SQL has a copy of is written there this often at the most, in milliseconds. */
const copied = 2_000

/** Where nobody has asked for anything for so long, what the queue was told is looked after. */
const silence = 60_000

/** For how long a ledger that was emptied remembers that. */
const remembered = 3_600_000

/** Ten gigabytes is what an object can hold. */
const fullAt = 9_500_000_000

/**
 * The books of one delivery, of which it is the one writer: who is a recipient, what is claimed, what became of it. It has the
 * queue call for pieces and slices, and sees to it that none of that is lost. What no caller waits for is done by `#work`, at
 * any time and by alarm.
 */
export class Ledger extends DurableObject<CourierEnv> {
  readonly #sql = this.ctx.storage.sql
  readonly #courier = new Courier(this.#sql)
  /** Whether it has a delivery; it keeps nothing before it has, and nothing after. */
  #isOpen: boolean
  #working: Promise<void> | undefined
  #isAsked = false
  /** When the queue last called; what it was told is looked after when an object begins, since nobody knows of before. */
  #heardAt = 0
  #copiedAt = 0
  #alarmAt = Number.POSITIVE_INFINITY

  constructor(ctx: DurableObjectState, env: CourierEnv) {
    super(ctx, env)
    this.#isOpen = ctx.storage.kv.get('schema') !== undefined
    if (this.#isOpen) migrate(ctx.storage, tableSteps)
  }

  /** Begins a delivery. A repeat goes on where the first was cut off; throws where the queue does not take it. */
  async begin(ledger: string, definition: Definition, requestId: string | undefined): Promise<void> {
    if (this.ctx.storage.kv.get('gone')) throw missing('delivery')
    migrate(this.ctx.storage, tableSteps)
    this.#isOpen = true
    if (requestId && !this.#requestId) this.ctx.storage.kv.put('request_id', requestId)
    this.#do((sql) => openBooks(sql, ledger, definition, Date.now()))
    this.#heardAt = Date.now()
    await this.#work()
    if (this.#courier.failure) throw this.#courier.failure
  }

  /** Nothing where it has no delivery, as of all that follow. */
  view(): View | undefined {
    return this.#isOpen ? viewBooks(this.#sql) : undefined
  }

  async amend(changes: Changes): Promise<void> {
    this.#change((sql) => amendBooks(sql, changes, Date.now()))
    await this.#copy()
    await this.#work()
  }

  async pause(isPaused: boolean): Promise<void> {
    this.#change((sql) => pauseBooks(sql, isPaused, Date.now()))
    await this.#copy()
    void this.#work()
  }

  async cancel(): Promise<void> {
    this.#change((sql) => cancelBooks(sql, Date.now()))
    await this.#copy()
    void this.#work()
  }

  /** Reopens a delivery that has finished. */
  async retry(asked: Pick<Retry, 'states' | 'allow_duplicates'>): Promise<Retried> {
    const retried = this.#change((sql) => retryBooks(sql, asked, retentionOf(this.env), Date.now()))
    this.#heardAt = Date.now()
    await this.#copy()
    void this.#work()
    return retried
  }

  /** Forgets everything. What the queue still calls for finds nothing. */
  async destroy(): Promise<void> {
    if (this.#isOpen) await this.#courier.withdraw(this.env)
    this.#isOpen = false
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    // A delivery that is begun and deleted at the same time must not begin anew.
    this.ctx.storage.kv.put('gone', true)
    await this.ctx.storage.setAlarm(Date.now() + remembered)
  }

  beginPage(piece: Range, lease: number): pages.Begun {
    this.#heardAt = Date.now()
    return this.#do((sql) => pages.beginPage(sql, piece, lease, Date.now())) ?? { state: 'over' }
  }

  stagePage(attempt: pages.Attempt, recipients: pages.Staged[]): 'kept' | 'unwanted' | 'full' {
    if (this.#sql.databaseSize > fullAt) return 'full'
    return this.#do((sql) => pages.stagePage(sql, attempt, recipients)) ? 'kept' : 'unwanted'
  }

  commitPage(attempt: pages.Attempt, recipients: number): void {
    this.#do((sql) => pages.commitPage(sql, attempt, recipients, Date.now()))
    void this.#work()
  }

  /** Milliseconds until it may be tried again; nothing where it is given up. With `isDown` it waits for the source. */
  failPage(attempt: pages.Attempt, reason: string, isDown = false): number | undefined {
    const fail = isDown ? pages.holdPage : pages.failPage
    const wait = this.#do((sql) => fail(sql, attempt, reason, Date.now()))
    void this.#work()
    return wait
  }

  /** Records what a slice has done, and gives it more to do. */
  turn(turn: Turn): Turned {
    const now = Date.now()
    this.#heardAt = now
    this.#courier.hear()
    const turned = this.#do((sql) => takeTurn(sql, turn, retentionOf(this.env).keysMs, now))
    if (turned?.isLate) this.#courier.widen()
    const isOver = turned?.messages.length === 0
    const isTime = now - this.#copiedAt >= copied
    if (turned?.isLate || ((isOver || isTime) && this.#isCopyDue(now))) void this.#work()
    return turned?.messages.length && turned.version !== turn.version
      ? { ...turned, definition: readDefinition(this.#sql) }
      : (turned ?? noTurn)
  }

  endSlice(slice: number): void {
    this.#do((sql) => endSlice(sql, slice))
    void this.#work()
  }

  listFailures(asked: Omit<Failures, 'id'>) {
    return this.#isOpen ? listFailures(this.#sql, asked) : { failures: [] }
  }

  listPieces(asked: Omit<Pieces, 'id'>) {
    return this.#isOpen ? listPieces(this.#sql, asked) : []
  }

  /** Sees to it that all goes on, and that SQL knows; false where it has no delivery. */
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

  /** Of the request that began the delivery: all that the queue is asked for is for that. */
  get #requestId(): string | undefined {
    return this.ctx.storage.kv.get<string>('request_id')
  }

  /** Does a step as a whole, or not at all. */
  #do<T>(step: (sql: SqlStorage) => T): T | undefined {
    return this.#isOpen ? this.ctx.storage.transactionSync(() => step(this.#sql)) : undefined
  }

  #change<T>(step: (sql: SqlStorage) => T): T {
    if (!this.#isOpen) throw missing('delivery')
    return this.ctx.storage.transactionSync(() => step(this.#sql))
  }

  /** Does all that is due besides what callers ask for; resolves when it is done. It never throws. */
  #work(): Promise<void> {
    this.#isAsked = true
    this.#working ??= withRequestId(this.#requestId, () => this.#run())
    return this.#working
  }

  async #run() {
    // Not before `#working` is set.
    await undefined
    while (this.#isAsked) {
      this.#isAsked = false
      await this.#step().catch((error: unknown) => this.#report(error))
    }
    this.#working = undefined
    if (this.#isOpen) this.#arm()
  }

  async #step() {
    if (!this.#isOpen) return
    this.#do((sql) => expireClaims(sql, Date.now()))
    this.#do((sql) => forgetEnded(sql, retentionOf(this.env).recipientsMs, Date.now()))
    if (Date.now() - this.#heardAt >= silence) {
      this.#heardAt = Date.now()
      await this.#courier.lookAfter(this.env)
    }
    await this.#courier.tell(this.env)
    if (this.#isCopyDue(Date.now())) await this.#copy()
  }

  /** One that was emptied meanwhile has nothing to complain of. */
  #report(error: unknown) {
    if (!this.#isOpen) return
    this.#courier.retryAt = Date.now() + copied
    log('error', { component: 'delivery', route: 'ledger', ...describe(error) })
  }

  #isCopyDue(now: number): boolean {
    const head = this.#isOpen ? readHead(this.#sql) : undefined
    if (!head || head.copied === head.revision) return false
    return head.status !== 'started' || now - this.#copiedAt >= copied
  }

  /** Lets SQL know where the delivery stands. */
  async #copy() {
    const head = this.#isOpen ? readHead(this.#sql) : undefined
    if (!head) return
    const { ledger, status, revision, version } = head
    this.#copiedAt = Date.now()
    const { held_reason, next_attempt_at } = holdOf(this.#sql, head)
    const standing = { status, is_paused: head.is_paused === 1, held_reason, next_attempt_at }
    const told = { ...standing, progress: progressOf(head), revision }
    const definition = head.is_amended ? { definition: readDefinition(this.#sql) } : {}
    const updated_at = new Date(head.updated_at)
    await keepTold(open(this.env, schema), ledger, { ...told, updated_at, ...definition }, new Date())
    this.#do((sql) =>
      sql.exec(
        'UPDATE head SET copied = ?1, is_amended = CASE WHEN version = ?2 THEN 0 ELSE is_amended END WHERE copied < ?1',
        revision,
        version,
      ),
    )
  }

  /** Sets the alarm for what comes next; nothing does where all is settled, and SQL knows. */
  #arm() {
    const head = readHead(this.#sql)
    if (!head) return
    const isStarted = head.status === 'started' && head.is_paused === 0
    const at = Math.min(
      nextDue(this.#sql, head, Date.now()),
      head.ended_at === null ? Number.POSITIVE_INFINITY : head.ended_at + retentionOf(this.env).recipientsMs,
      isStarted ? this.#heardAt + silence : Number.POSITIVE_INFINITY,
      head.copied === head.revision ? Number.POSITIVE_INFINITY : this.#copiedAt + copied,
      this.#courier.retryAt > Date.now() ? this.#courier.retryAt : Number.POSITIVE_INFINITY,
    )
    if (at < Number.POSITIVE_INFINITY) this.#setAlarm(Math.max(at, Date.now() + 1))
  }

  /** Never later than what is set: an alarm for nothing does no harm. */
  #setAlarm(at: number) {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return
    this.#alarmAt = at
    void this.ctx.storage.setAlarm(at)
  }
}
