import { afterEach, describe, expect, it, vi } from 'vitest'
import { usualPatience } from '#email/smtp/conversation'
import { type Sender, sender, senderTo } from './support.ts'

const login = { user: 'ann', pass: 'secret' }
const credentials = { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'secret' }

const failing = (at: string, how: string, variables = {}) =>
  senderTo({ login, fault: { at, how } }, { ...credentials, ...variables })

const expectNothing = ({ see }: Sender) => expect.poll(() => see()).toMatchObject({ mails: [], faults: 1 })

/** What the server has not yet the message for, and as what a refusal names it. */
const steps = { greeting: 'greeting', EHLO: 'hello', AUTH: 'login', MAIL: 'sender', RCPT: 'recipients', DATA: 'data' }
const before = Object.keys(steps)

describe.each(Object.entries(steps))('a server that fails at %s', (at, step) => {
  it.each(['cut', 'garbage', 'endless'])('has sent nothing: %s', async (how) => {
    const server = await failing(at, how)
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({ status: 502, json: { status_code: 'smtp_failed' } })
    expect(json).not.toHaveProperty('content')
    await expectNothing(server)
  })

  it.each([421, 451, 554])('has sent nothing: %d', async (code) => {
    const server = await failing(at, `${code} for ann@example.com: no`)
    const { status, json } = await server.send()
    // Of a server that does not know EHLO it is HELO that counts.
    const smtp = at === 'EHLO' && code === 554 ? 503 : code
    expect({ status, json }).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', content: { smtp, step } },
    })
    expect(JSON.stringify(json)).not.toContain('ann@example.com')
    await expectNothing(server)
  })
})

describe('a server that is silent', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Sends a mail, for which time begins to pass when the server is silent. */
  const sendTo = async ({ sendSoon, see }: Sender) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const sent = sendSoon({}).catch((error: unknown) => error)
    await expect.poll(() => see()).toMatchObject({ faults: 1 })
    await vi.advanceTimersByTimeAsync(usualPatience.all)
    return sent
  }

  it.each(before)('at %s has sent nothing', async (at) => {
    const server = await failing(at, 'hang')
    expect(await sendTo(server)).toMatchObject({
      code: 'smtp_failed',
      message: 'The SMTP server did not answer in time',
      undone: true,
    })
    await expectNothing(server)
  })

  it.each(['content', 'end'])('at the %s of the message may have taken it', async (at) => {
    const server = await failing(at, 'hang')
    expect(await sendTo(server)).toMatchObject({ code: 'smtp_outcome_unknown' })
  })

  it('is left when all of it takes too long, whatever each step may take', async () => {
    const server = await failing('greeting', 'hang')
    await expect(server.sendSoon({ all: 1_000 })).rejects.toMatchObject({ code: 'smtp_failed' })
    await expectNothing(server)
  })
})

describe('a server that fails within the message', () => {
  it.each([
    ['content', 'cut'],
    ['content', 'garbage'],
    ['end', 'cut'],
    ['end', 'garbage'],
    ['end', 'endless'],
    ['end', '354 more, please'],
  ])('may have taken it: %s, %s', async (at, how) => {
    const server = await failing(at, how)
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({ status: 504, json: { status_code: 'smtp_outcome_unknown' } })
    await expect.poll(() => server.see()).toMatchObject({ faults: 1 })
  })

  it.each([
    ['content', 552],
    ['end', 554],
    ['end', 451],
  ])('has not taken it where it says so: %s, %d', async (at, code) => {
    const { send } = await failing(at, `${code} no`)
    expect(await send()).toMatchObject({
      status: 502,
      json: {
        status_code: 'smtp_failed',
        message: 'The SMTP server refused the message',
        content: { smtp: code, step: 'message' },
      },
    })
  })

  it('has not taken it where it says so in the middle of a large one', async () => {
    const { send } = await failing('content', '552 too much')
    expect(await send({ text: 'x'.repeat(1_000_000) })).toMatchObject({ status: 502, json: { content: { smtp: 552 } } })
  })
})

describe('STARTTLS', () => {
  const over = (how: string) => failing('STARTTLS', how, { SMTP_ENCRYPTION: 'tls' })

  it.each(['cut', 'garbage', '454 not now', '220 go on\r\n250 AUTH PLAIN'])(
    'that fails has said nothing more: %s',
    async (how) => {
      const server = await over(how)
      expect(await server.send()).toMatchObject({ status: 502, json: { status_code: 'smtp_failed' } })
      await expectNothing(server)
      expect((await server.see()).commands).toEqual(['EHLO localhost.localdomain', 'STARTTLS'])
    },
  )
})

describe('a server that is not there', () => {
  it('is named as such', async () => {
    const { send } = sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' })
    expect(await send()).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', message: 'The SMTP server could not be reached' },
    })
  })
})

describe('a server from before there were extensions', () => {
  it('gets mail', async () => {
    const { send, see } = await senderTo({ isOld: true })
    expect(await send()).toMatchObject({ status: 201 })
    expect((await see()).commands.slice(0, 2)).toEqual(['EHLO localhost.localdomain', 'HELO localhost.localdomain'])
  })
})
