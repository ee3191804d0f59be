// Tests the retry of a finished delivery: which messages are sent again, and that no recipient gets one twice.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { deliver, deliveries, deliveryOn, deliveryParams, errorReply, show, type Tested, target } from './support.ts'

const emailOnly = { has_sms: false, has_feed: false }
const day = 86_400_000

const unknownUser = () =>
  Response.json(
    {
      ...{ status: false, status_code: 'smtp_failed', message: '' },
      content: { step: 'recipients', smtp: 550, reply: { code: 550, enhanced: '5.1.1', text: '' } },
    },
    { status: 502 },
  )

const lost = () => Response.json({ status: false, status_code: 'smtp_outcome_unknown', message: '' }, { status: 504 })

/** Runs the queue's tasks that a retry has created, and returns the delivery. */
async function rerun(tested: Tested, id: number) {
  const ledger = await tested.ledgerOf(id)
  await tested.env.LEDGER.getByName(ledger).wake()
  await tested.queue.run(tested, ledger)
  return show(tested, id)
}

describe.each(deliveries())('a retry, on $dialect', (tested) => {
  const { channels, send, content } = tested
  beforeEach(() => Object.assign(channels.email, { sent: [], respond: undefined }))

  const retry = (id: number, states: string[], more: object = {}) =>
    send('POST', '/delivery/retry', { id, states, ...more })

  it('sends failed messages again, and nothing else', async () => {
    channels.email.respond = ({ to }) => (to === 'user3@example.com' ? unknownUser() : undefined)
    const { id, report } = await deliver(tested, emailOnly)
    expect(report.email).toMatchObject({ sent: 19, failed: 1, reasons: { refused: 1 } })
    Object.assign(channels.email, { sent: [], respond: undefined })
    const { status, json } = await retry(id, ['failed'])
    expect({ status, json }).toEqual({
      status: 200,
      json: { status: true, content: { messages: 1, pieces: 0, expired: 0 } },
    })
    const reopened = await show(tested, id)
    expect([reopened.status, reopened.progress < 1, reopened.report.email!.queued]).toEqual(['started', true, 1])
    expect((await content('GET', '/deliveries', { limit: 1 })).deliveries).toMatchObject([{ id, status: 'started' }])
    expect(await rerun(tested, id)).toMatchObject({
      ...{ status: 'finished', progress: 1 },
      report: { email: { sent: 20, failed: 0, reasons: {} }, pieces: { processed: 4 } },
    })
    expect(channels.email.sent.map(({ to }) => to)).toEqual(['user3@example.com'])
    expect((await retry(id, ['failed', 'unknown', 'skipped'])).json.content).toEqual({
      messages: 0,
      pieces: 0,
      expired: 0,
    })
  })

  it('fetches failed pieces again, and sends no recipient a second message', async () => {
    const key = crypto.randomUUID()
    const data_url = target(`/recipients?key=${key}&same=1&kind=${'html,'.repeat(5)}good`)
    const { id, report } = await deliver(tested, { ...emailOnly, data_url, max: 5, gap: 5 })
    expect(report.pieces).toMatchObject({ failed: 1, processed: 0 })
    expect((await retry(id, ['failed'])).json.content).toMatchObject({ messages: 0, pieces: 1 })
    expect(await rerun(tested, id)).toMatchObject({
      ...{ status: 'finished', progress: 1 },
      report: { pieces: { failed: 0, processed: 1 }, recipients: 5, email: { sent: 1, skipped: 4 } },
    })
  })

  it('of unknown messages uses the same idempotency key', async () => {
    channels.email.respond = lost
    const { id, report } = await deliver(tested, { ...emailOnly, max: 2 })
    expect(report.email).toMatchObject({ unknown: 2 })
    const keys = channels.email.sent.map(({ key }) => key).toSorted()
    expect(new Set(keys).size).toBe(2)
    Object.assign(channels.email, { sent: [], respond: undefined })
    expect((await retry(id, ['unknown'])).json.content).toMatchObject({ messages: 2, expired: 0 })
    expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { email: { sent: 2, unknown: 0 } } })
    expect(channels.email.sent.map(({ key }) => key).toSorted()).toEqual(keys)
  })

  it('leaves unknown messages whose outcome the channel does not know either, unless duplicates are allowed', async () => {
    channels.email.respond = lost
    const { id } = await deliver(tested, { ...emailOnly, max: 2 })
    const keys = new Set(channels.email.sent.map(({ key }) => key))
    // The channel still knows these keys, and replies again that the outcome was lost.
    channels.email.respond = ({ key }) => (keys.has(key) ? lost() : undefined)
    await retry(id, ['unknown'])
    expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { email: { sent: 0, unknown: 2 } } })
    await retry(id, ['unknown'], { allow_duplicates: true })
    expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { email: { sent: 2, unknown: 0 } } })
  })

  it.each([
    ['email', 7 * day, { has_sms: false, has_feed: false }],
    ['feed', day, { has_sms: false, has_email: false }],
  ] as const)(
    'leaves an unknown %s message whose key expires while the retry waits, unless duplicates are allowed',
    async (name, retention, only) => {
      const channel = channels[name]
      Object.assign(channel, { sent: [], respond: lost })
      const { id } = await deliver(tested, { ...only, max: 2 })
      expect(channel.sent).toHaveLength(2)
      const ledger = await tested.ledgerOf(id)
      const older = (ms: number) =>
        tested.inLedger(ledger, (sql) => sql.exec('UPDATE messages SET key_at = key_at - ?', ms))
      Object.assign(channel, { sent: [], respond: undefined })
      await older(retention - 3_600_000)
      expect((await retry(id, ['unknown'])).json.content).toMatchObject({ messages: 2, expired: 0 })
      await older(3_600_000)
      expect(await rerun(tested, id)).toMatchObject({
        ...{ status: 'finished', progress: 1 },
        report: { [name]: { sent: 0, queued: 0, unknown: 2, reasons: { key_expired: 2 } } },
      })
      expect(channel.sent).toEqual([])
      expect((await retry(id, ['unknown'])).json.content).toMatchObject({ messages: 0, expired: 2 })
      await retry(id, ['unknown'], { allow_duplicates: true })
      expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { [name]: { sent: 2, unknown: 0 } } })
    },
  )

  it('sends no messages of a channel that was removed, and does not report their recipients as deleted', async () => {
    Object.assign(channels.sms, { sent: [], respond: lost })
    channels.email.respond = ({ to }) => (to === 'user1@example.com' ? unknownUser() : undefined)
    const { id } = await deliver(tested, { has_feed: false, max: 2 })
    channels.sms.respond = undefined
    // A delivery that has finished cannot be changed; the retry reopens it.
    await retry(id, ['failed'])
    const changes = { id, name: 'Sale', min: 1, max: 2, gap: 5, has_sms: false }
    expect((await send('PATCH', '/delivery', changes)).status).toBe(200)
    expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { sms: { unknown: 2 } } })
    expect(await retry(id, ['unknown'])).toMatchObject({
      status: 200,
      json: { content: { messages: 0, pieces: 0, expired: 0 } },
    })
  })

  it('of skipped messages sends those whose phone has left the blacklist', async () => {
    channels.sms.respond = () => Response.json({ status: true, content: { messages: [{ state: 'blacklisted' }] } })
    const { id } = await deliver(tested, { has_email: false, has_feed: false, max: 3 })
    channels.sms.respond = undefined
    expect((await retry(id, ['failed'])).json.content).toMatchObject({ messages: 0 })
    expect((await retry(id, ['skipped'])).json.content).toMatchObject({ messages: 3 })
    expect(await rerun(tested, id)).toMatchObject({ status: 'finished', report: { sms: { sent: 3, skipped: 0 } } })
  })

  it('returns 409 after DELIVERY_RETRY_DAYS, when the recipients are deleted', async () => {
    channels.email.respond = unknownUser
    const { id } = await deliver(tested, { ...emailOnly, max: 2 })
    const ledger = await tested.ledgerOf(id)
    const kept = () => tested.inLedger(ledger, (sql) => sql.exec('SELECT data FROM recipients').toArray())
    const later = async (days: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day })
      await tested.env.LEDGER.getByName(ledger).wake()
      vi.useRealTimers()
    }
    await later(6.9)
    expect(await kept()).toHaveLength(2)
    await later(7.1)
    expect(await kept()).toEqual([])
    const dump = await tested.inLedger(ledger, (sql) => JSON.stringify(sql.exec('SELECT * FROM targets').toArray()))
    expect(dump).toBe('[]')
    expect(await retry(id, ['failed'])).toMatchObject(errorReply(409, 'recipients_deleted'))
  })

  it('returns 409 for a running or canceled delivery', async () => {
    const { content: started } = (await send('POST', '/delivery', deliveryParams(emailOnly))).json as never as {
      content: { delivery: { id: number } }
    }
    const { id } = started.delivery
    expect(await retry(id, ['failed'])).toMatchObject(errorReply(409, 'delivery_started'))
    await send('POST', '/delivery/cancel', { id })
    expect(await retry(id, ['failed'])).toMatchObject(errorReply(409, 'delivery_canceled'))
    expect(await retry(id, [])).toMatchObject({ status: 400 })
    expect(await retry(999_999, ['failed'])).toMatchObject(errorReply(404, 'delivery_not_found'))
  })
})

describe('a ledger of the previous version', () => {
  it('opens, and its unknown messages have no idempotency key for a retry', async () => {
    const tested = deliveryOn(databases[0]!)
    tested.channels.email.respond = lost
    const { id } = await deliver(tested, { ...emailOnly, max: 2 })
    const ledger = await tested.ledgerOf(id)
    await tested.inLedger(ledger, (sql) => sql.exec('UPDATE messages SET key_at = 0'))
    const states = { id, states: ['unknown'] }
    expect((await tested.send('POST', '/delivery/retry', states)).json.content).toMatchObject({
      messages: 0,
      expired: 2,
    })
    expect(await show(tested, id)).toMatchObject({ status: 'finished' })
  })
})
