// Tests how a delivery requests recipients from `data_url`: requests, retries, invalid replies and broken pages.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { deliver, deliveryOn, errorReply, hurry, show, start, target } from './support.ts'

// A long timeout for data sources that do reply, so that a slow machine does not fail the tests.
const longTimeout = { DELIVERY_DATA_TIMEOUT: '60' }
const tested = deliveryOn(databases[0]!, longTimeout)
const { queue } = tested

interface Piece {
  min: number
  max: number
  state: string
  tries: number
  reason: string | null
  recipients: number
}

const pieces = async (id: number, more: object = {}, { content } = tested) =>
  (await content('GET', '/delivery/pieces', { id, ...more })).pieces as unknown as Piece[]

/** A data source that replies in one way, such as with an error or a page that breaks off. `kind` selects the way. */
function source(kind: string) {
  const key = crypto.randomUUID()
  return {
    data_url: target(`/recipients?key=${key}&kind=${kind}`),
    go: async () => (await fetch(target(`/go?key=${key}`))).text(),
    requests: async () => (await fetch(target(`/asked?key=${key}`))).json() as Promise<Record<string, unknown>[]>,
  }
}

const onePiece = { min: 1, max: 3, has_email: false, has_feed: false }

afterEach(() => {
  vi.useRealTimers()
})

describe('a data_url', () => {
  it('gets a request for each piece, with the filters and the range of the piece', async () => {
    const { data_url, requests } = source('good')
    await deliver(tested, { data_url, min: -3, max: 8, gap: 5, filters: { list: ['a'], _min: 'x', n: 1.5 } })
    const filters = { list: ['a'], n: 1.5, _gap: 5 }
    expect(await requests()).toEqual([
      { ...filters, _min: -3, _max: 1 },
      { ...filters, _min: 2, _max: 6 },
      { ...filters, _min: 7, _max: 8 },
    ])
  })

  it.each([
    ['html', 'not_json'],
    ['half', 'not_json'],
    ['strings', 'not_objects'],
    ['mixed', 'not_objects'],
    ['nothing', 'no_content'],
    ['object', 'no_content'],
    ['text', 'no_content'],
    ['array', 'no_content'],
    ['cut', 'unreachable'],
    ['error', 'http_500'],
    ['moved', 'address_refused'],
    ['never', 'timeout'],
    ['stalls', 'timeout'],
    ['huge', 'answer_too_large'],
    ['wide', 'answer_too_large'],
    ['many', 'too_many_recipients'],
  ])('that replies with %s fails with %s, and is requested again', async (kind, reason) => {
    const { data_url, requests } = source(`${kind},good`)
    const one = deliveryOn(databases[0]!, reason === 'timeout' ? { DELIVERY_DATA_TIMEOUT: '1' } : longTimeout)
    const { id } = await start(one, { data_url, ...onePiece })
    const ledger = await one.ledgerOf(id)
    await one.queue.run(one, ledger)
    // While the data source is down, requests do not count as failed attempts of the piece.
    const tries = ['http_500', 'timeout'].includes(reason) ? 0 : 1
    expect(await pieces(id, {}, one)).toEqual([{ min: 1, max: 3, state: 'waiting', tries, reason, recipients: 0 }])
    expect((await show(one, id)).report).toMatchObject({ recipients: 0, sms: { queued: 0, sent: 0, skipped: 0 } })
    Object.assign(one.env, longTimeout)
    await hurry(one, ledger)
    await one.queue.run(one, ledger)
    expect(await show(one, id)).toMatchObject({ status: 'finished', report: { recipients: 3, sms: { sent: 3 } } })
    expect(await requests()).toHaveLength(2)
  })

  it('is requested five times for a piece, which then fails without stopping the others', async () => {
    const { data_url, requests } = source('cut,html,half,html,strings')
    const { id, report, status, progress } = await deliver(tested, { data_url, ...onePiece, max: 6, gap: 3 })
    expect([status, progress, report.pieces]).toEqual(['finished', 1, { total: 2, processed: 0, failed: 2 }])
    expect(await requests()).toHaveLength(10)
    const failed = { state: 'failed', tries: 5, reason: 'not_objects', recipients: 0 }
    expect(await pieces(id, { state: 'failed' })).toEqual([
      { min: 1, max: 3, ...failed },
      { min: 4, max: 6, ...failed },
    ])
    expect(await pieces(id, { limit: 1, offset: 1 })).toMatchObject([{ min: 4 }])
    expect(await pieces(id, { state: 'processed' })).toEqual([])
  })

  it('is requested with a doubling delay after failures, and the queue gets the delay in Retry-After', async () => {
    const { data_url, requests } = source('html')
    const { id } = await start(tested, { data_url, ...onePiece })
    const ledger = await tested.ledgerOf(id)
    const { headers } = queue.at('/piece', ledger)[0]!
    vi.useFakeTimers({ toFake: ['Date'] })
    const call = async () => {
      const body = JSON.stringify({ ledger, _min: 1, _max: 3, _gap: 5 })
      const response = await tested.fetch('http://component/piece', { method: 'POST', body, headers })
      const { status_code } = (await response.json()) as { status_code?: string }
      return [response.status, status_code, Number(response.headers.get('retry-after'))]
    }
    for (const wait of [5, 10, 20, 40]) {
      expect(await call()).toEqual([502, 'data_url_failed', wait])
      expect(await call()).toEqual([503, 'piece_busy', wait])
      await hurry(tested, ledger)
    }
    expect(await call()).toEqual([200, undefined, 0])
    expect(await requests()).toHaveLength(5)
  })

  it('is streamed to the ledger, and no message of the page is sent before its end', async () => {
    const { data_url, go } = source('slowly')
    const { id } = await start(tested, { data_url, ...onePiece, max: 1_200, gap: 2_000 })
    const ledger = await tested.ledgerOf(id)
    const fetching = queue.perform(tested, queue.at('/piece', ledger)[0]!)
    const staged = () =>
      tested.inLedger(
        ledger,
        (sql) => sql.exec<{ n: number }>(`SELECT count(*) AS n FROM messages WHERE state = 'staged'`).one().n,
      )
    await expect.poll(staged).toBe(1_000)
    expect((await show(tested, id)).report).toMatchObject({ recipients: 0, sms: { queued: 0 } })
    await go()
    expect(await fetching).toBe(200)
    expect((await show(tested, id)).report).toMatchObject({ recipients: 1_200, sms: { queued: 1_200 } })
  })

  it('with an empty page gives a processed piece', async () => {
    const { data_url } = source('empty')
    const { status, report } = await deliver(tested, { data_url })
    expect([status, report.recipients, report.pieces]).toEqual(['finished', 0, { total: 4, processed: 4, failed: 0 }])
  })

  it('with a private address is refused', async () => {
    const strict = deliveryOn(databases[0]!, { ALLOW_PRIVATE_TARGETS: 'false' })
    expect(
      await strict.send('POST', '/delivery', { name: 'x', min: 1, max: 1, gap: 1, filters: {}, data_url: target('/') }),
    ).toMatchObject(errorReply(400, 'validation_failed', 'data_url'))
  })
})

describe('a piece', () => {
  it('is fetched once by concurrent calls', async () => {
    const { data_url, requests } = source('good')
    const { id } = await start(tested, { data_url, ...onePiece })
    const ledger = await tested.ledgerOf(id)
    const [task] = queue.at('/piece', ledger)
    const json = { ledger, _min: 1, _max: 3, _gap: 5 }
    const replies = await Promise.all(Array.from({ length: 20 }, () => tested.call('/piece', json, task!.headers)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(new Set(statuses)).toEqual(statuses.includes(503) ? new Set([200, 503]) : new Set([200]))
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({ status: 'finished', report: { recipients: 3, sms: { sent: 3 } } })
    expect(await requests()).toHaveLength(1)
  })

  it.each([
    { _min: 2, _max: 4, _gap: 5 },
    { _min: 1, _max: 5, _gap: 5 },
    { _min: 1, _max: 3, _gap: 3 },
    { _min: 6, _max: 10, _gap: 5 },
    { _min: -4, _max: 0, _gap: 5 },
  ])('that is not in the range is not fetched: %j', async (piece) => {
    const { data_url, requests } = source('good')
    const { id } = await start(tested, { data_url, ...onePiece })
    const ledger = await tested.ledgerOf(id)
    const [task] = queue.at('/piece', ledger)
    expect((await tested.call('/piece', { ledger, ...piece }, task!.headers)).status).toBe(200)
    expect([await requests(), await pieces(id)]).toEqual([[], []])
  })

  it('whose page was interrupted by a crash is fetched again, and no message of the first attempt is sent', async () => {
    const { data_url } = source('good')
    const { id } = await start(tested, { data_url, ...onePiece })
    const ledger = await tested.ledgerOf(id)
    const stub = tested.env.LEDGER.getByName(ledger)
    const begun = await stub.beginPage({ min: 1, max: 3, gap: 5 }, 60_000)
    expect(begun).toMatchObject({ state: 'fetch', attempt: 1 })
    const staged = { place: 0, data: '{}', messages: [{ channel: 'sms' as const, hash: 'lost', reason: null }] }
    expect(await stub.stagePage({ piece: 1, attempt: 1 }, [staged])).toBe('kept')
    await queue.run(tested, ledger)
    expect((await show(tested, id)).report).toMatchObject({ recipients: 0, sms: { queued: 0 } })
    await tested.inLedger(ledger, (sql) => sql.exec('UPDATE pieces SET at = 0'))
    await queue.run(tested, ledger)
    expect(await show(tested, id)).toMatchObject({
      status: 'finished',
      report: { recipients: 3, sms: { sent: 3, skipped: 0, failed: 0, unknown: 0 } },
    })
    // The first attempt continues after its lease has expired and another attempt has begun: nothing that it writes may count.
    expect(await stub.stagePage({ piece: 1, attempt: 1 }, [staged])).toBe('unwanted')
    await stub.commitPage({ piece: 1, attempt: 1 }, 1)
    expect(await stub.failPage({ piece: 1, attempt: 1 }, 'timeout')).toBeUndefined()
    expect((await show(tested, id)).report).toMatchObject({ recipients: 3, sms: { sent: 3 } })
  })

  it('fails after 20 attempts that never end', async () => {
    const { data_url } = source('good')
    const { id } = await start(tested, { data_url, ...onePiece })
    const ledger = await tested.ledgerOf(id)
    const stub = tested.env.LEDGER.getByName(ledger)
    for (let attempt = 1; attempt <= 20; attempt++)
      expect(await stub.beginPage({ min: 1, max: 3, gap: 5 }, 0)).toMatchObject({ state: 'fetch', attempt })
    await queue.run(tested, ledger)
    expect(await pieces(id)).toMatchObject([{ state: 'failed', reason: 'interrupted' }])
    expect(await show(tested, id)).toMatchObject({ status: 'finished' })
  })
})
