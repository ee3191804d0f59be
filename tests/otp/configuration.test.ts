// Tests the environment variables of the one-time passwords, and the health report.
import { describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { done, errorReply, otpOn, sendTo } from './support.ts'

const unset = errorReply(503, 'not_configured')

const askWith = async (variables: object) => otpOn(databases[0]!, variables).send('GET', '/limit/sms')

describe('a configured component', () => {
  it.each([
    ['OTP_SECRET', ['']],
    ['OTP_MAX_ATTEMPTS', ['0', '-1', '1.5', 'five', '1001', ' ']],
    ['OTP_REUSABLE', ['yes', '2']],
    ['CHATAPP_LIFETIME', ['0', '86401', 'long']],
    ['CHATAPP_MESSAGE', ['Your code', 'x'.repeat(5_000)]],
    ['OTP_RETENTION', ['0', '3600', '86399', '2d', '100000.5', '99999999999']],
  ])('with an invalid %s serves nothing', async (name, values) => {
    for (const value of values) {
      const refused = await askWith({ [name]: value })
      expect(refused).toMatchObject(unset)
      expect(refused.json.message).toContain(name)
    }
  })

  it.each([
    { OTP_MAX_ATTEMPTS: '1000', OTP_REUSABLE: 'false', CHATAPP_LIFETIME: '86400', CHATAPP_MESSAGE: '{password}' },
    { OTP_MAX_ATTEMPTS: '', OTP_REUSABLE: '', CHATAPP_LIFETIME: '', CHATAPP_MESSAGE: '' },
  ])('with %j serves', async (variables) => {
    expect((await askWith(variables)).status).toBe(200)
  })

  it.each([
    ['SMS_URL', '/sms', sendTo('sms', '77011234567', '1')],
    ['SMS_URL', '/call', sendTo('call', '77011234567', '1')],
    ['EMAIL_URL', '/email', sendTo('email', 'ann@example.com', '1')],
    ['SELF_URL', '/chatapp', sendTo('chatapp', '1', '1')],
  ])('without %s sends nothing by %s, unless it has a BASE_URL', async (name, path, params) => {
    const without = otpOn(databases[0]!, { [name]: '' })
    await without.send('POST', '/limit/sms', { phones: [{ minutes: 1, rate: 1 }] })
    const refused = await without.send('POST', path, params)
    expect(refused).toMatchObject(unset)
    expect(refused.json.message).toContain(name)
    expect(without.queue.requestCount).toBe(0)
    const based = otpOn(databases[0]!, { [name]: '', BASE_URL: 'https://{component}.example.com' })
    expect(await based.send('POST', path, params)).toEqual(done)
    expect(based.queue.takeTasks()[0]!.url).toMatch(/^https:\/\/(sms|email|otp)\.example\.com\//)
    await without.send('POST', '/limit/sms', { phones: [] })
  })
})

describe('the health report', () => {
  it('reflects the state of the database and the queue', async () => {
    const { send, queue } = otpOn(databases[0]!)
    expect(await send('GET', '/_health')).toMatchObject({
      status: 200,
      json: { content: { dependencies: { database: { state: 'up' }, queue: { state: 'up' } } } },
    })
    expect(queue.tasks).toEqual([])
    const other = otpOn(databases[0]!, { QUEUE_URL: 'http://127.0.0.1:1' })
    expect(await other.send('GET', '/_health')).toMatchObject({
      status: 503,
      json: { content: { dependencies: { database: { state: 'up' }, queue: { state: 'down' } } } },
    })
  })
})
