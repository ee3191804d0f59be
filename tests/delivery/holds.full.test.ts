// Tests that a delivery waits without losing a message while a channel or `data_url` is down, and continues when it is back.
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { type DeliveryView, deliveries, deliveryOn, show, start, type Tested, target } from './support.ts'

const minute = 60_000
const smsOnly = { has_email: false, has_feed: false }
const emailOnly = { has_sms: false, has_feed: false }

const refuse = (status: number, status_code: string, content?: object) => () =>
  Response.json({ status: false, status_code, message: '', content }, { status })

const noServer = refuse(502, 'smtp_failed', { step: 'connect' })
const smtp = (code: number, enhanced: string | null, step = 'recipients') =>
  refuse(502, 'smtp_failed', { step, smtp: code, reply: { code, enhanced, text: 'no' } })
const text = (reason: string, status = 502) => refuse(status, 'sms_failed', { messages: [{ state: 'failed', reason }] })

/** Lets time pass for a delivery: makes the rows of its ledger older by this many milliseconds, then runs all due work. */
async function pass(tested: Tested, id: number, ms: number): Promise<DeliveryView> {
  const ledger = await tested.ledgerOf(id)
  await tested.inLedger(ledger, (sql) => {
    sql.exec('UPDATE outlets SET next_at = next_at - ?1, probe_until = probe_until - ?1', ms)
    sql.exec(`UPDATE pieces SET at = at - ? WHERE state = 'waiting'`, ms)
    sql.exec(`UPDATE messages SET at = at - ? WHERE state = 'queued'`, ms)
    sql.exec('UPDATE messages SET refused_at = refused_at - ? WHERE refused_at > 0', ms)
  })
  await tested.env.LEDGER.getByName(ledger).wake()
  await tested.queue.run(tested, ledger)
  return show(tested, id)
}

async function begin(tested: Tested, more: object = {}) {
  const { id } = await start(tested, more)
  return { id, shown: await pass(tested, id, 0) }
}

/** Expects the next attempt in about this many seconds. The tolerance is for slow machines. */
function expectNextIn(shown: DeliveryView, seconds: number) {
  const wait = (Date.parse(`${shown.next_attempt_at}Z`) - Date.now()) / 1_000
  expect(wait).toBeLessThanOrEqual(seconds)
  expect(wait).toBeGreaterThan(seconds - 30)
}

describe.each(deliveries())('a delivery whose mail server is down, on $dialect', (tested) => {
  const { channels, content, send } = tested
  beforeEach(() => Object.assign(channels.email, { sent: [], respond: noServer }))

  it('is held without losing a message: it tries one mail after 10 s, 1 min, 5 min, then every 15 min', async () => {
    const { id, shown } = await begin(tested, emailOnly)
    expect(shown).toMatchObject({ status: 'started', paused: false, held: true, held_reason: 'outlet_open' })
    expect(shown.report.email).toMatchObject({ queued: 20, sending: 0, sent: 0, failed: 0, unknown: 0 })
    expect(channels.email.sent.length).toBeLessThanOrEqual(5)
    let attempts = channels.email.sent.length
    let next = 10
    for (const after of [60, 300, 900, 900, 900, 900]) {
      const held = await pass(tested, id, next * 1_000)
      expect([held.status, held.held]).toEqual(['started', true])
      expectNextIn(held, after)
      expect(channels.email.sent.length).toBe(++attempts)
      await pass(tested, id, 0)
      expect(channels.email.sent.length).toBe(attempts)
      next = after
    }
    channels.email.respond = undefined
    const over = await pass(tested, id, 900_000)
    expect(over).toMatchObject({ status: 'finished', held: false, held_reason: null, next_attempt_at: null })
    expect(over.report.email).toMatchObject({ sent: 20, failed: 0, unknown: 0 })
  })

  it('is listed as held', async () => {
    const { id } = await begin(tested, emailOnly)
    await tested.env.LEDGER.getByName(await tested.ledgerOf(id)).wake()
    const { deliveries } = await content('GET', '/deliveries', { limit: 1 })
    expect(deliveries).toMatchObject([
      { id, held: true, held_reason: 'outlet_open', next_attempt_at: expect.any(String) },
    ])
  })

  it('continues with the other channels', async () => {
    const { shown } = await begin(tested)
    expect(shown).toMatchObject({
      status: 'started',
      held: true,
      report: { email: { queued: 20 }, sms: { sent: 20 }, feed: { sent: 20 } },
    })
  })

  it('can be paused, changed and resumed, and resuming tries at once', async () => {
    const { id } = await begin(tested, emailOnly)
    expect((await send('POST', '/delivery/pause', { id })).status).toBe(200)
    const attempts = channels.email.sent.length
    expect(await pass(tested, id, 20 * minute)).toMatchObject({ status: 'started', paused: true, held: true })
    const changes = { id, name: 'Sale', min: 1, max: 20, gap: 5, email_subject: { en: 'New' } }
    expect((await send('PATCH', '/delivery', changes)).status).toBe(200)
    expect(channels.email.sent).toHaveLength(attempts)
    channels.email.respond = undefined
    await send('POST', '/delivery/resume', { id })
    expect(await pass(tested, id, 0)).toMatchObject({ status: 'finished', report: { email: { sent: 20 } } })
    expect(channels.email.sent.at(-1)!.body.subject).toBe('New')
  })

  it('can be resumed before its next attempt', async () => {
    const { id } = await begin(tested, emailOnly)
    channels.email.respond = undefined
    await send('POST', '/delivery/resume', { id })
    expect(await pass(tested, id, 0)).toMatchObject({ status: 'finished', report: { email: { sent: 20 } } })
  })

  it('can be canceled, which ends the hold', async () => {
    const { id } = await begin(tested, emailOnly)
    expect((await send('POST', '/delivery/cancel', { id })).status).toBe(200)
    expect(await show(tested, id)).toMatchObject({
      ...{ status: 'canceled', held: false, held_reason: null },
      report: { email: { queued: 0, skipped: 20, reasons: { canceled: 20 } } },
    })
    const { deliveries } = await content('GET', '/deliveries', { limit: 1 })
    expect(deliveries).toMatchObject([{ id, held: false, next_attempt_at: null }])
  })

  it('finishes if the channel is removed, and can be deleted', async () => {
    const { id } = await begin(tested)
    const changes = { id, name: 'Sale', min: 1, max: 20, gap: 5, has_email: false }
    expect((await send('PATCH', '/delivery', changes)).status).toBe(200)
    expect(await pass(tested, id, 0)).toMatchObject({ status: 'finished', held: false })
    const other = await begin(tested, emailOnly)
    expect((await send('DELETE', '/delivery', { id: other.id })).status).toBe(200)
    expect((await send('GET', '/delivery', { id: other.id })).status).toBe(404)
  })
})

const tested = deliveryOn(databases[0]!)
const { channels } = tested
beforeEach(() => {
  for (const channel of Object.values(channels)) Object.assign(channel, { sent: [], respond: undefined })
})

describe('a mail server', () => {
  it('that is out of quota holds the delivery, and no message is lost', async () => {
    const overQuota = smtp(550, '5.4.5')
    channels.email.respond = () => (channels.email.sent.length > 8 ? overQuota() : undefined)
    const { id, shown } = await begin(tested, emailOnly)
    expect(shown).toMatchObject({
      ...{ status: 'started', held: true, held_reason: 'quota' },
      report: { email: { sent: 8, queued: 12, failed: 0 } },
    })
    for (let hours = 0; hours < 24; hours++) await pass(tested, id, 60 * minute)
    expect((await show(tested, id)).report.email).toMatchObject({ sent: 8, queued: 12, failed: 0 })
    expect(channels.email.sent.length).toBeLessThan(8 + 5 + 30)
    channels.email.respond = undefined
    expect(await pass(tested, id, 60 * minute)).toMatchObject({ status: 'finished', report: { email: { sent: 20 } } })
  })

  const own = { state: 'failed', held: null }
  it.each<[number, string | null, string, { state: string; held: string | null }]>([
    [550, '5.1.1', 'recipients', own],
    [553, '5.1.3', 'recipients', own],
    [550, '5.2.1', 'recipients', own],
    [550, null, 'recipients', own],
    [554, '5.6.0', 'message', own],
    [552, '5.3.4', 'message', own],
    [450, '4.2.1', 'recipients', { state: 'queued', held: null }],
    [451, '4.1.8', 'recipients', { state: 'queued', held: null }],
    [550, '5.4.5', 'message', { state: 'queued', held: 'quota' }],
    [452, '4.5.3', 'recipients', { state: 'queued', held: 'quota' }],
    [450, null, 'recipients', { state: 'queued', held: 'quota' }],
    [451, '4.4.4', 'recipients', { state: 'queued', held: 'quota' }],
    [421, '4.7.0', 'message', { state: 'queued', held: 'quota' }],
    [451, null, 'data', { state: 'queued', held: 'quota' }],
    [450, '4.7.1', 'recipients', { state: 'queued', held: 'quota' }],
    [421, null, 'greeting', { state: 'queued', held: 'quota' }],
    [550, '5.7.1', 'message', { state: 'queued', held: 'outlet_open' }],
    [554, '5.7.1', 'recipients', { state: 'queued', held: 'outlet_open' }],
    [550, '5.1.8', 'recipients', { state: 'queued', held: 'outlet_open' }],
    [550, '5.7.1', 'sender', { state: 'queued', held: 'outlet_open' }],
    [535, '5.7.8', 'login', { state: 'queued', held: 'outlet_open' }],
    [454, '4.7.0', 'login', { state: 'queued', held: 'outlet_open' }],
    [554, null, 'greeting', { state: 'queued', held: 'outlet_open' }],
  ])(
    'that replies %d %s at %s fails the message or holds the delivery',
    async (code, enhanced, step, { state, held }) => {
      channels.email.respond = smtp(code, enhanced, step)
      const { shown } = await begin(tested, { ...emailOnly, max: 1 })
      expect(shown.held_reason).toBe(held)
      expect(shown.report.email).toMatchObject({ [state]: 1 })
    },
  )

  it('that refuses one recipient by policy and accepts others fails that message after four tries', async () => {
    channels.email.respond = ({ to }) => (to === 'user3@example.com' ? smtp(554, '5.7.1')() : undefined)
    const { id } = await begin(tested, { ...emailOnly, max: 10 })
    for (let n = 0; n < 5; n++) await pass(tested, id, 15 * minute)
    expect(await show(tested, id)).toMatchObject({
      status: 'finished',
      report: { email: { sent: 9, failed: 1, reasons: { refused: 1 } } },
    })
  })

  it.each([
    [450, '4.7.1'],
    [451, '4.4.4'],
    [450, null],
  ])('that replies %d %s for some recipients and accepts others does not lower the rate', async (code, enhanced) => {
    channels.email.respond = ({ to }) => (/^user[37]@/.test(to) ? smtp(code, enhanced)() : undefined)
    const { id, shown } = await begin(tested, { ...emailOnly, max: 20 })
    const rates = await tested.inLedger(await tested.ledgerOf(id), (sql) =>
      sql.exec('SELECT rate FROM outlets WHERE rate IS NOT NULL').toArray(),
    )
    expect(rates).toEqual([])
    expect(shown).toMatchObject({ held: false, report: { email: { sent: 18, queued: 2 } } })
    // The mail server rejected these recipients only temporarily (greylisting), and now accepts them.
    channels.email.respond = undefined
    expect(await pass(tested, id, 15 * minute)).toMatchObject({ status: 'finished', report: { email: { sent: 20 } } })
  })

  it('that starts to refuse all recipients temporarily holds the delivery, and no message is lost', async () => {
    channels.email.respond = () => (channels.email.sent.length > 8 ? smtp(450, '4.7.1')() : undefined)
    const { id, shown } = await begin(tested, emailOnly)
    expect(shown).toMatchObject({ held: true, held_reason: 'quota', report: { email: { sent: 8, queued: 12 } } })
    expect(channels.email.sent.length).toBeLessThan(8 + 11)
    for (let n = 0; n < 20; n++) await pass(tested, id, 15 * minute)
    expect((await show(tested, id)).report.email).toMatchObject({ sent: 8, queued: 12, failed: 0 })
    channels.email.respond = undefined
    await pass(tested, id, 15 * minute)
    expect(await pass(tested, id, 15 * minute)).toMatchObject({ status: 'finished', report: { email: { sent: 20 } } })
  })

  it('that refuses all recipients by policy holds the delivery, and no message is lost', async () => {
    channels.email.respond = smtp(554, '5.7.1', 'message')
    const { id } = await begin(tested, { ...emailOnly, max: 2 })
    for (let n = 0; n < 30; n++) await pass(tested, id, 15 * minute)
    expect(await show(tested, id)).toMatchObject({ status: 'started', held: true, report: { email: { queued: 2 } } })
  })

  it.each([
    ['by policy', 554, '5.7.1'],
    ['temporarily', 450, '4.7.1'],
  ])(
    'that refuses a recipient %s and has accepted no mail fails the message after 4 days',
    async (_, code, enhanced) => {
      channels.email.respond = smtp(code, enhanced)
      const { id } = await begin(tested, { ...emailOnly, max: 1 })
      expect(await pass(tested, id, 95 * 60 * minute)).toMatchObject({
        status: 'started',
        report: { email: { queued: 1 } },
      })
      expect(await pass(tested, id, 60 * minute)).toMatchObject({
        status: 'finished',
        report: { email: { failed: 1, reasons: { refused: 1 } } },
      })
    },
  )

  it('with five unknown outcomes in a row holds the delivery, which then probes with one mail', async () => {
    channels.email.respond = refuse(504, 'smtp_outcome_unknown')
    const { id, shown } = await begin(tested, emailOnly)
    expect([shown.held_reason, shown.report.email]).toMatchObject(['outlet_open', { unknown: 5, queued: 15 }])
    expect((await pass(tested, id, 10_000)).report.email).toMatchObject({ unknown: 6, queued: 14 })
  })
})

describe('an SMS provider', () => {
  it.each([
    ['phone', 'failed', null],
    ['text', 'failed', null],
    ['forbidden', 'failed', null],
    ['rejected', 'failed', null],
    ['sender', 'failed', null],
    ['credentials', 'queued', 'outlet_open'],
    ['balance', 'queued', 'quota'],
    ['throttled', 'queued', 'quota'],
    ['unavailable', 'queued', 'outlet_open'],
    ['unreachable', 'queued', 'outlet_open'],
    ['timeout', 'queued', 'outlet_open'],
    ['not_attempted', 'queued', 'outlet_open'],
    ['circuit_open', 'queued', 'outlet_open'],
  ])('that fails with %s leaves the message %s', async (reason, state, held) => {
    channels.sms.respond = text(reason)
    const { shown } = await begin(tested, { ...smsOnly, max: 1 })
    expect([shown.held_reason, shown.report.sms]).toMatchObject([held, { [state]: 1 }])
  })

  it('with the phone on its blacklist skips the message', async () => {
    channels.sms.respond = () =>
      Response.json({ status: true, content: { messages: [{ state: 'blacklisted' }] } }, { status: 200 })
    const { shown } = await begin(tested, { ...smsOnly, max: 1 })
    expect(shown.report.sms).toMatchObject({ skipped: 1, reasons: { blacklisted: 1 } })
  })
})

describe('a data_url that is down', () => {
  const source = (kind: string) => {
    const key = crypto.randomUUID()
    return {
      data_url: target(`/recipients?key=${key}&kind=${kind}`),
      requestCount: async () => ((await (await fetch(target(`/asked?key=${key}`))).json()) as object[]).length,
    }
  }

  it('holds the delivery with one backoff for all pieces, and no piece fails', async () => {
    const { data_url, requestCount } = source('error,error,error,good')
    const { id, shown } = await begin(tested, { ...smsOnly, data_url, max: 4, gap: 1 })
    expect(shown).toMatchObject({ status: 'started', held: true, held_reason: 'data_url_unavailable' })
    expectNextIn(shown, 10)
    expect(await requestCount()).toBe(1)
    const after = [10, 60, 300]
    for (const [n, seconds] of after.entries()) {
      const held = await pass(tested, id, seconds * 1_000)
      expect([held.held, await requestCount()]).toEqual([true, n + 2])
      expectNextIn(held, [60, 300, 900][n]!)
      expect(held.report.pieces).toMatchObject({ failed: 0 })
    }
    for (let n = 0; n < 40 && (await show(tested, id)).status === 'started'; n++) await pass(tested, id, 15 * minute)
    const over = await show(tested, id)
    expect(over).toMatchObject({ status: 'finished', held: false })
    expect(over.report).toMatchObject({ pieces: { processed: 4, failed: 0 }, sms: { sent: 4 } })
  }, 60_000)

  it.each([
    ['the last piece', 1],
    ['every piece', 2],
  ])('is requested at once by a resume, if %s waits for it', async (_, pieces) => {
    const { data_url, requestCount } = source('error')
    const { id } = await begin(tested, { ...smsOnly, data_url, max: pieces, gap: 1 })
    for (const seconds of [10, 60]) await pass(tested, id, seconds * 1_000)
    expect([await requestCount(), (await pass(tested, id, 0)).held]).toEqual([3, true])
    await tested.send('POST', '/delivery/resume', { id })
    await pass(tested, id, 0)
    expect(await requestCount()).toBe(4)
  })

  it.each(['status-408', 'status-425', 'status-429', 'status-503', 'error'])(
    'counts as down if it replies with %s',
    async (kind) => {
      const { data_url } = source(kind)
      const { id, shown } = await begin(tested, { ...smsOnly, data_url, max: 1 })
      expect(shown.held_reason).toBe('data_url_unavailable')
      for (let n = 0; n < 10; n++) await pass(tested, id, 15 * minute)
      expect(await show(tested, id)).toMatchObject({ status: 'started', report: { pieces: { failed: 0 } } })
    },
  )

  it('counts as down if the connection is refused', async () => {
    const { shown } = await begin(tested, { ...smsOnly, data_url: 'http://127.0.0.1:1/', max: 1 })
    expect(shown).toMatchObject({ held: true, held_reason: 'data_url_unavailable' })
  })

  it.each(['html', 'status-404', 'cut'])(
    'does not count as down if it replies with %s: the piece fails after five tries',
    async (kind) => {
      const { data_url, requestCount } = source(kind)
      const { id, shown } = await begin(tested, { ...smsOnly, data_url, max: 1 })
      expect(shown.held).toBe(false)
      for (let n = 0; n < 5; n++) await pass(tested, id, minute)
      expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { pieces: { failed: 1 } } })
      expect(await requestCount()).toBe(5)
    },
  )

  it('for one piece only does not stop the other pieces', async () => {
    const key = crypto.randomUUID()
    const data_url = target(`/recipients?key=${key}&kind=good&poison=1`)
    const { id } = await begin(tested, { ...smsOnly, data_url, max: 20, gap: 1 })
    for (let n = 0; n < 5; n++) await pass(tested, id, minute)
    expect(await show(tested, id)).toMatchObject({
      ...{ status: 'started', held: true },
      report: { pieces: { processed: 19, failed: 0 }, sms: { sent: 19 } },
    })
  })
})
