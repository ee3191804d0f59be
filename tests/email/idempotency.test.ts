// Tests that a mail with an `Idempotency-Key` is sent at most once, also after failures.
import { describe, expect, it } from 'vitest'
import { failure } from '#core/failure'
import { messageIdOf } from '#email/message-id'
import { senderTo } from './support.ts'

const fresh = () => crypto.randomUUID()

describe('a mail with an Idempotency-Key', () => {
  it('is sent once, and has one response', async () => {
    const { send, see } = await senderTo()
    const key = fresh()
    const first = await send({}, key)
    expect(first.status).toBe(201)
    expect(await send({}, key)).toEqual(first)
    expect(await see()).toMatchObject({ connections: 1, mails: [{}] })
  })

  it('is sent once for concurrent requests', async () => {
    const { send, see } = await senderTo()
    const key = fresh()
    const replies = await Promise.all(Array.from({ length: 50 }, () => send({}, key)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses).toContain(201)
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
    expect((await send({}, key)).status).toBe(201)
    expect((await see()).mails).toHaveLength(1)
  })

  it('is refused for a different mail', async () => {
    const { send } = await senderTo()
    const key = fresh()
    await send({}, key)
    expect(await send({ subject: 'Another' }, key)).toMatchObject({
      status: 409,
      json: { status_code: 'idempotency_key_reused' },
    })
  })

  it.each([
    ['DATA', '451 later'],
    ['DATA', 'cut'],
    ['end', '554 never'],
  ])('is sent on retry if it certainly was not sent: %s, %s', async (at, how) => {
    const { send, see } = await senderTo({ fault: [{ at, how }] })
    const key = fresh()
    expect(await send({}, key)).toMatchObject({ status: 502, json: { status_code: 'smtp_failed' } })
    const { mails } = await see()
    const sent = await send({}, key)
    expect(sent.status).toBe(201)
    expect(await send({}, key)).toEqual(sent)
    expect(await see()).toMatchObject({ connections: 2 })
    // The fake server keeps a mail that it rejects at its end, so the rejected first attempt is counted here too.
    expect((await see()).mails).toHaveLength(mails.length + 1)
  })

  it.each(['content', 'end'])('is never resent if it may have been sent: %s', async (at) => {
    const { send, see } = await senderTo({ fault: [{ at, how: 'cut' }] })
    const key = fresh()
    const first = await send({}, key)
    expect(first).toMatchObject({ status: 504, json: { status_code: 'smtp_outcome_unknown' } })
    expect(await send({}, key)).toEqual(first)
    expect(await see()).toMatchObject({ connections: 1 })
  })

  it('is sent on retry after the configuration was invalid', async () => {
    const key = fresh()
    const { send } = await senderTo({}, { SMTP_ENCRYPTION: 'no' })
    expect((await send({}, key)).status).toBe(503)
    expect((await (await senderTo()).send({}, key)).status).toBe(201)
  })
})

describe('the point of no return', () => {
  it('comes when the server waits for the message and has received nothing of it', async () => {
    const { sendSoon, see } = await senderTo()
    let seen: Awaited<ReturnType<typeof see>> | undefined
    await sendSoon({}, async () => {
      seen = await see()
    })
    expect(seen).toMatchObject({ mails: [] })
    expect(seen!.commands.at(-1)).toBe('DATA')
    expect((await see()).mails).toHaveLength(1)
  })

  it('never comes if a retry has replaced the request: no byte of the message is sent', async () => {
    const { sendSoon, see } = await senderTo({ fault: { at: 'content', how: 'cut' } })
    const taken = failure('idempotency_key_in_use', 'The first request is still running')
    await expect(sendSoon({}, () => Promise.reject(taken))).rejects.toBe(taken)
    expect(taken.code).toBe('idempotency_key_in_use')
    expect(await see()).toMatchObject({ mails: [], faults: 0 })
  })

  it('is awaited with a timeout', async () => {
    const { sendSoon, see } = await senderTo({ fault: { at: 'content', how: 'cut' } })
    await expect(sendSoon({ all: 3_000 }, () => new Promise(() => {}))).rejects.toMatchObject({ code: 'smtp_failed' })
    expect(await see()).toMatchObject({ mails: [], faults: 0 })
  })
})

describe('the Message-ID', () => {
  const idOf = (key: string | undefined, body = '{}', query = '') =>
    messageIdOf({ key: key ?? null, query, body: new TextEncoder().encode(body) }, 'example.com')

  it('is the same for each retry of a request', () => {
    expect(idOf('a')).toBe(idOf('a'))
    expect(idOf('a')).toMatch(/^[0-9a-f]{32}@example\.com$/)
  })

  it('differs for another key, body or query, and does not reveal the key', () => {
    const ids = [idOf('a'), idOf('b'), idOf('a', '{"a":1}'), idOf('a', '{}', '?to=x'), idOf(undefined), idOf(undefined)]
    expect(new Set(ids).size).toBe(ids.length)
  })
})
