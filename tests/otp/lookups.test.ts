// Tests finding the target of a password and the password of a target, and the limit of unknown passwords.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import {
  channelParams,
  check,
  errorReply,
  everyChannel,
  freshEmail,
  freshIp,
  freshPassword,
  freshPhone,
  otpOn,
  otps,
  sendTo,
  validationError,
} from './support.ts'

const unknown = errorReply(404, 'password_not_found')

describe.each(otps())('a target on $dialect', (tested) => {
  const { send, otp } = tested
  const lookUpTarget = (channel: string, password: string) => send('GET', '/target', { channel, password })

  it.each(everyChannel)('is found by a password sent by %s, used or not', async (channel) => {
    const [target, password] = [channelParams[channel].fresh(), freshPassword()]
    await send('POST', `/${channel}`, sendTo(channel, target, password))
    const found = { status: 200, json: { status: true, content: { target } } }
    expect(await lookUpTarget(channel, password)).toEqual(found)
    await check(tested, channel, target, password)
    expect(await lookUpTarget(channel, password)).toEqual(found)
  })

  it('is not looked up by a HEAD request, which counts no miss either', async () => {
    const ip = freshIp()
    const ask = (method: string) =>
      tested.fetch(
        `http://component/target?${new URLSearchParams({ channel: 'sms', password: freshPassword(), ip })}`,
        {
          method,
        },
      )
    for (let n = 0; n < 25; n++) expect((await ask('HEAD')).status).toBe(200)
    expect((await ask('GET')).status).toBe(404)
  })

  it('is the latest of several', async () => {
    const [first, second, password] = [freshPhone(), freshPhone(), freshPassword()]
    for (const phone of [first, second]) await send('POST', '/sms', sendTo('sms', phone, password))
    expect((await lookUpTarget('sms', password)).json.content).toEqual({ target: second })
    await send('POST', '/sms', sendTo('sms', first, password))
    expect((await lookUpTarget('sms', password)).json.content).toEqual({ target: first })
  })

  it('is not found on another channel, or after the password has expired', async () => {
    const [phone, password] = [freshPhone(), freshPassword()]
    await send('POST', '/sms', sendTo('sms', phone, password))
    expect(await lookUpTarget('call', password)).toMatchObject(errorReply(404, 'target_not_found'))
    const { db, passwords } = otp
    await db
      .update(passwords)
      .set({ expires_at: new Date(Date.now() - 1) })
      .where(eq(passwords.target, phone))
    expect(await lookUpTarget('sms', password)).toMatchObject(errorReply(404, 'target_not_found'))
  })

  it('requires one of the four channels', async () => {
    expect(await lookUpTarget('pigeon', '1234')).toMatchObject(validationError('channel'))
    expect(await send('GET', '/target', {})).toMatchObject(validationError('channel', 'password'))
  })
})

describe.each(databases)('a lookup of an unknown password on $dialect', (database) => {
  const { send } = otpOn(database)
  const lookUpTarget = (channel: string, password: string, ip?: string) =>
    send('GET', '/target', { channel, password, ...(ip && { ip }) })
  const missesOf = (count: number, ip?: string) =>
    Promise.all(Array.from({ length: count }, () => lookUpTarget('sms', freshPassword(), ip)))
  const sent = async () => {
    const [phone, password] = [freshPhone(), freshPassword()]
    await send('POST', '/sms', sendTo('sms', phone, password))
    return password
  }

  it('gets 404 at most 20 times a minute per IP address, and lookups of valid passwords do not count', async () => {
    const [password, ip] = [await sent(), freshIp()]
    const known = await Promise.all(Array.from({ length: 60 }, () => lookUpTarget('sms', password, ip)))
    expect(known.filter(({ status }) => status === 200)).toHaveLength(60)
    const replies = await missesOf(100, ip)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(20)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(80)
    expect(await lookUpTarget('sms', password, ip)).toMatchObject(errorReply(429, 'target_limit'))
    expect(await lookUpTarget('call', freshPassword(), ip)).toMatchObject(errorReply(404, 'target_not_found'))
    // A user who has reached the limit of unknown passwords does not keep others from looking up a password.
    expect((await lookUpTarget('sms', password, freshIp())).status).toBe(200)
    expect((await lookUpTarget('sms', password)).status).toBe(200)
  })

  it('gets 404 at most 200 times a minute without an IP address', async () => {
    const password = await sent()
    const replies = [...(await missesOf(120)), ...(await missesOf(120))]
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(200)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40)
    expect(await lookUpTarget('sms', password)).toMatchObject(errorReply(429, 'target_limit'))
    expect((await lookUpTarget('sms', password, freshIp())).status).toBe(200)
  })

  it('requires a valid IP address', async () => {
    expect(await lookUpTarget('sms', '1234', 'here')).toMatchObject(validationError('ip'))
  })
})

describe.each(otps())('a password on $dialect', (tested) => {
  const { send, otp } = tested
  const passwordOf = (target: string) => send('GET', '/password', { target })
  const found = (password: string) => ({ status: 200, json: { status: true, content: { password } } })

  it.each(everyChannel)('is the latest valid one of its target by %s', async (channel) => {
    const target = channelParams[channel].fresh()
    expect(await passwordOf(target)).toMatchObject(unknown)
    const [first, second] = [freshPassword(), '  p 🤐 '.padEnd(100, 'x')]
    for (const password of [first, second]) await send('POST', `/${channel}`, sendTo(channel, target, password))
    expect(await passwordOf(target)).toEqual(found(second))
    expect(await check(tested, channel, target, second)).toBe(true)
    expect(await passwordOf(target)).toEqual(found(first))
    const { db, passwords } = otp
    await db
      .update(passwords)
      .set({ expires_at: new Date(Date.now() - 1) })
      .where(eq(passwords.target, target))
    expect(await passwordOf(target)).toMatchObject(unknown)
  })

  it('is the latest one of all channels', async () => {
    const phone = freshPhone()
    await send('POST', '/sms', sendTo('sms', phone, 'by sms'))
    await send('POST', '/call', sendTo('call', phone, 'by call'))
    expect(await passwordOf(phone)).toEqual(found('by call'))
  })

  it('is found for any notation of its target', async () => {
    const [phone, email] = [freshPhone(), freshEmail()]
    await send('POST', '/sms', sendTo('sms', phone, 'phone'))
    await send('POST', '/email', sendTo('email', email, 'email'))
    expect(await passwordOf(`+${phone.slice(0, 1)} (${phone.slice(1, 4)}) ${phone.slice(4)}`)).toEqual(found('phone'))
    expect(await passwordOf(` ${email.toUpperCase()}`)).toEqual(found('email'))
  })

  it('of a chat differs from that of a phone with the same digits', async () => {
    const digits = freshPhone()
    await send('POST', '/sms', sendTo('sms', digits, 'of the phone'))
    expect(await passwordOf(`-${digits}`)).toMatchObject(unknown)
    await send('POST', '/chatapp', sendTo('chatapp', `-${digits}`, 'of the chat'))
    expect(await passwordOf(`-${digits}`)).toEqual(found('of the chat'))
    expect(await passwordOf(digits)).toEqual(found('of the phone'))
  })

  it('cannot be read under another secret', async () => {
    const phone = freshPhone()
    await send('POST', '/sms', sendTo('sms', phone, '1234'))
    const other = otpOn({ ...databases.find(({ dialect }) => dialect === tested.dialect)! }, { OTP_SECRET: 'another' })
    expect(await other.send('GET', '/password', { target: phone })).toMatchObject(unknown)
    expect(await check(other, 'sms', phone, '1234')).toBe('wrong_password')
    expect(await check(tested, 'sms', phone, '1234')).toBe(true)
  })

  it.each(['x'.repeat(65), 'x'.repeat(320), '\u0001'])('is not found for the invalid target %j', async (target) => {
    expect(await passwordOf(target)).toMatchObject(unknown)
  })

  it('is encrypted in the database, each time with a different ciphertext', async () => {
    const [phone, password] = [freshPhone(), freshPassword()]
    for (let i = 0; i < 2; i++) await send('POST', '/sms', sendTo('sms', phone, password))
    const { db, passwords } = otp
    const rows = await db.select().from(passwords).where(eq(passwords.target, phone))
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(2)
    const [row] = rows
    expect(new Set([row!.digest, row!.channel_digest]).size).toBe(2)
  })
})
