// Tests the rules that limit how often one-time passwords are sent, also under concurrent requests.
import { describe, expect, it } from 'vitest'
import {
  channelParams,
  done,
  errorReply,
  everyChannel,
  freshIp,
  freshPassword,
  otps,
  sendTo,
  validationError,
} from './support.ts'

/**
 * Runs the work `count` times at once; on a Postgres server only 40 at a time, since each request takes one of its 100
 * connections.
 */
async function many<T>(count: number, dialect: string, work: () => Promise<T>): Promise<T[]> {
  const width = dialect === 'a Postgres server' ? 40 : count
  const results: T[] = []
  while (results.length < count) results.push(...(await Promise.all(Array.from({ length: width }, work))))
  return results
}

const perMinute = (rate: number, minutes = 1) => ({ minutes, rate })

/** A rule with a window that is longer than any test takes. */
const perHour = (rate: number) => perMinute(rate, 60)

describe.each(otps({ OTP_DEFAULT_LIMITS: 'off' }))('limits on $dialect', (tested) => {
  const { send, queue } = tested

  describe.each(everyChannel)('of %s', (channel) => {
    const { fresh, limits: targets, code } = channelParams[channel]
    const path = `/limit/${channel}`
    const limit = (given: object) => send('POST', path, given)
    const sendOne = (target: string, ip?: string) =>
      send('POST', `/${channel}`, sendTo(channel, target, freshPassword(), { ip }))

    it('are empty at first, and each list is replaced separately', async () => {
      const read = async () => (await send('GET', path)).json.content
      expect(await read()).toEqual({ ips: [], [targets]: [] })
      expect(await limit({ ips: [perMinute(5), perMinute(5)], [targets]: [perMinute(1, 60)] })).toEqual(done)
      expect(await read()).toEqual({ ips: [perMinute(5), perMinute(5)], [targets]: [perMinute(1, 60)] })
      await limit({ ips: [perMinute(7, 2)] })
      expect(await read()).toEqual({ ips: [perMinute(7, 2)], [targets]: [perMinute(1, 60)] })
      await limit({ ips: [], [targets]: [perMinute(3)] })
      expect(await read()).toEqual({ ips: [], [targets]: [perMinute(3)] })
      expect(await limit({})).toEqual(done)
      expect(await read()).toEqual({ ips: [], [targets]: [perMinute(3)] })
      await limit({ [targets]: [] })
      expect(await read()).toEqual({ ips: [], [targets]: [] })
    })

    it('are never mixed from two lists that are set concurrently', async () => {
      const lists = Array.from({ length: 8 }, (_, i) => [perMinute(i + 1), perMinute(i + 1, 2)])
      await Promise.all(lists.map((list) => limit({ ips: list, [targets]: list })))
      const { ips, [targets]: others } = (await send('GET', path)).json.content as never as Record<string, object[]>
      expect(lists).toContainEqual(ips)
      expect(others).toEqual(ips)
      await limit({ ips: [], [targets]: [] })
    })

    it.each([
      { minutes: 0, rate: 1 },
      { minutes: 1, rate: 0 },
      { minutes: -1, rate: 1 },
      { minutes: 1.5, rate: 1 },
      { minutes: 525_601, rate: 1 },
      { minutes: 1, rate: 10_001 },
      { minutes: 1 },
      'a rule',
    ])('refuse the rule %j', async (rule) => {
      const refused = await limit({ ips: [perMinute(1), rule] })
      expect(refused).toMatchObject({ status: 400, json: { status_code: 'validation_failed' } })
      expect(Object.keys(refused.json.errors as unknown as object)[0]).toMatch(/^ips\.1/)
      expect((await send('GET', path)).json.content).toEqual({ ips: [], [targets]: [] })
    })

    it('have at most 20 rules of each kind', async () => {
      const many = Array.from({ length: 21 }, (_, i) => perMinute(1, i + 1))
      expect(await limit({ [targets]: many })).toMatchObject(validationError(targets))
      expect(await limit({ [targets]: many.slice(1) })).toEqual(done)
      await limit({ [targets]: [] })
    })

    it('admit exactly five of 200 concurrent sends to one target', async () => {
      await limit({ [targets]: [perHour(5)] })
      queue.takeTasks()
      const target = fresh()
      const replies = await many(200, tested.dialect, () => sendOne(target))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(195)
      expect(queue.takeTasks()).toHaveLength(5)
      expect(await sendOne(target)).toMatchObject(errorReply(429, code))
      expect(await sendOne(fresh())).toEqual(done)
      await limit({ [targets]: [] })
    })

    it('admit exactly five of 200 concurrent sends from one IP address', async () => {
      await limit({ ips: [perHour(5)] })
      queue.takeTasks()
      const ip = freshIp()
      const replies = await many(200, tested.dialect, () => sendOne(fresh(), ip))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
      expect(queue.takeTasks()).toHaveLength(5)
      expect(await sendOne(fresh(), ip)).toMatchObject(errorReply(429, 'ip_limit'))
      expect(await sendOne(fresh(), freshIp())).toEqual(done)
      await limit({ ips: [] })
    })

    it('apply together: the strictest rule decides', async () => {
      await limit({ ips: [perMinute(9), perMinute(4, 60)], [targets]: [perMinute(100), perMinute(3, 10)] })
      const [target, ip] = [fresh(), freshIp()]
      const replies = await Promise.all(Array.from({ length: 30 }, () => sendOne(target, ip)))
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
      await limit({ ips: [], [targets]: [] })
    })

    it('release the reservation of the IP address if the target exceeds its limit', async () => {
      await limit({ ips: [perHour(3)], [targets]: [perHour(1)] })
      const [target, ip] = [fresh(), freshIp()]
      expect(await sendOne(target, ip)).toEqual(done)
      for (let i = 0; i < 5; i++) expect(await sendOne(target, ip)).toMatchObject(errorReply(429, code))
      expect(await sendOne(fresh(), ip)).toEqual(done)
      expect(await sendOne(fresh(), ip)).toEqual(done)
      expect(await sendOne(fresh(), ip)).toMatchObject(errorReply(429, 'ip_limit'))
      await limit({ ips: [], [targets]: [] })
    })

    it('require an IP address if an IP rule is set', async () => {
      await limit({ ips: [perMinute(5)] })
      expect(await sendOne(fresh())).toMatchObject(validationError('ip'))
      await limit({ ips: [] })
      expect(await sendOne(fresh())).toEqual(done)
    })

    it('return the time until the next send is allowed', async () => {
      await limit({ [targets]: [perHour(1)] })
      const target = fresh()
      await sendOne(target)
      const response = await tested.fetch(`http://component/${channel}`, {
        method: 'POST',
        body: JSON.stringify(sendTo(channel, target, freshPassword())),
      })
      expect(response.status).toBe(429)
      const seconds = Number(response.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(3_000)
      expect(seconds).toBeLessThanOrEqual(3_600)
      expect(await response.json()).toEqual({
        status: false,
        status_code: code,
        message: expect.any(String),
        request_id: expect.any(String),
        docs: expect.any(String),
      })
      await limit({ [targets]: [] })
    })
  })

  it('count each channel separately', async () => {
    for (const channel of ['sms', 'call'] as const) await send('POST', `/limit/${channel}`, { phones: [perHour(1)] })
    const phone = channelParams.sms.fresh()
    expect(await send('POST', '/sms', sendTo('sms', phone, '1'))).toEqual(done)
    expect(await send('POST', '/call', sendTo('call', phone, '1'))).toEqual(done)
    expect(await send('POST', '/sms', sendTo('sms', phone, '1'))).toMatchObject(errorReply(429, 'phone_limit'))
    for (const channel of ['sms', 'call'] as const) await send('POST', `/limit/${channel}`, { phones: [] })
  })

  it('count different notations of a target as one', async () => {
    await send('POST', '/limit/email', { emails: [perHour(1)] })
    const email = channelParams.email.fresh()
    await send('POST', '/email', sendTo('email', email, '1'))
    const refused = await send('POST', '/email', sendTo('email', ` ${email.toUpperCase()}`, '1'))
    expect(refused).toMatchObject(errorReply(429, 'email_limit'))
    await send('POST', '/limit/email', { emails: [] })
  })

  it.each([
    ['192.0.2.77', '::ffff:192.0.2.77'],
    ['192.0.2.78', '::ffff:c000:24e'],
    ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::2'],
  ])('count the addresses %s and %s as one', async (first, second) => {
    await send('POST', '/limit/sms', { ips: [perHour(1)] })
    const by = (ip: string) => send('POST', '/sms', sendTo('sms', channelParams.sms.fresh(), '1', { ip }))
    expect(await by(first)).toEqual(done)
    expect(await by(second)).toMatchObject(errorReply(429, 'ip_limit'))
    await send('POST', '/limit/sms', { ips: [] })
  })

  it('exist for the four channels only', async () => {
    expect(await send('POST', '/limit/pigeon', { ips: [] })).toMatchObject(errorReply(404, 'route_not_found'))
    expect(await send('GET', '/limit/pigeon')).toMatchObject(errorReply(404, 'route_not_found'))
  })
})
