// Tests how delivery receipts change the state of messages, also receipts that arrive early.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#sms/bindings'
import { findBlocked } from '#sms/blacklist'
import { insertMessages, type LedgerEntry, recordEntries } from '#sms/ledger'
import { type Provider, providerOf } from '#sms/providers'
import type { Receipt } from '#sms/providers/driver'
import { receiptUrlOf } from '#sms/receipt-webhook'
import { acceptReceipt, applyPendingReceipts } from '#sms/receipts'
import { schema } from '#sms/schema'
import { databases } from '../support/databases.ts'
import { fresh } from './places.ts'
import { errorReply, freshPhone, freshPhones, messageOf, smsOn, type TestedSms, target } from './support.ts'

const at = new Date('2026-01-02T03:04:05Z')
const later = new Date('2026-01-02T04:00:00Z')

describe.each(databases)('a receipt on $dialect', (database) => {
  const sms = open(database, schema)
  const { db, messages, receipts } = sms
  const common = { kind: 'sms' as const, segments: 1, provider: 'provider_a' as const, force: false }

  /** Stores a message that is being sent, and returns its id. */
  const begin = async () => (await insertMessages(sms, { ...common, phones: freshPhones(1) }, at))[0]!.id

  /** Records the provider's reply to a message. */
  const end = (id: number, provider_id: string, more: Partial<LedgerEntry> = {}) => {
    const known = { state: 'sent', reason: null, provider: 'provider_a', segments: null, keepsText: false } as const
    return recordEntries(sms, [{ id, provider_id, ...known, ...more }], '', at)
  }

  const sent = async (more: Partial<LedgerEntry> = {}) => {
    const [id, provider_id] = [await begin(), fresh()]
    await end(id, provider_id, more)
    return { id, provider_id }
  }

  const take = (provider_id: string, state: Receipt['state'], code: string | null = null, now = later) =>
    acceptReceipt(sms, 'provider_a', { provider_id, state, code }, now)

  const read = async (id: number) => (await db.select().from(messages).where(eq(messages.id, id)))[0]!
  const kept = (provider_id: string) => db.$count(receipts, eq(receipts.provider_id, provider_id))

  it.each(['delivered', 'undelivered', 'expired', 'rejected'] as const)(
    'makes a message %s permanently',
    async (state) => {
      const { id, provider_id } = await sent()
      await take(provider_id, state, '7')
      expect(await read(id)).toMatchObject({ state, receipt_code: '7', updated_at: later })
      for (const next of ['accepted', 'unknown', 'delivered', 'undelivered', 'expired', 'rejected'] as const)
        await take(provider_id, next, '8')
      expect(await read(id)).toMatchObject({ state, receipt_code: '7' })
      expect(await kept(provider_id)).toBe(0)
    },
  )

  it('updates a message that is recorded while the receipt is being stored', async () => {
    const [id, provider_id] = [await begin(), fresh()]
    let isFirst = true
    const racing = {
      ...sms,
      // The first raw statement of `acceptReceipt` stores the pending receipt; the message becomes known just before.
      run: async (query: Parameters<typeof sms.run>[0]) => {
        if (isFirst) {
          isFirst = false
          await end(id, provider_id)
        }
        return sms.run(query)
      },
    }
    await acceptReceipt(racing as typeof sms, 'provider_a', { provider_id, state: 'delivered', code: null }, later)
    expect(isFirst).toBe(false)
    expect(await read(id)).toMatchObject({ state: 'delivered' })
    expect(await kept(provider_id)).toBe(0)
  })

  it('changes only the code if the message is in transit or its state is unknown to the provider', async () => {
    const { id, provider_id } = await sent()
    await take(provider_id, 'accepted', 'queued')
    expect(await read(id)).toMatchObject({ state: 'sent', receipt_code: 'queued' })
    await take(provider_id, 'unknown', '?')
    expect(await read(id)).toMatchObject({ state: 'sent', receipt_code: '?' })
  })

  it('settles an unknown outcome', async () => {
    const one = await sent({ state: 'unknown', reason: 'timeout' })
    const other = await sent({ state: 'unknown', reason: 'timeout' })
    await take(one.provider_id, 'accepted')
    await take(other.provider_id, 'undelivered')
    expect(await read(one.id)).toMatchObject({ state: 'sent', reason: null })
    expect(await read(other.id)).toMatchObject({ state: 'undelivered', reason: null })
  })

  it('updates only messages of the same provider', async () => {
    const { id, provider_id } = await sent()
    await acceptReceipt(sms, 'provider_b', { provider_id, state: 'delivered', code: null }, later)
    expect(await read(id)).toMatchObject({ state: 'sent' })
  })

  it('is applied by the sweep if it arrives before the provider response is recorded', async () => {
    const [id, provider_id] = [await begin(), fresh()]
    await take(provider_id, 'accepted', '1')
    await take(provider_id, 'undelivered', '2')
    await take(provider_id, 'accepted', '3')
    await applyPendingReceipts(sms, later)
    await end(id, provider_id)
    expect(await read(id)).toMatchObject({ state: 'sent' })

    await applyPendingReceipts(sms, later)

    expect(await read(id)).toMatchObject({ state: 'undelivered', receipt_code: '2' })
    expect(await kept(provider_id)).toBe(0)
  })

  it('of a STOP ends the message and blocks the phone, before and after the message is recorded', async () => {
    const known = await sent()
    await take(known.provider_id, 'unsubscribed', '21610')
    const [id, provider_id] = [await begin(), fresh()]
    await take(provider_id, 'unsubscribed', '9')
    await end(id, provider_id)
    await applyPendingReceipts(sms, later)
    for (const [message, receipt_code] of [
      [known.id, '21610'],
      [id, '9'],
    ] as const) {
      const row = await read(message)
      expect(row).toMatchObject({ state: 'blacklisted', reason: 'unsubscribed', receipt_code })
      expect(await findBlocked(sms, row.phone)).toMatchObject({ phone: row.phone })
    }
  })

  it('of an unknown message is deleted after a while', async () => {
    const [old, young] = [fresh(), fresh()]
    await take(old, 'delivered', null, at)
    await take(young, 'delivered', null, later)
    await applyPendingReceipts(sms, new Date(later.getTime() + 300_000))
    expect([await kept(old), await kept(young)]).toEqual([0, 1])
  })

  it('may have any id and code', async () => {
    const strange = `\0\ud800${'x'.repeat(1_000)}`
    await take(strange, 'delivered', strange)
    await acceptReceipt(sms, 'provider_a', { provider_id: '', state: 'delivered', code: '' }, later)
  })
})

describe.each(databases)('receipts over HTTP on $dialect', (database) => {
  const RECEIPT_SECRET = 'the secret of receipts'
  /**
   * A gateway whose provider replies with the headers of the request, so that the message's id at the provider contains its id
   * in the gateway.
   */
  const reporting = (variables: object = {}) =>
    smsOn(database, {
      ...{ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: target('/echo'), PROVIDER_A_HEADERS: '{"x-own": "a-{id}"}' },
      ...{ PROVIDER_A_ID: 'headers.x-own', PROVIDER_A_RECEIPT_SECRET: RECEIPT_SECRET, OPEN: 'true', ...variables },
    })
  const proof = { authorization: `Bearer ${RECEIPT_SECRET}` }

  async function sentBy({ send }: TestedSms) {
    const message = messageOf(await send('POST', '/sms', { phones: freshPhone(), message: 'Hello' }))
    expect(message).toMatchObject({ state: 'sent', provider_id: `a-${message.id}` })
    return message
  }

  const stateOf = async ({ send }: TestedSms, id: number) => {
    const { json } = await send('GET', '/message', { id })
    return (json.content as unknown as { message: { state: string } }).message.state
  }

  it.each([
    ['as JSON', (id: string) => ({ body: JSON.stringify({ id, state: 'DELIVRD' }) })],
    ['as a form', (id: string) => ({ body: new URLSearchParams({ id, state: 'delivered' }) })],
  ])('are accepted %s', async (_, init) => {
    const gateway = reporting()
    const { id, provider_id } = await sentBy(gateway)
    const url = 'http://sms/receipt/provider_a'
    const response = await gateway.fetch(url, { method: 'POST', headers: proof, ...init(provider_id!) })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: true })
    expect(await stateOf(gateway, id)).toBe('delivered')
  })

  it('are accepted from the query', async () => {
    const gateway = reporting()
    const { id, provider_id } = await sentBy(gateway)
    const query = new URLSearchParams({ token: RECEIPT_SECRET, id: provider_id!, state: 'expired' })
    expect((await gateway.fetch(`http://sms/receipt/provider_a?${query}`)).status).toBe(200)
    expect(await stateOf(gateway, id)).toBe('expired')
  })

  it('are refused if one of two secrets is wrong', async () => {
    const { fetch } = reporting()
    const statusOf = async (token: string, bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}` }
      return (await fetch(`http://sms/receipt/provider_a?token=${encodeURIComponent(token)}`, { headers })).status
    }
    expect(await statusOf('wrong', RECEIPT_SECRET)).toBe(401)
    expect(await statusOf(RECEIPT_SECRET, 'wrong')).toBe(401)
    expect(await statusOf(RECEIPT_SECRET, RECEIPT_SECRET)).toBe(200)
  })

  it('get the same reply for an unknown message and for an invalid receipt', async () => {
    const gateway = reporting()
    for (const body of ['{"id": "nobody", "state": "delivered"}', '{"a": 1}', 'x', '', '{', '[]', 'id=&state='])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
        const headers = { ...proof, 'content-type': type }
        const response = await gateway.fetch('http://sms/receipt/provider_a', { method: 'POST', headers, body })
        expect([response.status, await response.json()]).toEqual([200, { status: true }])
      }
  })

  it('are refused with wrong or missing credentials, even if the other endpoints are open', async () => {
    const gateway = reporting()
    const { id, provider_id } = await sentBy(gateway)
    for (const headers of [{}, { authorization: 'Bearer x' }]) {
      const body = JSON.stringify({ id: provider_id, state: 'delivered' })
      const response = await gateway.fetch('http://sms/receipt/provider_a', { method: 'POST', headers, body })
      expect(response.status).toBe(401)
    }
    expect(await stateOf(gateway, id)).toBe('sent')
  })

  it('require an access token if no receipt secret is configured', async () => {
    const gateway = reporting({ PROVIDER_A_RECEIPT_SECRET: '', OPEN: '', LOCAL: '', AUTH_TOKENS: 'token' })
    const postReceipt = (headers: Record<string, string>) =>
      gateway.send('POST', '/receipt/provider_a', { id: 'x', state: 'delivered' }, headers)
    expect(await postReceipt({})).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await postReceipt({ authorization: 'Bearer token' })).toEqual({ status: 200, json: { status: true } })
  })

  it('of an unknown provider get 404, and 401 without an access token', async () => {
    const gateway = reporting({ OPEN: '', LOCAL: '', AUTH_TOKENS: 'token' })
    for (const code of ['provider_b', 'provider_x']) {
      expect(await gateway.send('POST', `/receipt/${code}`, {})).toMatchObject(errorReply(401, 'unauthorized'))
      const known = await gateway.send('POST', `/receipt/${code}`, {}, { authorization: 'Bearer token' })
      expect(known).toMatchObject(errorReply(404, 'provider_not_found'))
    }
  })
})

describe('the receipt URL', () => {
  const self = { SELF_URL: 'https://sms.example.com/' }
  const base = { BASE_URL: 'https://example.com' }
  const local = 'http://localhost:8787/sms'

  it.each([
    ['SELF_URL', { ...self, ...base }, local, 'https://sms.example.com/receipt/provider_a'],
    ['BASE_URL', base, local, 'https://example.com/sms/receipt/provider_a'],
    [
      'BASE_URL if SELF_URL is private',
      { SELF_URL: local, ...base },
      local,
      'https://example.com/sms/receipt/provider_a',
    ],
    ['the request URL', {}, 'https://api.example.com', 'https://api.example.com/receipt/provider_a'],
    [
      'the request URL if SELF_URL is private',
      { SELF_URL: local },
      'https://a.com',
      'https://a.com/receipt/provider_a',
    ],
    ['nothing if all URLs are private', { SELF_URL: local }, 'http://localhost:8787', undefined],
    ['nothing if the request has an internal host name', {}, 'http://sms', undefined],
  ])('is built from %s', (_, variables, origin, address) => {
    const env = { ...variables, PROVIDER_A_DRIVER: 'log' } as unknown as Env
    expect(receiptUrlOf(env, origin, providerOf(env, 'provider_a') as Provider)).toBe(address)
  })

  it('may be a private URL for a provider at a private address', async () => {
    const { fetch } = smsOn(databases[0]!, {
      ...{ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: target('/echo'), PROVIDER_A_ID: 'body' },
      ...{ PROVIDER_A_BODY: '{"to": "{phone}", "back": "{receipt_url}"}', SELF_URL: local },
    })
    const phone = freshPhone()
    const body = JSON.stringify({ phones: phone, message: 'Hello' })
    const response = await fetch('http://localhost/sms', { method: 'POST', body })
    const { provider_id } = messageOf({ json: await response.json() })
    expect(JSON.parse(provider_id!)).toEqual({ to: phone, back: `${local}/receipt/provider_a` })
  })
})
