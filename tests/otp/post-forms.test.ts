import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { withoutId } from '../support/requests.ts'
import {
  channelParams,
  check,
  errorReply,
  everyChannel,
  freshChat,
  freshIp,
  freshPassword,
  otpOn,
  otps,
  sendTo,
} from './support.ts'

describe.each(otps())('the POST of a GET on $dialect', (tested) => {
  const { send } = tested

  /** Sends a password on a channel, and returns functions that check passwords by both methods. */
  const sent = async (channel: (typeof everyChannel)[number]) => {
    const [to, password] = [channelParams[channel].fresh(), freshPassword()]
    await send('POST', `/${channel}`, sendTo(channel, to, password))
    const by = (method: string) => (given: string) =>
      send(method, `/${channel}/check`, { [channelParams[channel].target]: to, password: given })
    return { to, password, get: by('GET'), post: by('POST') }
  }

  it.each(everyChannel)('checks a password by %s with the same replies', async (channel) => {
    const [one, other] = [await sent(channel), await sent(channel)]
    expect(await one.post('wrong')).toEqual(await other.get('wrong'))
    expect(await one.post(one.password)).toEqual({ status: 200, json: { status: true } })
    expect(await other.get(other.password)).toEqual({ status: 200, json: { status: true } })
    const used = await one.post(one.password)
    expect(used).toMatchObject({ status: 200, json: { status: false, status_code: 'already_used' } })
    expect(await one.get(one.password)).toEqual(used)
  })

  it.each(everyChannel)('counts the attempts by %s together with those of the GET', async (channel) => {
    const { to, password, get, post } = await sent(channel)
    for (const attempt of [get, post, get, post, get])
      expect(await attempt('wrong')).toMatchObject({ json: { status_code: 'wrong_password' } })
    expect(await post(password)).toMatchObject({ json: { status_code: 'attempts_exceeded' } })
    expect(await check(tested, channel, to, password)).toBe('attempts_exceeded')
  })

  it('accepts one of many concurrent checks by both methods', async () => {
    const { password, get, post } = await sent('sms')
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? get : post)(password)))
    expect(replies.filter(({ json }) => json.status).length).toBe(1)
    expect(replies.filter(({ json }) => json.status_code === ('already_used' as never)).length).toBe(19)
  })

  it('finds the target and the password, with the same replies', async () => {
    const { to, password } = await sent('sms')
    const lookups = [
      ['/target', { channel: 'sms', password }, 200],
      ['/target', { channel: 'sms', password: freshPassword() }, 404],
      ['/target', {}, 400],
      ['/password', { target: to }, 200],
      ['/password', { target: '77000000000' }, 404],
      ['/password', {}, 400],
    ] as const
    for (const [path, params, status] of lookups) {
      const found = await send('POST', path, params)
      expect(found.status).toBe(status)
      expect(withoutId(found)).toEqual(withoutId(await send('GET', path, params)))
    }
  })

  it('counts unknown passwords together with those of the GET', async () => {
    const ip = freshIp()
    const miss = (method: string) => send(method, '/target', { channel: 'sms', password: freshPassword(), ip })
    for (let n = 0; n < 20; n++) expect((await miss(n % 2 ? 'GET' : 'POST')).status).toBe(404)
    expect(await miss('POST')).toMatchObject(errorReply(429, 'target_limit'))
    expect(await miss('GET')).toMatchObject(errorReply(429, 'target_limit'))
  })

  it('needs the same credentials', async () => {
    const guarded = otpOn(databases[0]!, { AUTH_TOKENS: 'one' })
    for (const path of ['/sms/check', '/call/check', '/email/check', '/chatapp/check', '/target', '/password'])
      expect(await guarded.send('POST', path, {})).toMatchObject(errorReply(401, 'unauthorized'))
  })
})

describe.each(databases)("the bot's messages on $dialect", (database) => {
  it('are listed by POST as by GET', async () => {
    const local = otpOn(database, { CHATAPP_BOT_TOKEN: '', CHATAPP_URL: '' })
    const chat_id = freshChat()
    await local.send('POST', '/chatapp', sendTo('chatapp', chat_id, freshPassword()))
    await local.deliver(local.queue.takeTasks().at(-1)!)
    const listed = await local.send('POST', '/messages', { chat_id, count: true })
    expect(listed).toMatchObject({ status: 200, json: { content: { nb_results: 1, messages: [{ chat_id }] } } })
    expect(listed).toEqual(await local.send('GET', '/messages', { chat_id, count: true }))
    expect(await otpOn(database).send('POST', '/messages', {})).toMatchObject(errorReply(404, 'route_not_found'))
  })
})
