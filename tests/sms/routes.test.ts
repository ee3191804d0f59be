// Tests the SMS gateway's API: parameters, replies and errors of each operation.
import { describe, expect, it } from 'vitest'
import { withoutId } from '../support/requests.ts'
import { errorReply, freshPhone, freshPhones, gateways, messagesOf, validationError } from './support.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

describe.each(gateways())('the gateway on $dialect', ({ send, fetch }) => {
  describe('POST /sms', () => {
    it('sends to each phone, in the order of the phones', async () => {
      const [one, two, three] = freshPhones(3)

      const reply = await send('POST', '/sms', { phones: [three, one, two], message: 'Hello' })

      expect(reply).toEqual({
        status: 200,
        json: {
          status: true,
          content: {
            messages: [three, one, two].map((phone) => ({
              ...{ id: expect.any(Number), phone, state: 'sent', provider: 'provider_a' },
              ...{ provider_id: null, segments: 1 },
            })),
          },
        },
      })
      expect(new Set(messagesOf(reply).map(({ id }) => id)).size).toBe(3)
    })

    it('accepts one phone or a list in any notation', async () => {
      const written = ['+7 (701) 000-00-01', '7.701.000.00.02', ' 77010000003\u00a0', '+7-701-0000004,']
      for (const [i, phones] of written.entries()) {
        const reply = await send('POST', '/sms', { phones, message: 'Hello' })
        expect(messagesOf(reply)).toMatchObject([{ phone: `7701000000${i + 1}`, state: 'sent' }])
      }
      const list = await send('POST', '/sms', { phones: written.join(), message: 'Hello' })
      expect(messagesOf(list).map(({ phone }) => phone)).toEqual(written.map((_, i) => `7701000000${i + 1}`))
    })

    it('accepts all parameters from the query too', async () => {
      const response = await fetch('http://sms/sms?phones[]=+77010000001&phones[]=77010000002&message=Hi&force=1', {
        method: 'POST',
      })
      expect(messagesOf({ json: await response.json() })).toHaveLength(2)
    })

    it('sends once to a duplicate phone', async () => {
      const [phone, other] = freshPhones(2)
      const reply = await send('POST', '/sms', { phones: [phone, other, `+${phone}`], message: 'Hello' })
      expect(messagesOf(reply).map((message) => message.phone)).toEqual([phone, other])
    })

    it('counts the segments of the text', async () => {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'я'.repeat(71) })
      expect(messagesOf(reply)).toMatchObject([{ segments: 2 }])
    })

    it('sends to a thousand phones', async () => {
      const phones = freshPhones(1_000)
      const reply = await send('POST', '/sms', { phones, message: 'Hello' })
      expect(messagesOf(reply).map(({ phone }) => phone)).toEqual(phones)
      expect(messagesOf(reply).every(({ state }) => state === 'sent')).toBe(true)
    })

    it('reports invalid phones by position, and sends to none', async () => {
      const phone = freshPhone()
      const phones = [phone, '+7 701 ABC', '123456', '1234567890123456', '', '٧٧٠١٢٣٤٥٦٧', '7701/2345678', phone]

      const reply = await send('POST', '/sms', { phones, message: 'Hello' })

      expect(reply).toMatchObject(
        validationError('phones.1', 'phones.2', 'phones.3', 'phones.4', 'phones.5', 'phones.6'),
      )
      expect(Object.keys(reply.json.errors!)).toHaveLength(6)
      expect(JSON.stringify([reply.json.message, reply.json.errors])).not.toMatch(/\d{4}/)
      expect((await send('GET', '/messages', { phone })).json.content).toEqual({ messages: [] })
    })

    it('refuses the maximum number of invalid phones in a body', async () => {
      const phones = Array.from({ length: 240_000 }, () => 'a')
      for (const invalidPhones of [phones, phones.join(',')])
        expect(await send('POST', '/sms', { phones: invalidPhones, message: 'Hello' })).toMatchObject(
          validationError('phones.0', 'phones.99'),
        )
    })

    it.each([
      ['one bad phone', 'nobody', 'phones.0'],
      ['a bad one in a list', `${freshPhone()},12,${freshPhone()}`, 'phones.1'],
      ['a bad one at the end of a thousand', [...freshPhones(999), 'x'], 'phones.999'],
      ['no phones', [], 'phones'],
      ['a list of nothing', ' , ', 'phones'],
      ['1001 phones', freshPhones(1_001), 'phones'],
      ['a fraction', [77_010_000_001.5], 'phones'],
      ['an object', {}, 'phones'],
    ])('refuses %s', async (_, phones, field) => {
      const reply = await send('POST', '/sms', { phones, message: 'Hello' })
      expect(reply).toMatchObject(validationError(field))
      expect(Object.keys(reply.json.errors!)).toHaveLength(1)
    })

    it.each([
      ['', 'message is required.'],
      [' \n', expect.any(String)],
      ['x'.repeat(1_601), expect.any(String)],
      ['x'.repeat(900_000), expect.any(String)],
      ['a\0', expect.any(String)],
      ['\ud800', expect.any(String)],
      [5, expect.any(String)],
    ])('refuses the text %j', async (message, error) => {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message })
      expect(reply).toMatchObject({ ...validationError('message'), json: { errors: { message: error } } })
    })

    it('accepts a text of the maximum length', async () => {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'я'.repeat(1_600) })
      expect(messagesOf(reply)).toMatchObject([{ state: 'sent', segments: 24 }])
    })

    it('refuses a body larger than a megabyte', async () => {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'x'.repeat(1_100_000) })
      expect(reply).toMatchObject(errorReply(413, 'payload_too_large'))
    })

    it.each(['provider_e', 'provider_b', 'log', ''])('refuses the provider %j', async (provider) => {
      const reply = await send('POST', '/sms', { phones: freshPhone(), message: 'Hello', provider })
      expect(reply).toMatchObject(validationError('provider'))
    })

    it('requires phones and a message', async () => {
      const reply = await send('POST', '/sms', {})
      expect(reply.json.errors).toEqual({ phones: 'phones is required.', message: 'message is required.' })
    })
  })

  describe('POST /call', () => {
    it('calls each phone', async () => {
      const phones = freshPhones(2)

      const reply = await send('POST', '/call', { phones, message: 'Your code is 1, 2, 3', provider: 'provider_a' })

      expect(messagesOf(reply)).toMatchObject(phones.map((phone) => ({ phone, state: 'sent', segments: null })))
      const { json } = await send('GET', '/messages', { phone: phones[0] })
      expect(json.content).toMatchObject({ messages: [{ kind: 'call', text: 'Your code is 1, 2, 3' }] })
    })

    it.each(['provider_b', 'provider_c', 'provider_d', 'x'])('refuses to call through %s', async (provider) => {
      const reply = await send('POST', '/call', { phones: freshPhone(), message: 'Hello', provider })
      expect(reply).toMatchObject(validationError('provider'))
    })

    it('refuses invalid phones and a missing text', async () => {
      expect(await send('POST', '/call', { phones: 'x', message: '' })).toMatchObject(
        validationError('phones.0', 'message'),
      )
    })
  })

  it('lists messages by POST as by GET', async () => {
    const phone = freshPhone()
    await send('POST', '/sms', { phones: phone, message: 'Hello' })
    for (const params of [{ phone, count: true }, { phone, kind: 'call' }, { phone: 'x' }, { limit: 0 }])
      expect(withoutId(await send('POST', '/messages', params))).toEqual(
        withoutId(await send('GET', '/messages', params)),
      )
    expect((await send('POST', '/messages', { phone, count: true })).json.content).toMatchObject({ nb_results: 1 })
  })

  describe('the blacklist', () => {
    it('contains a phone from its addition until its removal', async () => {
      const phone = freshPhone()
      expect(await send('GET', '/blacklist', { phone })).toMatchObject(errorReply(400, 'not_blacklisted'))

      expect(await send('POST', '/blacklist', { phone: `+${phone}` })).toEqual({ status: 200, json: { status: true } })
      const entry = await send('GET', '/blacklist', { phone })
      expect(entry).toEqual({
        status: 200,
        json: { status: true, content: { blacklist: { phone, created_at: time } } },
      })

      expect(await send('POST', '/blacklist', { phone })).toEqual({ status: 200, json: { status: true } })
      expect(await send('GET', '/blacklist', { phone })).toEqual(entry)

      expect(await send('DELETE', '/blacklist', { phone })).toEqual({ status: 200, json: { status: true } })
      expect(await send('DELETE', '/blacklist', { phone })).toEqual({ status: 200, json: { status: true } })
      expect(await send('GET', '/blacklist', { phone })).toMatchObject(errorReply(400, 'not_blacklisted'))
    })

    it('is searched by POST as by GET', async () => {
      const [blocked, free] = freshPhones(2)
      await send('POST', '/blacklist', { phone: blocked })
      for (const params of [{ phone: blocked }, { phone: free }, { phone: '7701x' }, {}])
        expect(withoutId(await send('POST', '/blacklist/search', params))).toEqual(
          withoutId(await send('GET', '/blacklist', params)),
        )
      expect((await send('POST', '/blacklist/search', { phone: blocked })).status).toBe(200)
      expect((await send('POST', '/blacklist/search', { phone: free })).status).toBe(400)
    })

    it.each(['POST', 'DELETE', 'GET'])('refuses an invalid or missing phone on %s', async (method) => {
      expect(await send(method, '/blacklist', { phone: '7701x' })).toMatchObject(validationError('phone'))
      expect((await send(method, '/blacklist', {})).json.errors).toEqual({ phone: 'phone is required.' })
    })

    it('blocks messages and calls to its phones only', async () => {
      const [blocked, free] = freshPhones(2)
      await send('POST', '/blacklist', { phone: blocked })
      for (const path of ['/sms', '/call']) {
        const reply = await send('POST', path, { phones: [blocked, free], message: 'Hello' })
        expect(messagesOf(reply)).toMatchObject([
          { phone: blocked, state: 'blacklisted', provider: null, provider_id: null },
          { phone: free, state: 'sent' },
        ])
      }
      const { json } = await send('GET', '/messages', { phone: blocked })
      expect(json.content).toMatchObject({ messages: [{ state: 'blacklisted' }, { state: 'blacklisted' }] })
    })

    it('accepts phones as JSON numbers, and so does sending', async () => {
      const phone = freshPhone()
      expect(await send('POST', '/blacklist', { phone: Number(phone) })).toMatchObject({ status: 200 })
      for (const phones of [Number(phone), [Number(phone)]]) {
        const reply = await send('POST', '/sms', { phones, message: 'Hello' })
        expect(messagesOf(reply)).toMatchObject([{ phone, state: 'blacklisted' }])
      }
      expect(await send('DELETE', '/blacklist', { phone: Number(phone) })).toMatchObject({ status: 200 })
      const reply = await send('POST', '/sms', { phones: [Number(phone), phone], message: 'Hello' })
      expect(messagesOf(reply)).toMatchObject([{ phone, state: 'sent' }])
    })

    it('is ignored if force is true', async () => {
      const phone = freshPhone()
      await send('POST', '/blacklist', { phone })
      const reply = await send('POST', '/sms', { phones: phone, message: 'Hello', force: true })
      expect(messagesOf(reply)).toMatchObject([{ state: 'sent' }])
    })

    it('returns success for a request with blacklisted phones only', async () => {
      const phone = freshPhone()
      await send('POST', '/blacklist', { phone })
      const reply = await send('POST', '/sms', { phones: phone, message: 'Hello' })
      expect(reply).toMatchObject({ status: 200, json: { content: { messages: [{ state: 'blacklisted' }] } } })
    })
  })

  describe('GET /messages', () => {
    it('lists messages, the newest first', async () => {
      const phone = freshPhone()
      const sent = await send('POST', '/sms', { phones: phone, message: 'One' })
      await send('POST', '/call', { phones: phone, message: 'Two' })

      const { json } = await send('GET', '/messages', { phone: `+${phone}`, count: true })

      const row = {
        ...{ phone, state: 'sent', reason: null, provider: 'provider_a', provider_id: null, receipt_code: null },
        ...{ created_at: time, updated_at: time },
      }
      expect(json.content).toEqual({
        messages: [
          { ...row, id: expect.any(Number), kind: 'call', segments: null, text: 'Two' },
          { ...row, id: messagesOf(sent)[0]!.id, kind: 'sms', segments: 1, text: 'One' },
        ],
        nb_results: 2,
      })
    })

    it('filters by phone, kind, state and provider, and paginates', async () => {
      const phone = freshPhone()
      await send('POST', '/blacklist', { phone })
      await send('POST', '/sms', { phones: phone, message: 'One' })
      await send('POST', '/sms', { phones: phone, message: 'Two', force: true })
      await send('POST', '/call', { phones: phone, message: 'Three', force: true })
      const count = async (filter: object) => {
        const { json } = await send('GET', '/messages', { phone, count: true, limit: 1, ...filter })
        return (json.content as unknown as { nb_results: number }).nb_results
      }
      expect(await count({})).toBe(3)
      expect(await count({ kind: 'sms' })).toBe(2)
      expect(await count({ state: 'blacklisted' })).toBe(1)
      expect(await count({ state: 'delivered' })).toBe(0)
      expect(await count({ provider: 'provider_a' })).toBe(2)
      expect(await count({ provider: 'provider_a', kind: 'call', state: 'sent' })).toBe(1)
      const page = await send('GET', '/messages', { phone, limit: 1, offset: 1 })
      expect(page.json.content).toMatchObject({ messages: [{ text: 'Two' }] })
    })

    it.each([
      ['phone', 'x'],
      ['state', 'gone'],
      ['provider', 'log'],
      ['kind', 'fax'],
      ['limit', 1_001],
      ['offset', -1],
    ])('refuses %s=%s', async (field, value) => {
      expect(await send('GET', '/messages', { [field]: value })).toMatchObject(validationError(field))
    })
  })

  describe('GET /message', () => {
    it('reads one message', async () => {
      const phone = freshPhone()
      const sent = await send('POST', '/sms', { phones: phone, message: 'One' })
      const { json } = await send('GET', '/message', { id: messagesOf(sent)[0]!.id })
      expect(json.content).toMatchObject({ message: { phone, state: 'sent', text: 'One' } })
    })

    it('returns 404 for an unknown message', async () => {
      expect(await send('GET', '/message', { id: 1e9 })).toMatchObject(errorReply(404, 'message_not_found'))
      expect(await send('GET', '/message', {})).toMatchObject(validationError('id'))
    })
  })

  it('refuses receipts for providers that send none', async () => {
    for (const code of ['provider_a', 'provider_b', 'provider_x', 'log'])
      for (const method of ['GET', 'POST'])
        expect(await send(method, `/receipt/${code}`, {})).toMatchObject(errorReply(404, 'provider_not_found'))
  })

  it('reports the gateway as up', async () => {
    const { json } = await send('GET', '/_health')
    expect(json.content).toMatchObject({
      state: 'up',
      dependencies: { database: { state: 'up' }, provider_a: { state: 'up' } },
    })
  })
})
