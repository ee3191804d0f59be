// Tests which error the caller gets when the SMTP server fails, for each step of the session and each kind of failure.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultTimeouts } from '#email/smtp/timeouts'
import { type Sender, sender, senderTo } from './support.ts'

const login = { user: 'ann', pass: 'secret' }
const credentials = { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'secret' }

const failing = (at: string, how: string, variables = {}) =>
  senderTo({ login, fault: { at, how } }, { ...credentials, ...variables })

const expectNothing = ({ see }: Sender) => expect.poll(() => see()).toMatchObject({ mails: [], faults: 1 })

/**
 * The SMTP command or reply at which the fake server fails, and the name of that step in the error. At all of them the message
 * has not begun.
 */
const steps = { greeting: 'greeting', EHLO: 'hello', AUTH: 'login', MAIL: 'sender', RCPT: 'recipients', DATA: 'data' }
const before = Object.keys(steps)

describe.each(Object.entries(steps))('a server that fails at %s', (at, step) => {
  it.each(['cut', 'garbage', 'endless'])('has sent nothing: %s', async (how) => {
    const server = await failing(at, how)
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({ status: 502, json: { status_code: 'smtp_failed' } })
    expect(json.content).toEqual({ step })
    await expectNothing(server)
  })

  it.each([421, 451, 554])('has sent nothing: %d', async (code) => {
    const logged = vi.spyOn(console, 'error')
    const server = await failing(at, `${code} for ann@example.com: no`)
    const { status, json } = await server.send()
    // The client repeats a rejected EHLO as HELO, so the reply to HELO is the one in the error.
    const smtp = at === 'EHLO' && code === 554 ? 503 : code
    expect({ status, json }).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', content: { smtp, step, reply: { code: smtp, enhanced: null } } },
    })
    expect(json.message).not.toContain('ann@example.com')
    expect(JSON.stringify(logged.mock.calls)).not.toContain('ann@example.com')
    logged.mockRestore()
    await expectNothing(server)
  })
})

describe('a silent server', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Starts a mail to a silent server, and advances the fake clock to the timeout once the server is silent. */
  const sendTo = async ({ sendSoon, see }: Sender) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const sent = sendSoon({}).catch((error: unknown) => error)
    await expect.poll(() => see()).toMatchObject({ faults: 1 })
    await vi.advanceTimersByTimeAsync(defaultTimeouts.all)
    return sent
  }

  it.each(before)('at %s has accepted nothing', async (at) => {
    const server = await failing(at, 'hang')
    expect(await sendTo(server)).toMatchObject({
      code: 'smtp_failed',
      message: 'The SMTP server did not answer in time.',
      undone: true,
    })
    await expectNothing(server)
  })

  it.each(['content', 'end'])('at the %s of the message may have accepted it', async (at) => {
    const server = await failing(at, 'hang')
    expect(await sendTo(server)).toMatchObject({ code: 'smtp_outcome_unknown' })
  })

  it('is disconnected after the total timeout, even if no step times out', async () => {
    const server = await failing('greeting', 'hang')
    await expect(server.sendSoon({ all: 1_000 })).rejects.toMatchObject({ code: 'smtp_failed' })
    await expectNothing(server)
  })
})

describe('a server that fails during the message', () => {
  it.each([
    ['content', 'cut'],
    ['content', 'garbage'],
    ['end', 'cut'],
    ['end', 'garbage'],
    ['end', 'endless'],
    ['end', '354 more, please'],
  ])('may have accepted it: %s, %s', async (at, how) => {
    const server = await failing(at, how)
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({ status: 504, json: { status_code: 'smtp_outcome_unknown' } })
    await expect.poll(() => server.see()).toMatchObject({ faults: 1 })
  })

  it.each([
    ['content', 552],
    ['end', 554],
    ['end', 451],
  ])('has not accepted it if it replies so: %s, %d', async (at, code) => {
    const { send } = await failing(at, `${code} no`)
    expect(await send()).toMatchObject({
      status: 502,
      json: {
        status_code: 'smtp_failed',
        message: 'The SMTP server refused the message.',
        content: { smtp: code, step: 'message' },
      },
    })
  })

  it('has not accepted a large message if it replies so in the middle', async () => {
    const { send } = await failing('content', '552 too much')
    expect(await send({ text: 'x'.repeat(1_000_000) })).toMatchObject({ status: 502, json: { content: { smtp: 552 } } })
  })
})

describe('the reply of the server', () => {
  it('is in the result of a failure: code, enhanced status code and text', async () => {
    const { send } = await failing('RCPT', '550-5.4.5 Daily user sending\r\n550 5.4.5 limit exceeded')
    expect(await send()).toMatchObject({
      status: 502,
      json: {
        content: {
          step: 'recipients',
          smtp: 550,
          reply: { code: 550, enhanced: '5.4.5', text: 'Daily user sending\nlimit exceeded' },
          recipients: [{ address: 'ann@example.com', code: 550, enhanced: '5.4.5' }],
        },
      },
    })
  })

  it('is in the result of a success, about each recipient too', async () => {
    const { send } = await senderTo({ refuse: { 'bob@example.com': 550 } })
    const { status, json } = await send({ to: 'Ann <ann@example.com>, bob@example.com', bcc: 'carl@example.com' })
    expect({ status, json }).toMatchObject({
      status: 201,
      json: {
        content: {
          rejected: ['bob@example.com'],
          reply: { code: 250, enhanced: null, text: expect.any(String) },
          recipients: [
            { address: 'ann@example.com', code: 250 },
            { address: 'bob@example.com', code: 550, text: '*** is refused' },
            { address: 'carl@example.com', code: 250 },
          ],
        },
      },
    })
  })

  it('is truncated, and has no control characters', async () => {
    const { send } = await failing('MAIL', `550 a\tb\u0001${'x'.repeat(3_000)}`)
    const { json } = await send()
    const { reply } = json.content as unknown as { reply: { text: string } }
    expect(reply.text).toMatch(/^a b x+$/)
    expect(reply.text).toHaveLength(1_000)
  })
})

describe('addresses in the reply of the server', () => {
  it('are masked, also those of other people', async () => {
    const { send } = await failing('RCPT', '550 5.1.1 <ann@example.com>: moved to eve.x+y@bücher.example')
    expect(await send()).toMatchObject({
      json: { content: { reply: { code: 550, enhanced: '5.1.1', text: '<***>: moved to ***' } } },
    })
  })
})

describe('after a well-formed rejection', () => {
  const quit = async ({ see }: Sender) => expect.poll(async () => (await see()).commands.at(-1)).toBe('QUIT')

  it.each(['AUTH', 'MAIL', 'RCPT', 'DATA', 'end'])('of %s the session ends with QUIT', async (at) => {
    const server = await failing(at, '550 5.7.1 no')
    expect(await server.send()).toMatchObject({ status: 502 })
    await quit(server)
  })

  it.each([{}, { without: ['PIPELINING' as const] }])(
    'of all recipients on an own connection the session ends with QUIT: %j',
    async (more) => {
      const server = await senderTo({ refuse: { 'ann@example.com': 550 }, ...more }, { SMTP_CONNECTIONS: '0' })
      expect(await server.send()).toMatchObject({ status: 502, json: { content: { step: 'recipients' } } })
      await quit(server)
    },
  )

  it('of a message that is too large on an own connection the session ends with QUIT', async () => {
    const server = await senderTo({ size: 10_000 }, { SMTP_CONNECTIONS: '0' })
    expect(await server.send({ text: 'x'.repeat(10_001) })).toMatchObject({ status: 413 })
    await quit(server)
  })
})

describe('STARTTLS', () => {
  const over = (how: string) => failing('STARTTLS', how, { SMTP_ENCRYPTION: 'tls' })

  it.each([
    ['cut', []],
    ['garbage', []],
    ['454 not now', ['QUIT']],
    ['220 go on\r\n250 AUTH PLAIN', []],
  ])('that fails is followed by nothing but QUIT: %s', async (how, more) => {
    const server = await over(how)
    expect(await server.send()).toMatchObject({ status: 502, json: { status_code: 'smtp_failed' } })
    await expectNothing(server)
    const commands = async () => (await server.see()).commands
    await expect.poll(commands).toEqual(['EHLO localhost.localdomain', 'STARTTLS', ...more])
  })
})

describe('an unreachable server', () => {
  it('is reported as unreachable', async () => {
    const { send } = sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' })
    expect(await send()).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', message: 'The SMTP server could not be reached.' },
    })
  })
})

describe('a server without ESMTP extensions', () => {
  it('gets mail', async () => {
    const { send, see } = await senderTo({ isOld: true })
    expect(await send()).toMatchObject({ status: 201 })
    expect((await see()).commands.slice(0, 2)).toEqual(['EHLO localhost.localdomain', 'HELO localhost.localdomain'])
  })
})
