// Tests how the bot sends queued messages, and which errors the queue retries.
import { describe, expect, it, vi } from 'vitest'
import { botUrl } from '#otp/env'
import { databases } from '../support/databases.ts'
import { ask } from '../support/requests.ts'
import { isFull } from '../support/tier.ts'
import { errorReply, freshChat, otpOn, sendTo, type Task, type TestedOtp } from './support.ts'

// These tests do not depend on the database, so one is enough.
const [database] = databases
const otp = () => otpOn(database!)

/** Sends a password through the bot, and returns the task that the component created in the queue. */
async function taskOf({ send, queue }: TestedOtp, more: object = {}): Promise<Task & { chat: string }> {
  const chat = freshChat()
  await send('POST', '/chatapp', sendTo('chatapp', chat, 'one-two', { message: 'It is one-two', ...more }))
  return { ...queue.takeTasks().at(-1)!, chat }
}

const outcome = (outcome: string) => ({ status: 200, json: { status: true, content: { outcome } } })
const tryAgain = errorReply(502, 'chatapp_failed')

describe('the bot', () => {
  it('sends the text of the task once, as plain text', async () => {
    const tested = otp()
    const task = await taskOf(tested)
    expect(await tested.deliver(task)).toEqual(outcome('sent'))
    expect(await tested.deliver(task)).toEqual(outcome('sent'))
    expect(await tested.bot.sent()).toEqual([
      { method: 'POST', type: 'application/json', body: { chat_id: task.chat, text: 'It is one-two' } },
    ])
  })

  it('sends once for concurrent deliveries of the same task', async () => {
    const tested = otp()
    const task = await taskOf(tested)
    await Promise.all(Array.from({ length: 10 }, () => tested.deliver(task)))
    expect(await tested.bot.sent()).toHaveLength(1)
  })

  it.each([
    [{ status: 429, body: { ok: false, error_code: 429, parameters: { retry_after: 7 } } }, '7'],
    [{ status: 429, text: 'Too many' }, '1'],
    [{ status: 500, text: '' }, '1'],
    [{ status: 502, text: '<html>' }, '1'],
    [{ how: 'cut' as const }, '1'],
  ])('is retried after %j', async (answer, retryAfter) => {
    const tested = otp()
    const task = await taskOf(tested)
    await tested.bot.answer(answer)
    const response = await tested.fetch(`http://component/chatapp/delivery`, {
      method: 'POST',
      headers: { ...task.headers, ...task.secret_headers },
      body: JSON.stringify(task.json),
    })
    expect({ status: response.status, json: await response.json() }).toMatchObject(tryAgain)
    expect(response.headers.get('retry-after')).toBe(retryAfter)
    expect(await tested.deliver(task)).toEqual(outcome('sent'))
    expect(await tested.bot.sent()).toHaveLength(2)
  })

  it('is not retried after the password expires', async () => {
    const tested = otp()
    const task = await taskOf(tested, { lifetime: 5 })
    await tested.bot.answer({ status: 429, body: { ok: false, parameters: { retry_after: 6 } } })
    expect(await tested.deliver(task)).toEqual(outcome('expired'))
  })

  it.each([
    [{ status: 403, body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' } }],
    [{ status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } }],
    [{ status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } }],
    [{ status: 200, body: { ok: false } }],
  ])('is not retried after %j', async (answer) => {
    const tested = otp()
    const task = await taskOf(tested)
    await tested.bot.answer(answer)
    expect(await tested.deliver(task)).toEqual(outcome('refused'))
    expect(await tested.deliver(task)).toEqual(outcome('refused'))
    expect(await tested.bot.sent()).toHaveLength(1)
  })

  it.each([[{ text: '' }], [{ text: 'ok' }], [{ status: 201, body: { status: true } }]])(
    'reports the message as sent after the response %j',
    async (answer) => {
      const tested = otp()
      await tested.bot.answer(answer)
      expect(await tested.deliver(await taskOf(tested))).toEqual(outcome('sent'))
    },
  )

  it.runIf(isFull)('does not resend a message that may have arrived', async () => {
    const tested = otp()
    const task = await taskOf(tested)
    await tested.bot.answer({ how: 'never' })
    expect(await tested.deliver(task)).toEqual(outcome('unknown'))
    expect(await tested.deliver(task)).toEqual(outcome('unknown'))
    expect(await tested.bot.sent()).toHaveLength(1)
  })

  it('sends nothing once the password has expired', async () => {
    const tested = otp()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10_000 })
    const task = await taskOf(tested, { lifetime: 5 })
    vi.useRealTimers()
    expect(await tested.deliver(task)).toEqual(outcome('expired'))
    expect(await tested.bot.sent()).toEqual([])
  })

  it('accepts only tasks with a valid proof', async () => {
    const tested = otp()
    const task = await taskOf(tested)
    const json = { ...task.json, text: 'Something else' }
    const unproven = errorReply(401, 'unauthorized')
    expect(await tested.deliver({ ...task, json })).toMatchObject(unproven)
    expect(await tested.deliver({ ...task, json: { ...task.json, chat_id: '1' } })).toMatchObject(unproven)
    expect(await tested.deliver({ ...task, json: { ...task.json, expires_at: 9e12 } })).toMatchObject(unproven)
    expect(await tested.deliver({ ...task, secret_headers: {} })).toMatchObject(unproven)
    expect(await tested.deliver({ ...task, secret_headers: { 'otp-proof': 'x' } })).toMatchObject(unproven)
    const body = await tested.fetch('http://component/chatapp/delivery', { method: 'POST', body: 'no JSON' })
    expect(body.status).toBe(401)
    expect(await tested.bot.sent()).toEqual([])
  })

  it('needs only the proof of the task, and no other credentials', async () => {
    const tested = otpOn(database!, { HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: 'secret' })
    const basic = { authorization: `Basic ${btoa('ann:secret')}` }
    await tested.send('POST', '/chatapp', sendTo('chatapp', freshChat(), 'one-two'), basic)
    const task = tested.queue.takeTasks()[0]!
    expect(task.secret_headers).not.toHaveProperty('authorization')
    expect(await tested.deliver(task)).toEqual(outcome('sent'))
  })

  it('returns 503 without a token', async () => {
    const tested = otpOn(database!, { CHATAPP_BOT_TOKEN: '', LOCAL: '', OPEN: 'true' })
    const refused = await tested.send('POST', '/chatapp', sendTo('chatapp', freshChat(), 'one-two'))
    expect(refused).toMatchObject(errorReply(503, 'not_configured'))
    expect(refused.json.message).toContain('CHATAPP_BOT_TOKEN')
    expect(await tested.send('POST', '/chatapp/webhook', {})).toMatchObject(errorReply(503, 'not_configured'))
  })

  it('does not log or return its token if it is unreachable', async () => {
    const tested = otpOn(database!, { CHATAPP_BOT_TOKEN: 'the-token', CHATAPP_URL: 'http://127.0.0.1:1' })
    const spies = (['log', 'error', 'warn', 'info'] as const).map((name) => vi.spyOn(console, name))
    const reply = await tested.deliver(await taskOf(tested))
    const printed = JSON.stringify(spies.map(({ mock }) => mock.calls))
    vi.restoreAllMocks()
    expect(reply).toMatchObject(tryAgain)
    expect(JSON.stringify(reply)).not.toContain('the-token')
    expect(printed).toContain('/chatapp/delivery')
    expect(printed).not.toContain('the-token')
    expect(printed).not.toContain('one-two')
  })
})

describe('the URL of the bot API', () => {
  it.each([
    [{ CHATAPP_BOT_TOKEN: 't' }, 'https://api.telegram.org/bott'],
    [{ CHATAPP_BOT_TOKEN: 't', CHATAPP_URL: 'http://bots/' }, 'http://bots/bott'],
    [{ CHATAPP_BOT_TOKEN: 't', LOCAL: 'true' }, 'https://api.telegram.org/bott'],
    [{ CHATAPP_URL: 'http://bots', LOCAL: 'true' }, 'http://bots/botlocal'],
  ])('of %j is %s', (given, url) => {
    expect(botUrl(given as never)).toBe(url)
  })

  it.each([
    [{}],
    [{ CHATAPP_URL: 'http://bots' }],
    [{ LOCAL: 'true' }],
    [{ CHATAPP_BOT_TOKEN: 't', CHATAPP_URL: 'bots' }],
  ])('of %j is undefined', (given) => {
    expect(() => botUrl(given as never)).toThrow(/Set CHATAPP_BOT_TOKEN|CHATAPP_URL must/)
  })
})

it('the Worker refuses a delivery that the queue did not send', async () => {
  expect(await ask('POST', '/chatapp/delivery', { chat_id: '1', text: 'x', expires_at: 9e12 })).toMatchObject(
    errorReply(401, 'unauthorized'),
  )
})
