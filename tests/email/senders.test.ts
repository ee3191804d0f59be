// Tests which sender addresses a mail may have: EMAIL_FROM, and those of EMAIL_SENDERS.
import { describe, expect, it } from 'vitest'
import { senderTo } from './support.ts'

const configured = { EMAIL_FROM: 'Shop <shop@example.com>', EMAIL_SENDERS: 'News <news@example.com>, help@example.org' }

describe('the sender of a mail', () => {
  it('is EMAIL_FROM unless the request has a from', async () => {
    const { through } = await senderTo({}, configured)
    expect((await through()).from).toEqual({ name: 'Shop', address: 'shop@example.com' })
  })

  it.each([
    ['news@example.com', { name: 'News', address: 'news@example.com' }],
    ['Weekly <News@EXAMPLE.com>', { name: 'Weekly', address: 'news@example.com' }],
    ['help@example.org', { name: '', address: 'help@example.org' }],
    ['shop@example.com', { name: 'Shop', address: 'shop@example.com' }],
  ])('may be %s, in the header and the envelope', async (from, expected) => {
    const { through } = await senderTo({}, configured)
    const mail = await through({ from })
    expect(mail.from).toEqual(expected)
    expect(mail.envelope.from).toBe(expected.address)
    expect(mail.messageId).toContain(`@${expected.address.split('@')[1]}`)
  })

  it.each(['ceo@example.com', 'not an address', 'a@example.com, b@example.com', ''])(
    'is refused if it is not configured: %j',
    async (from) => {
      const { send, see } = await senderTo({}, configured)
      expect(await send({ from })).toMatchObject({ status: 400, json: { errors: { from: expect.any(String) } } })
      expect(await see()).toMatchObject({ connections: 0 })
    },
  )

  it('is refused if nothing but EMAIL_FROM is configured', async () => {
    const { send } = await senderTo({}, { EMAIL_FROM: 'shop@example.com' })
    expect(await send({ from: 'news@example.com' })).toMatchObject({ status: 400 })
    expect(await send({ from: 'shop@example.com' })).toMatchObject({ status: 201 })
  })

  it('returns 503 with an invalid list', async () => {
    const { send } = await senderTo({}, { ...configured, EMAIL_SENDERS: 'news' })
    const { status, json } = await send({ from: 'news@example.com' })
    expect({ status, json }).toMatchObject({ status: 503, json: { message: expect.stringContaining('EMAIL_SENDERS') } })
  })
})
