// Tests the default rules that limit sends until an operator sets rules. Runs only in the full suite.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import {
  channelParams,
  done,
  errorReply,
  everyChannel,
  freshChat,
  freshIp,
  freshPassword,
  otpOn,
  sendTo,
  validationError,
} from './support.ts'

const perTarget = [
  { minutes: 10, rate: 10 },
  { minutes: 1_440, rate: 30 },
]
const perIp = [{ minutes: 60, rate: 100 }]

describe.each(databases)('default limits on $dialect', (database) => {
  const tested = otpOn(database)
  const { send } = tested

  describe.each(everyChannel)('of %s', (channel) => {
    const { fresh, limits: targets, code } = channelParams[channel]
    const path = `/limit/${channel}`
    const inForce = async () => (await send('GET', path)).json.content
    const sendOne = (target: string, ip?: string) =>
      send('POST', `/${channel}`, sendTo(channel, target, freshPassword(), { ip }))
    const sendMany = (count: number, one: () => ReturnType<typeof sendOne>) =>
      Promise.all(Array.from({ length: count }, one))

    it('apply until a list is set, and are shown', async () => {
      expect(await inForce()).toEqual({ ips: perIp, [targets]: perTarget })
      const target = fresh()
      const replies = await sendMany(15, () => sendOne(target))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(await sendOne(target)).toMatchObject(errorReply(429, code))
      expect(await sendOne(fresh())).toEqual(done)
    })

    it('count the IP address of a send if present, and do not require one', async () => {
      const ip = freshIp()
      const replies = [
        ...(await sendMany(40, () => sendOne(fresh(), ip))),
        ...(await sendMany(40, () => sendOne(fresh(), ip))),
        ...(await sendMany(40, () => sendOne(fresh(), ip))),
      ]
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(100)
      expect(await sendOne(fresh(), ip)).toMatchObject(errorReply(429, 'ip_limit'))
      expect(await sendOne(fresh())).toEqual(done)
    })

    it('are replaced by a list and disabled by an empty list, each separately', async () => {
      await send('POST', path, { [targets]: [] })
      expect(await inForce()).toEqual({ ips: perIp, [targets]: [] })
      const target = fresh()
      const replies = await sendMany(35, () => sendOne(target))
      expect(replies.every(({ status }) => status === 200)).toBe(true)
      await send('POST', path, { ips: [{ minutes: 60, rate: 1 }] })
      expect(await inForce()).toEqual({ ips: [{ minutes: 60, rate: 1 }], [targets]: [] })
      expect(await sendOne(fresh())).toMatchObject(validationError('ip'))
      await send('POST', path, { ips: [] })
      expect(await inForce()).toEqual({ ips: [], [targets]: [] })
    })
  })
})

describe('default limits', () => {
  // Rules are stored in the database, so this test deletes those that other tests have set.
  const database = databases.at(-1)!

  it('apply to chats that write to the bot', async () => {
    const tested = otpOn(database)
    await tested.otp.db.delete(tested.otp.limits)
    const chat = freshChat()
    for (let n = 0; n < 12; n++) await tested.send('POST', '/chatapp/webhook', { message: { chat: { id: chat } } })
    expect(tested.queue.takeTasks()).toHaveLength(10)
  })

  it('are disabled with OTP_DEFAULT_LIMITS=off', async () => {
    const tested = otpOn(database, { OTP_DEFAULT_LIMITS: 'off' })
    await tested.otp.db.delete(tested.otp.limits)
    expect((await tested.send('GET', '/limit/sms')).json.content).toEqual({ ips: [], phones: [] })
    const phone = channelParams.sms.fresh()
    for (let n = 0; n < 12; n++)
      expect(await tested.send('POST', '/sms', sendTo('sms', phone, String(n)))).toEqual(done)
  })

  it('are 503 with another OTP_DEFAULT_LIMITS', async () => {
    const tested = otpOn(database, { OTP_DEFAULT_LIMITS: 'some' })
    expect(await tested.send('GET', '/limit/sms')).toMatchObject(errorReply(503, 'not_configured'))
  })
})
