// Tests the long lock of a target after 100 consecutive wrong checks.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  channelParams,
  check,
  done,
  errorReply,
  everyChannel,
  freshPassword,
  freshPhone,
  otps,
  sendTo,
  validationError,
} from './support.ts'

const hour = 3_600_000

// With 1000 allowed wrong checks, the short lock of 15 minutes does not hide the long one.
describe.each(otps({ OTP_MAX_ATTEMPTS: '1000' }))('a target with 100 wrong checks in a row on $dialect', (tested) => {
  const { send, guard } = tested

  const sent = async (phone = freshPhone()) => {
    const password = freshPassword()
    await send('POST', '/sms', sendTo('sms', phone, password))
    return { phone, password, check: (given: string) => check(tested, 'sms', phone, given) }
  }
  const guess = (one: Awaited<ReturnType<typeof sent>>, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => one.check(`wrong ${n}`)))
  const locked = async () => {
    const one = await sent()
    await guess(one, 100)
    return one
  }
  /** Makes all that the guard has stored about a target older. */
  const age = (phone: string, ms: number) =>
    runInDurableObject(guard(`sms ${phone}`), (_, { storage }) => {
      const failures = storage.kv.get<{ at: number; checkedAt: number }>('wrong')!
      storage.kv.put('wrong', { ...failures, at: failures.at - ms, checkedAt: failures.checkedAt - ms })
    })

  it('stays locked for any age of the last wrong check, and after new passwords', async () => {
    const one = await sent()
    const answers = await guess(one, 130)
    expect(answers.filter((answer) => answer === 'wrong_password')).toHaveLength(100)
    expect(answers.filter((answer) => answer === 'attempts_exceeded')).toHaveLength(30)
    await age(one.phone, hour)
    await evictDurableObject(guard(`sms ${one.phone}`))
    const again = await sent(one.phone)
    expect(await again.check(again.password)).toBe('attempts_exceeded')
  })

  it('is unlocked by DELETE /lock with any notation of the target', async () => {
    const { phone, password, check } = await locked()
    expect(await check(password)).toBe('attempts_exceeded')
    expect(await send('DELETE', '/lock', { channel: 'call', target: phone })).toEqual(done)
    expect(await check(password)).toBe('attempts_exceeded')
    const target = `+${phone[0]} (${phone.slice(1, 4)}) ${phone.slice(4)}`
    expect(await send('DELETE', '/lock', { channel: 'sms', target })).toEqual(done)
    expect(await check(password)).toBe(true)
  })

  it('is unlocked after 24 hours without a check, and not after 24 hours with one', async () => {
    const { phone, password, check } = await locked()
    await age(phone, 23 * hour)
    expect(await check(password)).toBe('attempts_exceeded')
    await age(phone, 23 * hour)
    expect(await check(password)).toBe('attempts_exceeded')
    await age(phone, 24 * hour)
    expect(await check(password)).toBe(true)
  })

  it('counts wrong checks since the last correct one', async () => {
    const one = await sent()
    await guess(one, 60)
    expect(await one.check(one.password)).toBe(true)
    const again = await sent(one.phone)
    await guess(again, 60)
    expect(await again.check(again.password)).toBe(true)
  })

  it('counts no wrong checks while it has no valid password', async () => {
    const phone = freshPhone()
    const nobody = { phone, password: '', check: (given: string) => check(tested, 'sms', phone, given) }
    await guess(nobody, 120)
    const one = await sent(phone)
    expect(await one.check(one.password)).toBe(true)
  })

  it('counts wrong checks across locks of 15 minutes', async () => {
    const one = await sent()
    for (let round = 0; round < 4; round++) {
      await guess(one, 25)
      await age(one.phone, hour)
    }
    expect(await one.check(one.password)).toBe('attempts_exceeded')
  })

  it('is deleted a day after its last check', async () => {
    const { phone } = await locked()
    const kept = () =>
      runInDurableObject(guard(`sms ${phone}`), async (_, { storage }) => ({
        isKept: storage.kv.get('wrong') !== undefined,
        hasAlarm: (await storage.getAlarm()) !== null,
      }))
    await age(phone, hour)
    await runDurableObjectAlarm(guard(`sms ${phone}`))
    expect(await kept()).toEqual({ isKept: true, hasAlarm: true })
    await age(phone, 23 * hour)
    await runDurableObjectAlarm(guard(`sms ${phone}`))
    expect(await kept()).toEqual({ isKept: false, hasAlarm: false })
  })
})

describe.each(otps())('the lock of a target on $dialect', (tested) => {
  const { send, guard } = tested

  it.each(everyChannel)('of 15 minutes ends on DELETE /lock, by %s', async (channel) => {
    const [target, password] = [channelParams[channel].fresh(), freshPassword()]
    await send('POST', `/${channel}`, sendTo(channel, target, password))
    for (let n = 0; n < 5; n++) await check(tested, channel, target, 'wrong')
    expect(await check(tested, channel, target, password)).toBe('attempts_exceeded')
    expect(await send('DELETE', '/lock', { channel, target })).toEqual(done)
    expect(await check(tested, channel, target, password)).toBe(true)
  })

  it('can be deleted if it does not exist', async () => {
    expect(await send('DELETE', '/lock', { channel: 'sms', target: freshPhone() })).toEqual(done)
  })

  it('belongs to one target on one channel', async () => {
    expect(await send('DELETE', '/lock', { channel: 'sms', target: 'ann@example.com' })).toMatchObject(
      validationError('target'),
    )
    expect(await send('DELETE', '/lock', { channel: 'pigeon', target: '1' })).toMatchObject(validationError('channel'))
    expect(await send('DELETE', '/lock', {})).toMatchObject(validationError('channel', 'target'))
  })

  it('is read from an object written by an earlier version', async () => {
    const phone = freshPhone()
    await runInDurableObject(guard(`sms ${phone}`), (_, { storage }) => {
      storage.kv.put('wrong', { count: 5, at: Date.now() })
    })
    expect(await check(tested, 'sms', phone, 'wrong')).toBe('attempts_exceeded')
    await runInDurableObject(guard(`sms ${phone}`), (_, { storage }) => {
      storage.kv.put('wrong', { count: 5, at: Date.now() - hour })
    })
    expect(await check(tested, 'sms', phone, 'wrong')).toBe('wrong_password')
  })

  it('cannot be deleted without credentials', async () => {
    const [guarded] = otps({ AUTH_TOKENS: 'one' })
    expect(await guarded!.send('DELETE', '/lock', { channel: 'sms', target: '77011234567' })).toMatchObject(
      errorReply(401, 'unauthorized'),
    )
  })
})
