// Tests checking one-time passwords, and the lock of 15 minutes after too many wrong ones.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Guard } from '#otp/guard'
import { databases } from '../support/databases.ts'
import { ask } from '../support/requests.ts'
import {
  bound,
  channelParams,
  check,
  everyChannel,
  freshPassword,
  freshPhone,
  otpOn,
  otps,
  sendTo,
  type TestedOtp,
} from './support.ts'

const minute = 60_000

/** How many of the replies are of checks that were made: a locked target's passwords are not checked. */
const looked = (answers: unknown[]) => answers.filter((answer) => answer !== 'attempts_exceeded').length

/** Makes the last wrong check of a target older. */
const age = ({ guard }: TestedOtp, key: string, ms: number) =>
  runInDurableObject(guard(key), (_, { storage }) => {
    const failures = storage.kv.get<{ count: number; at: number }>('wrong')!
    storage.kv.put('wrong', { ...failures, at: failures.at - ms })
  })

describe.each(otps())('a check on $dialect', (tested) => {
  const { send, otp } = tested

  const sent = async (password = freshPassword(), phone = freshPhone()) => {
    await send('POST', '/sms', sendTo('sms', phone, password))
    return { phone, password, check: (given: string) => check(tested, 'sms', phone, given) }
  }

  describe.each(everyChannel)('by %s', (channel) => {
    it('returns wrong_password for a password of another channel or another target', async () => {
      const [to, password] = [channelParams[channel].fresh(), freshPassword()]
      await send('POST', `/${channel}`, sendTo(channel, to, password))
      for (const other of everyChannel.filter((other) => other !== channel)) {
        const target =
          channelParams[other].target === channelParams[channel].target || other === 'chatapp'
            ? to
            : channelParams[other].fresh()
        expect(await check(tested, other, target, password)).toBe('wrong_password')
      }
      expect(await check(tested, channel, channelParams[channel].fresh(), password)).toBe('wrong_password')
      expect(await check(tested, channel, to, password)).toBe(true)
    })

    it('returns wrong_password for a target without passwords', async () => {
      const { json } = await send('GET', `/${channel}/check`, {
        [channelParams[channel].target]: channelParams[channel].fresh(),
        password: '1234',
      })
      expect(json).toEqual({ status: false, status_code: 'wrong_password', message: expect.any(String) })
    })
  })

  it('returns only the status for a correct password', async () => {
    const { phone, password } = await sent()
    expect(await send('GET', '/sms/check', { phone, password })).toEqual({ status: 200, json: { status: true } })
  })

  it('accepts each of several valid passwords', async () => {
    const first = await sent()
    const second = await sent(freshPassword(), first.phone)
    expect(await first.check(second.password)).toBe(true)
    expect(await first.check(first.password)).toBe(true)
  })

  it('accepts a password once if it was sent twice', async () => {
    const first = await sent()
    await sent(first.password, first.phone)
    expect(await first.check(first.password)).toBe(true)
    expect(await first.check(first.password)).toBe('already_used')
  })

  it('accepts a used password again after it was sent again', async () => {
    const first = await sent()
    await first.check(first.password)
    await sent(first.password, first.phone)
    expect(await first.check(first.password)).toBe(true)
  })

  it.each(['', ' ', 'PASSWORD', 'password ', 'pässword'])(
    'distinguishes the password %j from a similar one',
    async (other) => {
      const password = `password${freshPassword()}`
      const one = await sent(password)
      const similar = other === '' ? password.slice(0, -1) : other.trim() === '' ? ` ${password}` : other
      expect(await one.check(similar)).toBe('wrong_password')
      expect(await one.check(password)).toBe(true)
    },
  )

  it('returns wrong_password for an expired password', async () => {
    const { phone, password, check } = await sent()
    const { db, passwords } = otp
    await db
      .update(passwords)
      .set({ expires_at: new Date(Date.now() - 1) })
      .where(eq(passwords.target, phone))
    expect(await check(password)).toBe('wrong_password')
  })

  it('accepts one of fifty concurrent checks', async () => {
    const { password, check } = await sent()
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(password)))
    expect(answers.filter((answer) => answer === true)).toHaveLength(1)
  })

  it('examines at most the maximum number of wrong passwords, of a hundred concurrent ones', async () => {
    const { password, check } = await sent()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => check(`wrong ${i}`)))
    expect(looked(answers)).toBe(5)
    expect(await check(password)).toBe('attempts_exceeded')
  })

  it('accepts a correct password next to concurrent wrong and correct ones', async () => {
    const { phone, check } = await sent()
    const right = Array.from({ length: 9 }, freshPassword)
    for (const password of right) await sent(password, phone)
    const answers = await Promise.all(['a', 'b', ...right, 'c', 'd'].map(check))
    expect(answers.filter((answer) => answer === true)).toHaveLength(9)
    expect(answers.filter((answer) => answer === 'wrong_password')).toHaveLength(4)
  })

  it('resets the count of wrong passwords after a correct one', async () => {
    const { phone, password, check } = await sent()
    for (let i = 0; i < 4; i++) expect(await check('wrong')).toBe('wrong_password')
    expect(await check(password)).toBe(true)
    for (let i = 0; i < 4; i++) expect(await check('wrong')).toBe('wrong_password')
    const again = await sent(freshPassword(), phone)
    expect(await check(again.password)).toBe(true)
  })

  it('keeps the count of wrong passwords when another password is sent', async () => {
    const { phone, check } = await sent()
    for (let i = 0; i < 4; i++) expect(await check('wrong')).toBe('wrong_password')
    await sent(freshPassword(), phone)
    expect(await check('wrong')).toBe('wrong_password')
    const last = await sent(freshPassword(), phone)
    expect(await check(last.password)).toBe('attempts_exceeded')
  })

  it('does not count repeated checks of a used password', async () => {
    const { phone, password, check } = await sent()
    const answers = await Promise.all(Array.from({ length: 20 }, () => check(password)))
    expect(answers.filter((answer) => answer === true)).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'already_used')).toHaveLength(19)
    for (let i = 0; i < 4; i++) expect(await check('wrong')).toBe('wrong_password')
    expect(await check(password)).toBe('already_used')
    const again = await sent(freshPassword(), phone)
    expect(await check(again.password)).toBe(true)
  })

  it('reports a used password as used', async () => {
    const { phone, password, check } = await sent()
    await check(password)
    const { status, json } = await send('GET', '/sms/check', { phone, password })
    expect(status).toBe(200)
    expect(json).toEqual({ status: false, status_code: 'already_used', message: expect.any(String) })
  })

  it.each(everyChannel)('changes nothing on a HEAD request, by %s', async (channel) => {
    const [to, password] = [channelParams[channel].fresh(), freshPassword()]
    await send('POST', `/${channel}`, sendTo(channel, to, password))
    for (const attempt of [password, ...Array.from({ length: 10 }, () => 'wrong')]) {
      const query = new URLSearchParams({ [channelParams[channel].target]: to, password: attempt })
      const response = await tested.fetch(`http://component/${channel}/check?${query}`, { method: 'HEAD' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('content-type')).toMatch('application/json')
    }
    expect(await check(tested, channel, to, password)).toBe(true)
  })

  it('locks the target on that channel only', async () => {
    const { phone, check: checkSms } = await sent()
    for (let i = 0; i < 6; i++) await checkSms('wrong')
    const password = freshPassword()
    await send('POST', '/call', sendTo('call', phone, password))
    expect(await check(tested, 'call', phone, password)).toBe(true)
    const other = await sent()
    expect(await other.check(other.password)).toBe(true)
  })

  it('reports only that a target is locked', async () => {
    const { phone, check } = await sent()
    for (let i = 0; i < 5; i++) await check('wrong')
    const { status, json } = await send('GET', '/sms/check', { phone, password: 'wrong' })
    expect(status).toBe(200)
    expect(json).toEqual({ status: false, status_code: 'attempts_exceeded', message: expect.any(String) })
  })

  it('is possible again 15 minutes after the last examined one', async () => {
    const { phone, password, check } = await sent()
    for (let i = 0; i < 5; i++) await check('wrong')
    await age(tested, `sms ${phone}`, 14 * minute)
    // A check of a locked target must not make the lock longer.
    expect(await check(password)).toBe('attempts_exceeded')
    await age(tested, `sms ${phone}`, minute)
    expect(await check(password)).toBe(true)
    expect(looked(await Promise.all(Array.from({ length: 10 }, () => check('wrong'))))).toBe(5)
  })

  it('keeps the count of wrong passwords after the object was evicted', async () => {
    const { phone, password, check } = await sent()
    for (let i = 0; i < 5; i++) await check('wrong')
    await evictDurableObject(tested.guard(`sms ${phone}`))
    expect(await check(password)).toBe('attempts_exceeded')
  })

  it('leaves nothing in storage after the count has expired', async () => {
    const { phone, password, check } = await sent()
    const guard = tested.guard(`sms ${phone}`)
    const state = () =>
      runInDurableObject(guard, async (_, { storage }) => ({
        wrong: storage.kv.get('wrong'),
        hasAlarm: (await storage.getAlarm()) !== null,
      }))
    await check(password)
    expect(await state()).toEqual({ wrong: undefined, hasAlarm: true })
    await check('wrong')
    expect(await runDurableObjectAlarm(guard)).toBe(true)
    expect(await state()).toMatchObject({ wrong: { count: 1 }, hasAlarm: true })
    await age(tested, `sms ${phone}`, 15 * minute)
    await runDurableObjectAlarm(guard)
    expect(await state()).toEqual({ wrong: undefined, hasAlarm: false })
  })
})

describe.each(otps({ OTP_REUSABLE: 'true', OTP_MAX_ATTEMPTS: '2' }))('a reusable password on $dialect', (tested) => {
  it('is accepted while it is valid, until wrong passwords lock the target', async () => {
    const phone = freshPhone()
    await tested.send('POST', '/sms', sendTo('sms', phone, '1234'))
    expect(await check(tested, 'sms', phone, 'wrong')).toBe('wrong_password')
    for (let i = 0; i < 3; i++) expect(await check(tested, 'sms', phone, '1234')).toBe(true)
    for (let i = 0; i < 2; i++) expect(await check(tested, 'sms', phone, 'wrong')).toBe('wrong_password')
    expect(await check(tested, 'sms', phone, '1234')).toBe('attempts_exceeded')
  })
})

describe('a check while the database fails', () => {
  const broken = otpOn({
    dialect: 'no database',
    DB: {
      prepare: () => {
        throw new Error('down')
      },
    } as never,
  })

  it('counts nothing', async () => {
    const phone = freshPhone()
    const fail = () => broken.send('GET', '/sms/check', { phone, password: '1234' })
    for (let i = 0; i < 7; i++) expect((await fail()).status).toBe(500)
    const works = otpOn(databases[0]!)
    const kept = await runInDurableObject(broken.guard(`sms ${phone}`), (_, { storage }) => storage.kv.get('wrong'))
    expect(kept).toBeUndefined()
    expect(await check(works, 'sms', phone, '1234')).toBe('wrong_password')
  })
})

describe('an attempt', () => {
  it('is stored as a wrong password before the database is queried', async () => {
    const written: unknown[] = []
    await runInDurableObject(bound.GUARD.getByName(crypto.randomUUID()), async (_, state) => {
      const prepare = () => {
        written.push(state.storage.kv.get('wrong'))
        throw new Error('down')
      }
      const guard = new Guard(state, { ...bound, DB: { prepare } as never })
      const check = () => guard.check({ channel: 'sms', target: '77011234567', digest: 'x' })
      const checks = await Promise.allSettled([check(), check(), check()])
      expect(checks.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(state.storage.kv.get('wrong')).toBeUndefined()
    })
    expect(written).toEqual(
      Array.from({ length: 3 }, () => ({
        ...{ count: 1, streak: 1 },
        ...{ at: expect.any(Number), checkedAt: expect.any(Number) },
      })),
    )
  })
})

describe('the Durable Object of the Worker', () => {
  it('checks passwords too', async () => {
    const phone = freshPhone()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask('GET', '/sms/check', { phone, password: 'wrong' })),
    )
    const locked = answers.filter(({ json }) => (json as { status_code?: string }).status_code === 'attempts_exceeded')
    expect(locked).toHaveLength(15)
  })
})
