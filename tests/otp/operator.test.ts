// Tests what operators see of one-time passwords: the list of sends, and the caught messages of the bot.
import { describe, expect, it } from 'vitest'
import { maskTarget } from '#otp/sends'
import { databases } from '../support/databases.ts'
import {
  channelParams,
  check,
  done,
  errorReply,
  everyChannel,
  freshChat,
  freshPassword,
  otpOn,
  sendTo,
  validationError,
} from './support.ts'

interface Send {
  id: number
  channel: string
  target: string
  state: string
  used_at: string | null
}

describe.each(databases)('the list of sends on $dialect', (database) => {
  const tested = otpOn(database)
  const { send, otp } = tested
  const sends = async (params: object = {}) =>
    (
      (await send('GET', `/sends?${new URLSearchParams(Object.entries(params))}`)).json.content as unknown as {
        sends: Send[]
      }
    ).sends
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

  it('lists the sends without password and target', async () => {
    await otp.db.delete(otp.passwords)
    const targets = everyChannel.map((channel) => ({
      channel,
      target: channelParams[channel].fresh(),
      password: freshPassword(),
    }))
    for (const { channel, target, password } of targets)
      await send('POST', `/${channel}`, sendTo(channel, target, password))

    const { json, status } = await send('GET', '/sends')

    expect(status).toBe(200)
    const shown = targets.map(({ channel, target }) => ({
      ...{ id: expect.any(Number), channel, target: maskTarget(channel, target), state: 'valid' },
      ...{ created_at: at, expires_at: at, used_at: null },
    }))
    expect(json.content).toEqual({ sends: shown.reverse() })
    for (const { target, password } of targets) {
      expect(JSON.stringify(json)).not.toContain(target)
      expect(JSON.stringify(json)).not.toContain(password)
    }
  })

  it('shows whether a password is used or expired', async () => {
    await otp.db.delete(otp.passwords)
    const [used, over] = [freshChat(), freshChat()]
    await send('POST', '/chatapp', sendTo('chatapp', over, 'one'))
    await otp.db.update(otp.passwords).set({ expires_at: new Date(1_000) })
    await send('POST', '/chatapp', sendTo('chatapp', used, 'two'))
    expect(await check(tested, 'chatapp', used, 'two')).toBe(true)

    expect((await sends()).map(({ state, used_at }) => [state, used_at])).toEqual([
      ['used', at],
      ['expired', null],
    ])
  })

  it('is paginated', async () => {
    await otp.db.delete(otp.passwords)
    for (let i = 0; i < 3; i++) await send('POST', '/chatapp', sendTo('chatapp', freshChat(), 'one'))
    const first = await sends({ limit: 2 })
    const second = await sends({ limit: 2, id: first[1]!.id })
    const ids = [...first, ...second].map(({ id }) => id)
    expect([first.length, second.length, new Set(ids).size]).toEqual([2, 1, 3])
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  })

  it.each([
    ['/sends?limit=0', 'limit'],
    ['/sends?limit=1001', 'limit'],
    ['/sends?id=x', 'id'],
  ])('gets 400 for GET %s', async (path, field) => {
    expect(await send('GET', path)).toMatchObject(validationError(field))
  })

  it('returns 401 without credentials', async () => {
    const guarded = otpOn(database, { AUTH_TOKENS: 'one', CHATAPP_BOT_TOKEN: '', CHATAPP_URL: '' })
    for (const [method, path] of [
      ['GET', '/sends'],
      ['GET', '/messages'],
      ['DELETE', '/messages'],
    ] as const) {
      expect(await guarded.send(method, path)).toMatchObject(errorReply(401, 'unauthorized'))
      expect(await guarded.send(method, path, undefined, { authorization: 'Bearer one' })).toMatchObject({
        status: 200,
      })
    }
  })
})

describe.each(databases)("the bot's messages on $dialect", (database) => {
  const local = otpOn(database, { CHATAPP_BOT_TOKEN: '', CHATAPP_URL: '' })
  const write = async (chat: string, password: string, message: string) => {
    await local.send('POST', '/chatapp', sendTo('chatapp', chat, password, { message }))
    return local.deliver(local.queue.takeTasks().at(-1)!)
  }
  const messages = (params: object) =>
    local.send('GET', `/messages?${new URLSearchParams(Object.entries(params))}`).then(({ json }) => json.content)

  it('are stored on a local start without a bot', async () => {
    const chat = freshChat()
    expect(await write(chat, 'one-two', 'It is one-two')).toMatchObject({ json: { content: { outcome: 'sent' } } })
    await write(chat, 'three', 'It is three')
    await write(freshChat(), 'four', 'It is four')

    const messageOf = (text: string) => ({
      id: expect.any(Number),
      chat_id: chat,
      text,
      created_at: expect.any(String),
    })
    expect(await messages({ chat_id: chat, count: true })).toEqual({
      messages: [messageOf('It is three'), messageOf('It is one-two')],
      nb_results: 2,
    })
    expect(await messages({ chat_id: chat, limit: 1, offset: 1 })).toEqual({ messages: [messageOf('It is one-two')] })
    expect(await messages({ limit: 1 })).toMatchObject({ messages: [{ text: 'It is four' }] })
  })

  it('are stored if a user writes to the bot', async () => {
    const chat = freshChat()
    await local.send('POST', '/chatapp/webhook', { message: { chat: { id: chat } } })
    await local.deliver(local.queue.takeTasks().at(-1)!)
    expect(await messages({ chat_id: chat })).toMatchObject({
      messages: [{ text: expect.stringMatching(/^Your code: \d{6}$/) }],
    })
  })

  it('are encrypted, and unreadable with another secret', async () => {
    const chat = freshChat()
    await write(chat, 'one-two', 'It is one-two')
    const rows = await local.otp.db.select().from(local.otp.messages)
    expect(JSON.stringify(rows)).not.toContain('one-two')

    const other = otpOn(database, { CHATAPP_BOT_TOKEN: '', CHATAPP_URL: '', OTP_SECRET: 'another' })
    expect((await other.send('GET', `/messages?chat_id=${chat}`)).json.content).toMatchObject({
      messages: [{ text: null }],
    })
  })

  it('are deleted after a week, or on DELETE', async () => {
    const [old, young] = [freshChat(), freshChat()]
    await write(old, 'one', 'It is one')
    await local.otp.db.update(local.otp.messages).set({ created_at: new Date(Date.now() - 7 * 86_400_000) })
    await write(young, 'two', 'It is two')

    await local.sweep()
    expect(await messages({})).toMatchObject({ messages: [{ chat_id: young }] })

    expect(await local.send('DELETE', '/messages')).toEqual(done)
    expect(await messages({ count: true })).toEqual({ messages: [], nb_results: 0 })
  })

  it.each([
    ['a local start with a bot', { CHATAPP_BOT_TOKEN: 't', CHATAPP_URL: '' }],
    ["a local start with a bot's platform", { CHATAPP_BOT_TOKEN: '' }],
    ['a deployment', { LOCAL: '', OPEN: 'true', CHATAPP_BOT_TOKEN: '', CHATAPP_URL: '' }],
  ])('are not available for %s', async (_, variables) => {
    const elsewhere = otpOn(database, variables)
    for (const method of ['GET', 'DELETE'])
      expect(await elsewhere.send(method, '/messages')).toMatchObject(errorReply(404, 'route_not_found'))
  })

  it.each([
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    [`chat_id=${'1'.repeat(65)}`, 'chat_id'],
  ])('get 400 for %s', async (query, field) => {
    expect(await local.send('GET', `/messages?${query}`)).toMatchObject(validationError(field))
  })
})

describe('a target', () => {
  it.each([
    ['sms', '77011234567', '********567'],
    ['call', '1234567', '****567'],
    ['email', 'ann@example.com', 'a***@example.com'],
    ['chatapp', '-1001234567', '********567'],
    ['chatapp', '123456', '******'],
    ['chatapp', '😀😀😀😀😀😀😀', '****😀😀😀'],
  ] as const)('of %s is of %s no more than %s', (channel, target, shown) => {
    expect(maskTarget(channel, target)).toBe(shown)
  })
})
