// Tests the control of a running delivery: cancel, pause, resume, change and delete.
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import {
  type DeliveryView,
  deliveries,
  deliveryOn,
  deliveryParams,
  errorReply,
  show,
  start,
  type Tested,
  target,
  validationError,
} from './support.ts'

const states = ({ report }: DeliveryView) => report.sms

/** Makes a channel hold all replies, so that messages stay in flight, until `release` is called. */
function held({ channels }: Tested, channel: 'sms' | 'email' | 'feed' = 'sms') {
  const waiting: (() => void)[] = []
  channels[channel].respond = async () => {
    await new Promise<void>((go) => waiting.push(go))
    return undefined
  }
  const release = () => {
    channels[channel].respond = undefined
    for (const go of waiting.splice(0)) go()
  }
  return { release, arrived: (n: number) => expect.poll(() => waiting.length).toBe(n) }
}

const smsOnly = { has_email: false, has_feed: false }

/** Starts a delivery and fetches its pages. Returns the tasks of its slices, none of which has been run. */
async function startFetched(tested: Tested, more: object = {}) {
  const { id } = await start(tested, { ...smsOnly, ...more })
  const ledger = await tested.ledgerOf(id)
  const [fraction] = tested.queue.at('/piece', ledger)
  while (fraction!.state === 'waiting') expect(await tested.queue.perform(tested, fraction!)).toBe(200)
  await tested.env.LEDGER.getByName(ledger).wake()
  return { id, ledger, slices: tested.queue.at('/slice', ledger) }
}

const forget = ({ channels }: Tested) => {
  for (const channel of Object.values(channels)) Object.assign(channel, { sent: [], respond: undefined })
}

describe.each(deliveries())('on $dialect', (tested) => {
  const { send, queue, content, channels } = tested
  beforeEach(() => forget(tested))

  const listed = async (id: number) => {
    const { deliveries } = await content('GET', '/deliveries', {})
    return (deliveries as unknown as DeliveryView[]).find((one) => one.id === id)!
  }

  describe('canceling', () => {
    it('skips all queued messages, and records the outcome of messages in flight', async () => {
      const { id, ledger, slices } = await startFetched(tested)
      const { arrived, release } = held(tested)
      const sending = queue.perform(tested, slices[0]!)
      await arrived(5)
      expect(await send('POST', '/delivery/cancel', { id })).toEqual({ status: 200, json: { status: true } })
      expect(await listed(id)).toMatchObject({ status: 'canceled', paused: false })
      expect(states(await show(tested, id))).toMatchObject({ queued: 0, sending: 5, skipped: 15 })
      release()
      expect(await sending).toBe(200)
      await queue.run(tested, ledger)
      const shown = await show(tested, id)
      expect(states(shown)).toMatchObject({ sending: 0, sent: 5, skipped: 15, reasons: { canceled: 15 } })
      expect([shown.status, shown.progress < 1, channels.sms.sent.length]).toEqual(['canceled', true, 5])
    })

    it('fetches no more pages, and cancels the fraction', async () => {
      const { id } = await start(tested)
      const ledger = await tested.ledgerOf(id)
      await send('POST', '/delivery/cancel', { id })
      await expect.poll(() => queue.waiting(ledger)).toEqual([])
      const [task] = queue.tasks.filter(({ json }) => json.ledger === ledger)
      expect(task).toMatchObject({ state: 'canceled' })
      expect(await queue.perform(tested, task!)).toBe(200)
      expect((await show(tested, id)).report.recipients).toBe(0)
    })

    it('is idempotent, and returns 409 for a finished delivery', async () => {
      const { id, ledger } = await startFetched(tested, { max: 3 })
      for (let time = 0; time < 2; time++) expect((await send('POST', '/delivery/cancel', { id })).status).toBe(200)
      const other = await startFetched(tested, { max: 3 })
      await queue.run(tested, other.ledger)
      expect(await send('POST', '/delivery/cancel', { id: other.id })).toMatchObject(
        errorReply(409, 'delivery_finished'),
      )
      await queue.run(tested, ledger)
      expect(await show(tested, id)).toMatchObject({ status: 'canceled' })
    })

    it('counts messages that were lost in flight as unknown', async () => {
      const { id, ledger } = await startFetched(tested)
      const slice = await tested.inLedger(ledger, (sql) => sql.exec<{ id: number }>('SELECT id FROM slices').one().id)
      const turn = { slice, settled: [], held: [], version: 0, limit: 3 }
      expect((await tested.env.LEDGER.getByName(ledger).claimNext(turn)).messages).toHaveLength(3)
      await send('POST', '/delivery/cancel', { id })
      await tested.inLedger(ledger, (sql) => sql.exec(`UPDATE messages SET at = 0 WHERE state = 'claimed'`))
      await tested.env.LEDGER.getByName(ledger).wake()
      expect(states(await show(tested, id))).toMatchObject({ sending: 0, unknown: 3, skipped: 17 })
    })
  })

  describe('pausing', () => {
    it('stops sending until the delivery is resumed, and then no message is lost or sent twice', async () => {
      const { id, ledger, slices } = await startFetched(tested, { max: 60, gap: 30 })
      const { arrived, release } = held(tested)
      const sending = queue.perform(tested, slices[0]!)
      await arrived(5)
      expect(await send('POST', '/delivery/pause', { id })).toEqual({ status: 200, json: { status: true } })
      expect(await listed(id)).toMatchObject({ status: 'started', paused: true })
      release()
      await sending
      await queue.run(tested, ledger)
      const paused = await show(tested, id)
      expect([paused.paused, states(paused)]).toMatchObject([true, { queued: 55, sending: 0, sent: 5 }])
      expect(await send('POST', '/delivery/resume', { id })).toEqual({ status: 200, json: { status: true } })
      await queue.run(tested, ledger)
      expect(await show(tested, id)).toMatchObject({ status: 'finished', paused: false, report: { sms: { sent: 60 } } })
      expect(new Set(channels.sms.sent.map(({ to }) => to)).size).toBe(60)
      expect(channels.sms.sent).toHaveLength(60)
    })

    it('cancels the fraction, and creates one for the rest of the range after resuming', async () => {
      const { id } = await start(tested, smsOnly)
      const ledger = await tested.ledgerOf(id)
      const [first] = queue.at('/piece', ledger)
      await queue.perform(tested, first!)
      await send('POST', '/delivery/pause', { id })
      await expect.poll(() => queue.at('/piece', ledger)).toEqual([])
      // This request of the fraction was in flight when the fraction was canceled.
      expect(await queue.perform(tested, first!)).toBe(503)
      await send('POST', '/delivery/resume', { id })
      await expect.poll(() => queue.at('/piece', ledger)).toMatchObject([{ range: { min: 6, max: 20, gap: 5 } }])
      await queue.run(tested, ledger)
      expect(await show(tested, id)).toMatchObject({
        status: 'finished',
        report: { recipients: 20, sms: { sent: 20 } },
      })
    })

    it('is idempotent like resuming, and both return 409 for an ended delivery', async () => {
      const { id, ledger } = await startFetched(tested, { max: 2 })
      for (const path of ['/delivery/pause', '/delivery/pause', '/delivery/resume', '/delivery/resume'])
        expect((await send('POST', path, { id })).status).toBe(200)
      await queue.run(tested, ledger)
      for (const path of ['/delivery/pause', '/delivery/resume'])
        expect(await send('POST', path, { id })).toMatchObject(errorReply(409, 'delivery_finished'))
      const other = await startFetched(tested)
      await send('POST', '/delivery/pause', { id: other.id })
      await send('POST', '/delivery/cancel', { id: other.id })
      expect(await show(tested, other.id)).toMatchObject({ status: 'canceled', paused: false })
      expect(await send('POST', '/delivery/resume', { id: other.id })).toMatchObject(
        errorReply(409, 'delivery_canceled'),
      )
    })
  })

  describe('changing', () => {
    const required = { name: 'Sale', min: 1, max: 20, gap: 5 }

    it('applies to unsent messages, and keeps the fields that are not given', async () => {
      const { id, ledger, slices } = await startFetched(tested)
      const { arrived, release } = held(tested)
      const sending = queue.perform(tested, slices[0]!)
      await arrived(5)
      const changes = { id, ...required, name: 'Other', sms_message: { de: 'Neu, {{ name }}' } }
      expect(await send('PATCH', '/delivery', changes)).toEqual({ status: 200, json: { status: true } })
      release()
      await sending
      await queue.run(tested, ledger)
      const sent = channels.sms.sent.map(({ body }) => body.message!)
      expect([sent.filter((text) => text.startsWith('Neu')).length, sent.length]).toEqual([15, 20])
      const shown = await show(tested, id)
      expect(shown).toMatchObject({ name: 'Other', status: 'finished', sms_message: { de: 'Neu, {{ name }}' } })
      expect(shown).toMatchObject({ email_subject: deliveryParams().email_subject, payload: { shop: 'Acme' } })
      expect(await listed(id)).toMatchObject({ name: 'Other' })
    })

    it('removes a channel, and skips its messages', async () => {
      const { id, ledger } = await startFetched(tested, { has_feed: true })
      await send('PATCH', '/delivery', { id, ...required, has_sms: false })
      await queue.run(tested, ledger)
      const { status, report } = await show(tested, id)
      expect(status).toBe('finished')
      expect(report.sms).toMatchObject({ skipped: 20, reasons: { channel_off: 20 } })
      expect(report.feed).toMatchObject({ sent: 20 })
    })

    it('adds a channel for pages that are fetched afterwards', async () => {
      const { id } = await start(tested, smsOnly)
      const ledger = await tested.ledgerOf(id)
      await queue.perform(tested, queue.at('/piece', ledger)[0]!)
      await send('PATCH', '/delivery', { id, ...required, has_feed: true })
      await queue.run(tested, ledger)
      expect((await show(tested, id)).report).toMatchObject({ sms: { sent: 20 }, feed: { sent: 15 } })
    })

    it('replaces the fraction if no piece has been fetched', async () => {
      const { id } = await start(tested, smsOnly)
      const ledger = await tested.ledgerOf(id)
      const [old] = queue.at('/piece', ledger)
      await send('PATCH', '/delivery', { id, ...required, min: 11, max: 30, gap: 10 })
      expect(old).toMatchObject({ state: 'canceled' })
      expect(queue.at('/piece', ledger)).toMatchObject([{ range: { min: 11, max: 30, gap: 10 } }])
      // This call for a piece of the old fraction was in flight when the range changed.
      expect(await queue.perform(tested, old!)).toBe(200)
      await queue.run(tested, ledger)
      const { report, progress } = await show(tested, id)
      expect([report.pieces.total, report.recipients, report.sms.sent, progress]).toEqual([2, 20, 20, 1])
      expect(queue.tasks.filter(({ json, path }) => json.ledger === ledger && path === '/piece')).toHaveLength(2)
    })

    it('returns 409 for another range after the first piece, and accepts the same range', async () => {
      const { id } = await startFetched(tested)
      for (const other of [{ min: 2 }, { max: 21 }, { gap: 6 }])
        expect(await send('PATCH', '/delivery', { id, ...required, ...other })).toMatchObject(
          errorReply(409, 'range_fixed'),
        )
      expect((await send('PATCH', '/delivery', { id, ...required })).status).toBe(200)
    })

    it('returns 400 if no channel is left, or if a channel has no texts', async () => {
      const { id } = await startFetched(tested, { email_subject: undefined, has_sms: true })
      const patch = (more: object) => send('PATCH', '/delivery', { id, ...required, ...more })
      expect(await patch({ has_sms: false })).toMatchObject(validationError('has_email'))
      expect(await patch({ has_email: true })).toMatchObject(validationError('email_subject'))
      expect(await patch({ sms_message: {} })).toMatchObject(validationError('sms_message'))
      expect(await patch({ sms_message: { en: '{% if' } })).toMatchObject(validationError('sms_message.en'))
      expect((await show(tested, id)).report.sms).toMatchObject({ queued: 20 })
    })

    it('returns 409 for an ended delivery', async () => {
      const { id, ledger } = await startFetched(tested, { max: 5 })
      await queue.run(tested, ledger)
      const changes = { ...required, max: 5 }
      expect(await send('PATCH', '/delivery', { id, ...changes })).toMatchObject(errorReply(409, 'delivery_finished'))
      const other = await startFetched(tested)
      await send('POST', '/delivery/cancel', { id: other.id })
      expect(await send('PATCH', '/delivery', { id: other.id, ...required })).toMatchObject(
        errorReply(409, 'delivery_canceled'),
      )
    })
  })

  describe('deleting', () => {
    it('cancels and deletes a delivery, and later calls of the queue do nothing', async () => {
      const { id, ledger, slices } = await startFetched(tested)
      const { arrived, release } = held(tested)
      const sending = queue.perform(tested, slices[0]!)
      await arrived(5)
      expect(await send('DELETE', '/delivery', { id })).toEqual({ status: 200, json: { status: true } })
      release()
      expect(await sending).toBe(200)
      const { headers } = slices[0]!
      expect((await tested.call('/slice', slices[0]!.json, headers)).status).toBe(200)
      expect((await tested.call('/piece', { ledger, _min: 1, _max: 5, _gap: 5 }, headers)).status).toBe(200)
      expect(channels.sms.sent).toHaveLength(5)
      for (const [method, path] of [
        ['GET', '/delivery'],
        ['DELETE', '/delivery'],
        ['POST', '/delivery/cancel'],
        ['POST', '/delivery/pause'],
        ['POST', '/delivery/resume'],
        ['POST', '/delivery/copy'],
        ['GET', '/delivery/failures'],
        ['GET', '/delivery/pieces'],
      ] as const)
        expect(await send(method, path, { id })).toMatchObject(errorReply(404, 'delivery_not_found'))
      expect(await listed(id)).toBeUndefined()
      const tables = await tested.inLedger(ledger, (sql) =>
        sql.exec(`SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'`).toArray(),
      )
      expect(tables).toEqual([])
    })

    it('deletes a finished delivery too', async () => {
      const { id, ledger } = await startFetched(tested, { max: 2 })
      await queue.run(tested, ledger)
      expect((await send('DELETE', '/delivery', { id })).status).toBe(200)
      expect((await send('GET', '/delivery', { id })).status).toBe(404)
    })
  })

  describe('copying', () => {
    it('starts another delivery with all changes of the first', async () => {
      const { id, ledger } = await startFetched(tested, { max: 5 })
      await send('PATCH', '/delivery', { id, name: 'B', min: 1, max: 5, gap: 5, sms_message: { en: 'new' } })
      await queue.run(tested, ledger)
      channels.sms.sent = []
      const { delivery } = await content('POST', '/delivery/copy', { id })
      const copy = delivery as unknown as DeliveryView
      expect(copy).toMatchObject({ name: 'B', status: 'started', sms_message: { en: 'new' }, filters: { list: 'vip' } })
      expect(copy.id).toBeGreaterThan(id)
      await queue.run(tested, await tested.ledgerOf(copy.id))
      expect(await show(tested, copy.id)).toMatchObject({ status: 'finished', report: { sms: { sent: 5 } } })
      const { delivery: named } = await content('POST', '/delivery/copy', { id, name: 'C' })
      expect(named).toMatchObject({ name: 'C' })
    })
  })
})

describe('the list of failures', () => {
  const tested = deliveryOn(databases[0]!)

  it('has the position of each message on its page, without the recipient', async () => {
    const { channels, content, queue } = tested
    channels.sms.respond = ({ to }) =>
      to.endsWith('3') ? Response.json({ status: false, status_code: 'validation_failed' }, { status: 400 }) : undefined
    channels.feed.respond = ({ to }) => (to === 'user7' ? Promise.reject(new Error('lost')) : undefined)
    const { id } = await start(tested, { data_url: target('/recipients') })
    await queue.run(tested, await tested.ledgerOf(id))
    const failures = await content('GET', '/delivery/failures', { id, count: true })
    const refused = { channel: 'sms', state: 'failed', reason: 'refused', at: expect.any(String), index: 2 }
    const lost = { channel: 'feed', state: 'unknown', reason: 'interrupted', at: expect.any(String), index: 1 }
    expect(failures).toEqual({
      failures: [
        { min: 1, max: 5, ...refused },
        { min: 6, max: 10, ...lost },
        { min: 11, max: 15, ...refused },
      ],
      nb_results: 3,
    })
    const list = async (more: object) => (await content('GET', '/delivery/failures', { id, ...more })) as object
    expect(await list({ channel: 'feed', count: true })).toMatchObject({ failures: [lost], nb_results: 1 })
    expect(await list({ state: 'failed', count: true })).toMatchObject({ failures: [refused, refused], nb_results: 2 })
    expect(await list({ channel: 'feed', state: 'failed' })).toEqual({ failures: [] })
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({ failures: [lost] })
  })
})
