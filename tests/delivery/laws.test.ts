// Property test: runs random events (fetches, claims, outcomes, crashes, changes) on the tables of a ledger, and checks the
// ledger's invariants after each.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Channel, Retry } from '#delivery/contract'
import { channelsOf, type DeliveryContent } from '#delivery/definition'
import { amendLedger, cancelLedger, pauseLedger, readDefinition } from '#delivery/ledger/changes'
import { type ClaimedMessage, claimLeaseMs, claimMessages, expireClaims } from '#delivery/ledger/claims'
import { reportOf } from '#delivery/ledger/counts'
import { progressOf } from '#delivery/ledger/head'
import {
  commitPage,
  failPage,
  holdPage,
  type PageAttempt,
  type StagedRecipient,
  stagePage,
} from '#delivery/ledger/pages'
import { deleteRetryData, retryLedger } from '#delivery/ledger/retries'
import { type MessageOutcome, settleMessages } from '#delivery/ledger/settlement'
import { piecesIn } from '#delivery/range'
import { runs } from '../support/tier.ts'
import { begin, books, headOf, messagesIn, onTables } from './books.ts'

const channels = ['email', 'sms', 'feed'] as const

type Step =
  | { does: 'begin'; piece: number }
  | { does: 'stage'; which: number; targets: (number | null)[][] }
  | { does: 'commit' | 'fail' | 'abandon'; which: number }
  | { does: 'claim'; most: number }
  | { does: 'settle'; which: number; outcome: MessageOutcome }
  | { does: 'lose'; which: number }
  | { does: 'late'; which: number; outcome: MessageOutcome }
  | { does: 'wait'; ms: number }
  | { does: 'down'; which: number }
  | { does: 'retry'; states: Retry['states']; isAllowed: boolean }
  | { does: 'cancel' | 'pause' | 'resume' }
  | { does: 'amend'; channels: boolean[] }

const is = <const Does extends Step['does']>(does: Does) => fc.constant(does)
const which = fc.nat({ max: 50 })
const target = fc.option(fc.nat({ max: 12 }), { freq: 4 })
const outcome = fc.constantFrom<MessageOutcome>(
  { state: 'sent' },
  { state: 'sent' },
  { state: 'skipped', reason: 'blacklisted' },
  { state: 'failed', reason: 'refused' },
  { state: 'unknown', reason: 'timeout', hold: 'outlet_open' },
  { state: 'again', reason: 'smtp_failed' },
  { state: 'held', reason: 'smtp_failed', hold: 'outlet_open' },
  { state: 'held', reason: 'refused', hold: 'outlet_open', doubt: 'policy' },
  { state: 'held', reason: 'quota', hold: 'quota', isThrottled: true, doubt: 'temporary' },
  { state: 'pending' },
  { state: 'released' },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: is('begin'), piece: fc.nat({ max: 9 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ does: is('stage'), which },
      targets: fc.array(fc.tuple(target, target, target), { maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: is('commit'), which }) },
  fc.record({ does: is('fail'), which }),
  fc.record({ does: is('abandon'), which }),
  fc.record({ does: is('down'), which }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: is('retry'),
      states: fc.subarray<Retry['states'][number]>(['failed', 'unknown', 'skipped'], { minLength: 1 }),
      isAllowed: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: is('claim'), most: fc.nat({ max: 6 }) }) },
  { weight: 6, arbitrary: fc.record({ does: is('settle'), which, outcome }) },
  fc.record({ does: is('lose'), which }),
  { weight: 2, arbitrary: fc.record({ does: is('late'), which, outcome }) },
  { weight: 2, arbitrary: fc.record({ does: is('wait'), ms: fc.nat({ max: 2 * claimLeaseMs }) }) },
  fc.record({ does: is('pause') }),
  { weight: 2, arbitrary: fc.record({ does: is('resume') }) },
  { weight: 1, arbitrary: fc.record({ does: is('cancel') }) },
  fc.record({ does: is('amend'), channels: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()) }),
)

interface Open extends PageAttempt {
  channels: Channel[]
  staged: number
}

/** Runs random events on the tables of a ledger, and keeps a model of what the tables must contain. */
class Life {
  readonly #sql: SqlStorage
  #now = 1_000
  #open: Open[] = []
  #claims: (ClaimedMessage & { expires: number })[] = []
  /** All claims ever granted, also those that were settled or have expired. */
  readonly #past: ClaimedMessage[] = []
  /**
   * How often each message may be claimed at most, by message id. More than once only if it was certainly not sent or a retry
   * queued it again.
   */
  readonly #mayClaim = new Map<number, number>()
  readonly #claimed = new Map<number, number>()
  #progress = 0

  constructor(sql: SqlStorage, perSecond: number | null) {
    this.#sql = sql
    books(sql, { max_per_second: perSecond }, this.#now)
  }

  run(step: Step) {
    this.#now++
    if (step.does === 'begin') this.#begin(1 + step.piece * 10)
    if (step.does === 'stage') this.#stage(step.which, step.targets)
    if (step.does === 'commit') this.#commit(step.which)
    if (step.does === 'fail') this.#take(step.which, (open) => failPage(this.#sql, open, 'timeout', this.#now))
    if (step.does === 'down') this.#take(step.which, (open) => holdPage(this.#sql, open, 'http_503', this.#now))
    if (step.does === 'retry') this.#retry(step.states, step.isAllowed)
    if (step.does === 'abandon') this.#take(step.which, () => undefined)
    if (step.does === 'claim') this.#claim(step.most)
    if (step.does === 'settle') this.#settle(step.which, step.outcome)
    if (step.does === 'lose') this.#claims.splice(step.which % (this.#claims.length || 1), 1)
    if (step.does === 'late') this.#settleLate(step.which, step.outcome)
    if (step.does === 'wait') this.#wait(step.ms)
    if (step.does === 'cancel') this.#orConflict(() => cancelLedger(this.#sql, this.#now))
    if (step.does === 'pause') this.#orConflict(() => pauseLedger(this.#sql, true, this.#now))
    if (step.does === 'resume') this.#orConflict(() => pauseLedger(this.#sql, false, this.#now))
    if (step.does === 'amend') this.#amend(step.channels)
    this.check()
  }

  #begin(min: number) {
    const attempt = begin(this.#sql, min, this.#now)
    if (attempt)
      this.#open.push({ ...attempt, channels: channelsOf(readDefinition(this.#sql) as DeliveryContent), staged: 0 })
  }

  #stage(which: number, targets: (number | null)[][]) {
    const open = this.#open[which % this.#open.length]
    if (!open) return
    const staged = targets.map(
      (of, i): StagedRecipient => ({
        place: open.staged + i,
        data: '{}',
        messages: open.channels.map((channel) => {
          const at = of[channels.indexOf(channel)] ?? null
          return { channel, hash: at === null ? null : `t${at}`, reason: at === null ? 'no_target' : null }
        }),
      }),
    )
    if (stagePage(this.#sql, open, staged)) open.staged += staged.length
  }

  #commit(which: number) {
    this.#take(which, (open) => {
      const countMessages = () =>
        messagesIn(this.#sql).filter((message) => (message.state as string) !== 'staged').length
      const before = countMessages()
      commitPage(this.#sql, open, open.staged, this.#now)
      // The page is committed as a whole, or not at all if a later attempt has begun.
      expect([before, before + open.staged * open.channels.length]).toContain(countMessages())
    })
  }

  #take(which: number, end: (open: Open) => unknown) {
    const [open] = this.#open.splice(which % (this.#open.length || 1), 1)
    if (open) end(open)
  }

  #claim(most: number) {
    const { status, is_paused } = headOf(this.#sql)
    const { messages } = claimMessages(this.#sql, most, this.#now, retention.keysMs)
    if (status !== 'started' || is_paused) expect(messages).toEqual([])
    for (const message of messages) {
      const times = (this.#claimed.get(message.id) ?? 0) + 1
      this.#claimed.set(message.id, times)
      expect(times).toBeLessThanOrEqual(this.#mayClaim.get(message.id) ?? 1)
      this.#claims.push({ ...message, expires: this.#now + claimLeaseMs })
      this.#past.push(message)
    }
  }

  #settle(which: number, outcome: MessageOutcome) {
    const [claim] = this.#claims.splice(which % (this.#claims.length || 1), 1)
    if (!claim) return
    const settled = { id: claim.id, claim: claim.claim, ...outcome }
    // A slice reports an outcome again if the ledger did not reply. Only the first report may count.
    settleMessages(this.#sql, [settled, settled], this.#now)
    settleMessages(this.#sql, [settled], this.#now)
    if (isFree(outcome) && claim.expires > this.#now)
      this.#mayClaim.set(claim.id, (this.#mayClaim.get(claim.id) ?? 1) + 1)
  }

  /**
   * Reports an outcome of a claim that was settled or has expired. It may change nothing, unless the claim is still current.
   */
  #settleLate(which: number, outcome: MessageOutcome) {
    const claim = this.#past[which % (this.#past.length || 1)]
    if (!claim || this.#claims.some(({ id, claim: held }) => id === claim.id && held === claim.claim)) return
    const isHeld = ({ id, state, claims }: { id: number; state: string; claims: number }) =>
      id === claim.id && state === 'claimed' && claims === claim.claim
    const before = messagesIn(this.#sql)
    settleMessages(this.#sql, [{ id: claim.id, claim: claim.claim, ...outcome }], this.#now)
    if (!before.some(isHeld)) expect(messagesIn(this.#sql)).toEqual(before)
    else if (isFree(outcome)) this.#mayClaim.set(claim.id, (this.#mayClaim.get(claim.id) ?? 1) + 1)
  }

  /** Retries the delivery. The messages that this queues again may be claimed once more. */
  #retry(states: Retry['states'], allow_duplicates: boolean) {
    const before = messagesIn(this.#sql)
    const isQueued = new Set(before.filter(({ state }) => state === 'queued').map(({ id }) => id))
    const verb = () => retryLedger(this.#sql, { states, allow_duplicates }, retention, this.#now)
    if (headOf(this.#sql).status !== 'finished') return expect(verb).toThrow()
    try {
      const { messages } = verb()
      const again = messagesIn(this.#sql).filter(({ id, state }) => state === 'queued' && !isQueued.has(id))
      expect(again).toHaveLength(messages)
      for (const { id } of again) this.#mayClaim.set(id, (this.#mayClaim.get(id) ?? 1) + 2)
      if (headOf(this.#sql).status === 'started') this.#progress = 0
    } catch (error) {
      expect(error).toMatchObject({ code: 'recipients_deleted' })
    }
  }

  #wait(ms: number) {
    this.#now += ms
    expireClaims(this.#sql, this.#now)
    deleteRetryData(this.#sql, retention.recipientsMs, this.#now)
  }

  #amend(flags: boolean[]) {
    const [has_email = false, has_sms = false, has_feed = false] = flags
    const { name, min, max, gap } = readDefinition(this.#sql)
    const isNone = !has_email && !has_sms && !has_feed
    const verb = () => amendLedger(this.#sql, { id: 1, name, min, max, gap, has_email, has_sms, has_feed }, this.#now)
    if (headOf(this.#sql).status === 'started' && isNone) expect(verb).toThrow()
    else this.#orConflict(verb)
  }

  /** Makes a change. If the delivery has ended, the change must be rejected with 409, except a second cancel. */
  #orConflict(verb: () => void) {
    if (headOf(this.#sql).status === 'started') verb()
    else
      try {
        verb()
      } catch (error) {
        expect(error).toMatchObject({ status: 409 })
      }
  }

  /** Fetches the remaining pieces and sends all messages, so that the delivery must finish. */
  drain() {
    if (headOf(this.#sql).status === 'started') this.run({ does: 'resume' })
    this.#open = []
    this.#claims = []
    for (let n = 0; n < 40 && headOf(this.#sql).status === 'started'; n++) {
      this.run({ does: 'wait', ms: 400_000 })
      for (let piece = 0; piece < 10; piece++) {
        this.run({ does: 'begin', piece })
        this.run({ does: 'stage', which: 0, targets: [[n, n, n]] })
        this.run({ does: 'commit', which: 0 })
      }
      for (let some = 0; some < 60; some++) {
        this.run({ does: 'wait', ms: 500 })
        this.run({ does: 'claim', most: 6 })
        while (this.#claims.length > 0) this.run({ does: 'settle', which: 0, outcome: { state: 'sent' } })
      }
    }
    this.run({ does: 'wait', ms: 400_000 })
  }

  /** Checks the invariants that must hold after every event. */
  check() {
    const head = headOf(this.#sql)
    const messages = messagesIn(this.#sql)
    const inState = (...states: string[]) => messages.filter(({ state }) => states.includes(state))
    const unsettled = inState('queued', 'claimed')
    expect(head.open).toBe(unsettled.length)
    if (head.status === 'canceled') expect(inState('queued', 'staged')).toEqual([])
    const isAllSettled = head.fetched === piecesIn(head) && head.open === 0
    if (head.status !== 'canceled') expect(head.status === 'finished').toBe(isAllSettled)
    this.#checkReport(messages)
    this.#checkPieces()
    this.#checkPrivacy(inState('queued', 'claimed', 'staged'), head)
    expect(progressOf(head)).toBeGreaterThanOrEqual(this.#progress)
    this.#progress = progressOf(head)
    expect(this.#progress === 1).toBe(head.status === 'finished')
    expect(inState('sent', 'claimed', 'unknown').every(({ id }) => this.#claimed.has(id))).toBe(true)
  }

  #checkReport(messages: ReturnType<typeof messagesIn>) {
    const report = reportOf(headOf(this.#sql))
    for (const channel of channels) {
      const those = messages.filter((message) => message.channel === channel && (message.state as string) !== 'staged')
      const { reasons, ...states } = report[channel]
      const count = (state: string) => those.filter((message) => message.state === state).length
      expect(states).toEqual({
        ...{ queued: count('queued'), sending: count('claimed'), sent: count('sent') },
        ...{ skipped: count('skipped'), failed: count('failed'), unknown: count('unknown') },
      })
      const explained = Object.values(reasons).reduce((sum, n) => sum + n, 0)
      expect(explained).toBe(states.skipped + states.failed + states.unknown)
    }
  }

  #checkPieces() {
    const head = headOf(this.#sql)
    const pieces = this.#sql
      .exec<{ state: string; n: number; recipients: number; open: number }>(
        'SELECT state, count(*) AS n, sum(recipients) AS recipients, sum(open) AS open FROM pieces GROUP BY state',
      )
      .toArray()
    const of = (...states: string[]) =>
      pieces.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0)
    expect([head.processed, head.failed]).toEqual([of('processed'), of('failed')])
    expect(head.fetched).toBe(of('processed', 'failed', 'sending'))
    expect(head.recipients).toBe(pieces.reduce((sum, { recipients }) => sum + recipients, 0))
    expect(head.open).toBe(pieces.reduce((sum, { open }) => sum + open, 0))
  }

  /** Checks that the ledger stores personal data only of recipients with messages that are unsent or can be retried. */
  #checkPrivacy(unsettled: ReturnType<typeof messagesIn>, { status, ended_at }: ReturnType<typeof headOf>) {
    const isForgotten = status === 'canceled' || (status === 'finished' && ended_at === null)
    const retryable = isForgotten ? [] : messagesIn(this.#sql).filter(isRetryable)
    const known = this.#sql.exec<{ id: number; open: number }>('SELECT id, open FROM recipients').toArray()
    const retryableByRecipient = Map.groupBy(
      [...unsettled, ...retryable].filter(({ recipient }) => recipient !== null),
      ({ recipient }) => recipient!,
    )
    expect(new Map(known.map(({ id, open }) => [id, open]))).toEqual(
      new Map([...retryableByRecipient].map(([id, messages]) => [id, messages.length])),
    )
  }

  get status() {
    return headOf(this.#sql).status
  }

  get sent() {
    return messagesIn(this.#sql).filter(({ state }) => state === 'sent').length
  }
}

const isFree = ({ state }: MessageOutcome) => ['again', 'held', 'pending', 'released'].includes(state)

const isRetryable = ({ state, reason }: { state: string; reason: string | null }) =>
  state === 'failed' || state === 'unknown' || (state === 'skipped' && reason === 'blacklisted')

/** Retention that is shorter than the delivery in this test takes, so that recipients and idempotency keys expire during it. */
const retention = { recipientsMs: 100_000, keysMs: { email: 700_000, sms: 700_000, feed: 650_000 } }

describe('a ledger, after any events in any order', () => {
  const steps = fc.array(step, { maxLength: 80, size: 'max' })
  const rate = fc.constantFrom(null, 20)

  it(
    'claims no message twice unless it was certainly not sent, keeps its counts consistent, and ends',
    () =>
      onTables((sql) => {
        fc.assert(
          fc.property(steps, rate, (steps, rate) => {
            const life = new Life(sql, rate)
            for (const step of steps) life.run(step)
            life.drain()
            expect(['finished', 'canceled']).toContain(life.status)
          }),
          { numRuns: runs(150) },
        )
      }),
    120_000,
  )
})
