// Tests sending one-time passwords on every channel: the stored password, the task, and failures of the queue.
import { count, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { isFull } from '../support/tier.ts'
import {
  channelParams,
  check,
  done,
  errorReply,
  everyChannel,
  freshIp,
  freshPassword,
  otpOn,
  otps,
  sendTo,
  type TestedOtp,
} from './support.ts'

const rows = async ({ otp }: TestedOtp, target: string) => {
  const { db, passwords } = otp
  const [found] = await db.select({ rows: count() }).from(passwords).where(eq(passwords.target, target))
  return found!.rows
}

describe.each(otps())('sending on $dialect', (tested) => {
  const { send, queue } = tested

  describe.each(everyChannel)('by %s', (channel) => {
    const target = channelParams[channel].fresh
    const path = `/${channel}`

    it('creates a password that is valid once', async () => {
      const [to, password] = [target(), freshPassword()]
      expect(await send('POST', path, sendTo(channel, to, password))).toEqual(done)
      expect(await check(tested, channel, to, password)).toBe(true)
      expect(await check(tested, channel, to, password)).toBe('already_used')
    })

    it('creates one confidential task, which is delivered once despite retries', async () => {
      queue.takeTasks()
      const [to, password] = [target(), freshPassword()]
      await send('POST', path, sendTo(channel, to, password))
      await send('POST', path, sendTo(channel, to, password))
      const tasks = queue.takeTasks()
      expect(tasks).toMatchObject([
        { worker: 'otp', key: channel, confidential: true, timeout: 30, retries: 100, retry_delay: 2 },
        { worker: 'otp', key: channel, confidential: true },
      ])
      const keys = tasks.map(({ headers }) => headers['idempotency-key'])
      expect(new Set(keys).size).toBe(2)
      for (const key of keys) expect(key).toMatch(/^otp-[\w-]{36}$/)
    })

    it('is delivered only while the password is valid', async () => {
      queue.takeTasks()
      await send('POST', path, sendTo(channel, target(), freshPassword(), { lifetime: 23 }))
      expect(queue.takeTasks()).toMatchObject([{ expires: 23 }])
    })

    it('stores and counts nothing while the queue refuses tasks', async () => {
      const [to, password, ip] = [target(), freshPassword(), freshIp()]
      const rule = [{ minutes: 1, rate: 1 }]
      await send('POST', `/limit/${channel}`, { ips: rule, [channelParams[channel].limits]: rule })
      queue.how = 'refusing'
      const refused = await send('POST', path, sendTo(channel, to, password, { ip }))
      queue.how = 'up'
      expect(refused).toMatchObject(errorReply(502, 'queue_failed'))
      expect(await rows(tested, to)).toBe(0)
      expect(await check(tested, channel, to, password)).toBe('wrong_password')
      expect(await send('POST', path, sendTo(channel, to, password, { ip }))).toEqual(done)
      await send('POST', `/limit/${channel}`, { ips: [], [channelParams[channel].limits]: [] })
    })

    it('returns 413 if the task is too large for the queue', async () => {
      queue.how = 'too large'
      const refused = await send('POST', path, sendTo(channel, target(), freshPassword()))
      queue.how = 'up'
      expect(refused).toMatchObject(errorReply(413, 'payload_too_large'))
    })
  })

  const last = () => queue.takeTasks().at(-1)!

  it('sends through the SMS service with force, regardless of the blacklist', async () => {
    await send('POST', '/sms', sendTo('sms', '+7 (701) 123-45-67', '1234', { message: 'It is 1234' }))
    expect(last()).toMatchObject({
      url: 'http://sms.test/sms',
      json: { phones: '77011234567', message: 'It is 1234', force: true, allow_duplicates: true },
    })
  })

  it('spells out a password in a call', async () => {
    await send('POST', '/call', sendTo('call', '77011234567', '12 a😀'))
    expect(last()).toMatchObject({
      url: 'http://sms.test/call',
      json: {
        phones: '77011234567',
        message: '1, 2,  , a, 😀',
        force: true,
        allow_duplicates: true,
        provider: 'provider_a',
      },
    })
  })

  it.each([
    [{ text: 'It is 1234' }, { text: 'It is 1234' }],
    [{ text: '', html: '<b>1234</b>' }, { html: '<b>1234</b>' }],
    [
      { text: 'It is 1234', html: '<b>1234</b>' },
      { text: 'It is 1234', html: '<b>1234</b>' },
    ],
  ])('sends a mail with %j through the email service', async (given, expected) => {
    const without = { subject: 'Code', text: null }
    await send('POST', '/email', sendTo('email', ' Ann@Example.com ', '1234', { ...without, ...given }))
    const { url, json } = last()
    expect(url).toBe('http://email.test/smtp')
    expect(json).toEqual({ to: 'ann@example.com', subject: 'Code', ...expected })
  })

  it.each(['-1001234567890', -1001234567890, '@channel'])('sends to chat %j through the bot', async (chat_id) => {
    const before = Date.now()
    await send('POST', '/chatapp', { ...sendTo('chatapp', '', '1234', { message: 'It is 1234' }), chat_id })
    const { url, json, secret_headers } = last()
    expect(url).toBe('http://otp.test/chatapp/delivery')
    expect(json).toEqual({ chat_id: String(chat_id), text: 'It is 1234', expires_at: expect.any(Number) })
    expect(Number(json.expires_at)).toBeGreaterThanOrEqual(before + 300_000)
    expect(Object.keys(secret_headers)).toEqual(['otp-proof'])
    expect(await check(tested, 'chatapp', String(chat_id), '1234')).toBe(true)
  })

  it('treats different notations of a phone as one target', async () => {
    await send('POST', '/sms', sendTo('sms', '+7 701 000-00-01', 'one phone'))
    expect(await check(tested, 'sms', '7(701)0000001', 'one phone')).toBe(true)
  })

  it('treats an email address as case-insensitive', async () => {
    await send('POST', '/email', sendTo('email', 'Bob@Example.COM', 'one mail'))
    expect(await check(tested, 'email', 'bob@example.com', 'one mail')).toBe(true)
  })
})

describe.each(otps({ AUTH_TOKENS: 'first, second' }))('sending on $dialect with access', ({ send, queue }) => {
  it('lets the queue send service tokens instead of storing its token in tasks', async () => {
    const headers = { authorization: 'Bearer second' }
    await send('POST', '/sms', sendTo('sms', '77011234567', '1234'), headers)
    await send('POST', '/email', sendTo('email', 'ann@example.com', '1234'), headers)
    const tasks = queue.takeTasks()
    expect(tasks.map(({ service }) => service)).toEqual(['sms', 'email'])
    for (const { secret_headers, headers } of tasks) {
      expect(secret_headers).toBeUndefined()
      expect(headers).not.toHaveProperty('authorization')
    }
    expect.assertions(5)
  })

  it('returns 401 without credentials', async () => {
    expect(await send('POST', '/sms', sendTo('sms', '77011234567', '1234'))).toMatchObject(
      errorReply(401, 'unauthorized'),
    )
  })
})

describe.each(otps({ OTP_QUEUE_WORKER: 'quick' }))('sending on $dialect by another worker', ({ send, queue }) => {
  it('creates the task for that worker', async () => {
    await send('POST', '/sms', sendTo('sms', '77011234567', '1234'))
    expect(queue.takeTasks()).toMatchObject([{ worker: 'quick' }])
  })
})

// One database is enough here, since the queue decides the result.
describe.each([
  // This case takes the timeout of 15 s, so it runs only in the full suite.
  ...(isFull ? [['late', errorReply(504, 'queue_timeout')] as const] : []),
  ['unreachable', errorReply(502, 'queue_failed')],
  ['breaking', errorReply(502, 'queue_failed')],
  ['failing', errorReply(502, 'queue_failed')],
] as const)('sending while the queue is %s', (how, told) => {
  const tested = otpOn(databases[0]!)
  const { send, queue } = tested

  it('stores and counts passwords that the queue may have accepted, on every channel', async () => {
    queue.how = how
    await Promise.all(
      everyChannel.map(async (channel) => {
        const [to, password] = [channelParams[channel].fresh(), freshPassword()]
        await send('POST', `/limit/${channel}`, { [channelParams[channel].limits]: [{ minutes: 60, rate: 1 }] })
        const refused = await send('POST', `/${channel}`, sendTo(channel, to, password))
        expect(refused).toMatchObject(told)
        expect(await check(tested, channel, to, password)).toBe(true)
        const again = await send('POST', `/${channel}`, sendTo(channel, to, password))
        expect(again).toMatchObject(errorReply(429, channelParams[channel].code))
        await send('POST', `/limit/${channel}`, { [channelParams[channel].limits]: [] })
      }),
    )
    queue.how = 'up'
  })
})
