// Tests the webhook of the messenger bot: a user who writes to the bot gets one new password.
import { and, eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { claimPassword } from '#otp/updates'
import { databases } from '../support/databases.ts'
import { check, done, errorReply, freshChat, otpOn, otps, sendTo, type TestedOtp } from './support.ts'

let last = Math.floor(Math.random() * 1e9)
const freshId = () => last++

const updateOf = (chat: string | number, update_id: number | undefined = freshId()) => ({
  update_id,
  message: {
    message_id: 1,
    from: { id: Number(chat), is_bot: false, first_name: 'Ann' },
    chat: { id: Number(chat), type: 'private', first_name: 'Ann' },
    date: 1_700_000_000,
    text: '/start',
  },
})

const codeIn = (text: unknown) => /^Your code: (\d{6})$/.exec(String(text))?.[1] ?? ''

const proof = { 'x-telegram-bot-api-secret-token': 'the-webhook-secret' }

describe.each(otps({ CHATAPP_WEBHOOK_SECRET: 'the-webhook-secret' }))('the webhook on $dialect', (tested) => {
  const { send, queue, otp, deliver, bot, sweep } = tested
  const post = (update: object, headers: Record<string, string> = proof) =>
    send('POST', '/chatapp/webhook', update, headers)
  const takeTasks = () => queue.takeTasks()

  it('replies to a message to the bot with a password that identifies the chat', async () => {
    takeTasks()
    const chat = freshChat()
    expect(await post(updateOf(chat))).toEqual(done)
    const [task] = takeTasks()
    expect(task).toMatchObject({ url: 'http://otp.test/chatapp/delivery', json: { chat_id: chat }, retries: 100 })
    const code = codeIn(task!.json.text)
    expect(code).toMatch(/^\d{6}$/)
    expect(await send('GET', '/target', { channel: 'chatapp', password: code })).toEqual({
      status: 200,
      json: { status: true, content: { target: chat } },
    })
    expect(await send('GET', '/password', { target: chat })).toMatchObject({ json: { content: { password: code } } })
    expect(await check(tested, 'chatapp', chat, code)).toBe(true)
    expect(await check(tested, 'chatapp', chat, code)).toBe('already_used')
    await deliver(task!)
    expect(await bot.sent()).toMatchObject([{ body: { chat_id: chat, text: `Your code: ${code}` } }])
  })

  it('accepts updates from the platform only', async () => {
    takeTasks()
    const update = updateOf(freshChat())
    const unproven = errorReply(401, 'unauthorized')
    expect(await post(update, {})).toMatchObject(unproven)
    expect(await post(update, { ...proof, 'x-telegram-bot-api-secret-token': 'the-webhook-secreT' })).toMatchObject(
      unproven,
    )
    expect(await post({}, {})).toMatchObject(unproven)
    expect(takeTasks()).toEqual([])
  })

  it.each([
    {},
    { update_id: 1 },
    { update_id: 1, edited_message: updateOf(1).message },
    { update_id: 1, callback_query: { id: '1', message: updateOf(1).message } },
    { update_id: 1, message: 'hello' },
    { update_id: 1, message: { chat: {} } },
    { update_id: 1, message: { chat: { id: {} } } },
    { update_id: 'one', message: updateOf(1).message },
  ])('ignores the update %j', async (update) => {
    takeTasks()
    expect(await post(update)).toEqual(done)
    expect(takeTasks()).toEqual([])
  })

  it.each(['', 'no JSON', '[]', '"text"', '\u0000'])('ignores the body %j', async (body) => {
    const response = await tested.fetch('http://component/chatapp/webhook', { method: 'POST', headers: proof, body })
    expect({ status: response.status, json: await response.json() }).toEqual(done)
  })

  it('replies to groups too, whose ids are negative', async () => {
    takeTasks()
    expect(await post(updateOf('-1001234567890'))).toEqual(done)
    expect(takeTasks()).toMatchObject([{ json: { chat_id: '-1001234567890' } }])
  })

  it('replies once to an update that is repeated', async () => {
    takeTasks()
    const update = updateOf(freshChat())
    const before = queue.requestCount
    for (let i = 0; i < 3; i++) expect(await post(update)).toEqual(done)
    expect(takeTasks()).toHaveLength(1)
    expect(queue.requestCount).toBe(before + 1)
  })

  it('replies once to twenty concurrent copies of an update', async () => {
    takeTasks()
    const chat = freshChat()
    const update = updateOf(chat)
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(update)))
    for (const reply of replies) expect(reply).toEqual(done)
    expect(takeTasks()).toHaveLength(1)
    const { db, passwords } = otp
    expect(await db.$count(passwords, eq(passwords.target, chat))).toBe(1)
  })

  it('replies to each update without update_id', async () => {
    takeTasks()
    const { update_id: _, ...update } = updateOf(freshChat())
    for (let i = 0; i < 2; i++) expect(await post(update)).toEqual(done)
    expect(takeTasks()).toHaveLength(2)
  })

  it.each(['unreachable', 'refusing', 'breaking'] as const)(
    'sends a reply with the retry of its update if the queue was %s',
    async (how) => {
      takeTasks()
      const chat = freshChat()
      const update = updateOf(chat)
      queue.how = how
      expect(await post(update)).toEqual(done)
      queue.how = 'up'
      expect(await post(update)).toEqual(done)
      expect(await post(update)).toEqual(done)
      const [task, ...others] = takeTasks()
      expect(others).toEqual([])
      expect(await check(tested, 'chatapp', chat, codeIn(task!.json.text))).toBe(true)
    },
  )

  const unanswered = async (chat: string, columns: object) => {
    queue.how = 'unreachable'
    const update = updateOf(chat)
    await post(update)
    queue.how = 'up'
    const { db, updates } = otp
    await db.update(updates).set(columns).where(eq(updates.id, update.update_id!))
    return update
  }
  const aMinuteAgo = () => new Date(Date.now() - 60_000)

  it('sends a pending reply with the next sweep, once', async () => {
    takeTasks()
    const chat = freshChat()
    const update = await unanswered(chat, { created_at: aMinuteAgo() })
    await sweep()
    await sweep()
    await post(update)
    expect(takeTasks()).toMatchObject([{ json: { chat_id: chat } }])
  })

  it('sends no pending reply whose password has expired', async () => {
    takeTasks()
    const update = await unanswered(freshChat(), { created_at: aMinuteAgo(), expires_at: new Date(Date.now() - 1) })
    await sweep()
    expect(await post(update)).toEqual(done)
    expect(takeTasks()).toEqual([])
  })

  it('applies the limits of chats, and none of IP addresses', async () => {
    takeTasks()
    const rule = [{ minutes: 60, rate: 5 }]
    await send('POST', '/limit/chatapp', { ips: rule, chats: rule }, proof)
    const chat = freshChat()
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(updateOf(chat))))
    for (const reply of replies) expect(reply).toEqual(done)
    expect(takeTasks()).toHaveLength(5)
    await post(updateOf(freshChat()))
    expect(takeTasks()).toHaveLength(1)
    const refused = await send('POST', '/chatapp', sendTo('chatapp', chat, '1', { ip: '192.0.2.1' }), proof)
    expect(refused).toMatchObject(errorReply(429, 'email_limit'))
    await send('POST', '/limit/chatapp', { ips: [], chats: [] }, proof)
  })

  it('counts two concurrent copies of an update once', async () => {
    takeTasks()
    await send('POST', '/limit/chatapp', { chats: [{ minutes: 60, rate: 10 }] }, proof)
    const chat = freshChat()
    const update = updateOf(chat)
    await Promise.all(Array.from({ length: 9 }, () => post(update)))
    for (let i = 0; i < 12; i++) await post(updateOf(chat))
    expect(takeTasks()).toHaveLength(10)
    await send('POST', '/limit/chatapp', { chats: [] }, proof)
  })
})

describe.each(databases)('a password from the bot on $dialect', (database) => {
  const tested = otpOn(database)
  const { otp } = tested
  const now = new Date()
  const claim = (target: string, channel_digest: string, expires_at = new Date(now.getTime() + 60_000), at = now) =>
    claimPassword(
      otp,
      { channel: 'chatapp', target, digest: '', channel_digest, sealed: '', created_at: at, expires_at },
      at,
    )

  it('belongs to one chat while it is valid', async () => {
    const digest = crypto.randomUUID()
    expect(await claim('1', digest)).toBe(true)
    expect(await claim('2', digest)).toBe(false)
    expect(await claim('1', digest)).toBe(true)
    const later = new Date(now.getTime() + 60_000)
    expect(await claim('2', digest, new Date(later.getTime() + 1), later)).toBe(true)
    expect(await claim('1', digest)).toBe(false)
  })

  it('belongs to one of fifty chats that request it concurrently, repeatedly', async () => {
    for (let round = 0; round < 5; round++) {
      const digest = crypto.randomUUID()
      const claimed = await Promise.all(Array.from({ length: 50 }, (_, i) => claim(String(i), digest)))
      expect(claimed.filter(Boolean)).toHaveLength(1)
    }
  })

  it('differs from valid passwords that a caller sent to other chats', async () => {
    const { passwords, db } = otp
    const [chat, digest] = [freshChat(), crypto.randomUUID()]
    const expires_at = new Date(now.getTime() + 60_000)
    await db.insert(passwords).values({
      ...{ channel: 'chatapp', target: chat, digest: crypto.randomUUID(), channel_digest: digest, sealed: '' },
      ...{ created_at: now, expires_at },
    })
    expect(await claim('1', digest)).toBe(false)
    expect(await claim(chat, digest)).toBe(true)
    await db
      .update(passwords)
      .set({ expires_at: now })
      .where(and(eq(passwords.target, chat)))
    expect(await claim('1', digest)).toBe(false)
    expect(await claim('1', digest, expires_at, expires_at)).toBe(true)
  })

  it('is generated again if another chat has the same one', async () => {
    // Without this, another chat could have one of the drawn passwords by chance.
    for (const table of [otp.claims, otp.passwords]) await otp.db.delete(table)
    const draws = [1, 1, 1, 2, 2, 1, 3]
    const draw = vi.spyOn(crypto, 'getRandomValues')
    draw.mockImplementation(((array: Uint32Array | Uint8Array) => {
      if (array instanceof Uint32Array) array[0] = draws.shift()!
      return array
    }) as never)
    const chats = [freshChat(), freshChat(), freshChat()]
    for (const chat of chats) await tested.send('POST', '/chatapp/webhook', updateOf(chat))
    draw.mockRestore()
    expect(tested.queue.takeTasks().map(({ json }) => json.text)).toEqual([
      'Your code: 000001',
      'Your code: 000002',
      'Your code: 000003',
    ])
  })
})

describe.each(databases)('the message of the bot on $dialect', (database) => {
  it('has the configured text and password lifetime', async () => {
    const { send, queue } = otpOn(database, { CHATAPP_MESSAGE: '{password} $& ({password})', CHATAPP_LIFETIME: '40' })
    const before = Date.now()
    await send('POST', '/chatapp/webhook', updateOf(freshChat()))
    const { json, expires } = queue.takeTasks()[0]!
    expect(json.text).toMatch(/^(\d{6}) \$& \(\1\)$/)
    expect(Number(json.expires_at) - before).toBeGreaterThanOrEqual(40_000)
    expect(Number(json.expires_at) - Date.now()).toBeLessThanOrEqual(40_000)
    expect(expires).toBe(40)
  })
})

describe('access to the webhook', () => {
  const access = { HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'secret' }
  const basic = { authorization: `Basic ${btoa('ann:secret')}` }
  const post = ({ send }: TestedOtp, headers: Record<string, string>) =>
    send('POST', '/chatapp/webhook', updateOf(freshChat()), headers)

  it('requires the webhook secret instead of the credentials of the component', async () => {
    const tested = otpOn(databases[0]!, { ...access, CHATAPP_WEBHOOK_SECRET: 'the-webhook-secret' })
    expect(await post(tested, proof)).toEqual(done)
    expect(await post(tested, {})).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await post(tested, basic)).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await tested.send('GET', '/limit/sms', undefined, proof)).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await tested.send('GET', '/limit/sms', undefined, basic)).toMatchObject({ status: 200 })
  })

  it('requires the credentials of the component if no webhook secret is set', async () => {
    const tested = otpOn(databases[0]!, access)
    expect(await post(tested, proof)).toMatchObject(errorReply(401, 'unauthorized'))
    expect(await post(tested, basic)).toEqual(done)
  })

  it('is denied if nothing is configured', async () => {
    const tested = otpOn(databases[0]!, { LOCAL: '' })
    expect(await post(tested, {})).toMatchObject(errorReply(503, 'not_configured'))
  })
})
