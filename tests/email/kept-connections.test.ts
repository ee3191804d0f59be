// Tests the connections that the durable object of an SMTP server keeps between mails.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#email/bindings'
import type { SmtpOutlet } from '#email/outlet/smtp-outlet'
import { type Sender, senderTo } from './support.ts'

const outlets = (env as unknown as Env).OUTLET

const outletOf = ({ port }: Sender) => outlets.getByName(`default/127.0.0.1:${port}#0`)

const verbsOf = async ({ see }: Sender) => (await see()).commands.map((command) => command.split(' ')[0])

const expectQuit = (server: Sender) => expect.poll(async () => (await verbsOf(server)).at(-1)).toBe('QUIT')

const sendTimes = async ({ send }: Sender, count: number, mail = {}) => {
  for (let n = 0; n < count; n++) expect(await send(mail)).toMatchObject({ status: 201 })
}

describe('a kept connection', () => {
  it('gets all mails, one after the other, with one login', async () => {
    const login = { user: 'ann', pass: 'secret' }
    const server = await senderTo({ login }, { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'secret' })
    await sendTimes(server, 3)
    expect(await verbsOf(server)).toEqual(['EHLO', 'AUTH', ...Array(3).fill(['MAIL', 'RCPT', 'DATA']).flat()])
    expect(await server.see()).toMatchObject({ connections: 1, mails: { length: 3 } })
  })

  it('is reset with RSET after a rejected mail, and gets the next one', async () => {
    const server = await senderTo({ refuse: { 'bob@example.com': 550 } })
    expect(await server.send({ to: 'bob@example.com' })).toMatchObject({ status: 502 })
    await sendTimes(server, 1)
    expect((await verbsOf(server)).slice(-5)).toEqual(['DATA', 'RSET', 'MAIL', 'RCPT', 'DATA'])
    expect(await server.see()).toMatchObject({ connections: 1, mails: { length: 1 } })
  })

  it('is reset after a rejected message', async () => {
    const server = await senderTo({ refuse: { Spam: 554 } })
    expect(await server.send({ subject: 'Spam' })).toMatchObject({
      status: 502,
      json: { content: { step: 'message' } },
    })
    await sendTimes(server, 1)
    expect(await server.see()).toMatchObject({ connections: 1, mails: { length: 1 } })
  })

  it('is closed with QUIT after 100 mails', async () => {
    const server = await senderTo({}, { SMTP_CONNECTIONS: '1' })
    await Promise.all(Array.from({ length: 101 }, () => server.send()))
    expect(await server.see()).toMatchObject({ connections: 2, mails: { length: 101 } })
    expect(await verbsOf(server)).toContain('QUIT')
  })

  it('is closed with QUIT when it is idle', async () => {
    const server = await senderTo()
    await sendTimes(server, 1)
    await runInDurableObject(outletOf(server), (outlet: SmtpOutlet) => outlet.closeIdle())
    await expectQuit(server)
    await sendTimes(server, 1)
    expect(await server.see()).toMatchObject({ connections: 2 })
  })

  it('is not used any more with another password', async () => {
    const login = { user: 'ann', pass: 'secret' }
    const server = await senderTo({ login }, { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'secret' })
    await sendTimes(server, 1)
    const changed = server.with({ SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'guess' })
    expect(await changed.send()).toMatchObject({ status: 502, json: { content: { step: 'login' } } })
  })

  it.each(['cut', 'garbage', '421 4.4.2 Too many mails'])(
    'that fails before the message is replaced, and the mail is sent: %s',
    async (how) => {
      const server = await senderTo({ fault: [{ at: 'MAIL', how, from: 2 }] })
      await sendTimes(server, 2)
      expect(await server.see()).toMatchObject({ connections: 2, faults: 1, mails: { length: 2 } })
    },
  )

  it.each(['content', 'end'])('that breaks at the %s of the message does not get it again', async (at) => {
    const server = await senderTo({ fault: [{ at, how: 'cut', from: 2 }] })
    await sendTimes(server, 1)
    expect(await server.send()).toMatchObject({ status: 504, json: { status_code: 'smtp_outcome_unknown' } })
    await sendTimes(server, 1)
    expect(await server.see()).toMatchObject({ connections: 2, faults: 1 })
  })

  it('is replaced if the server closes it while it is idle', async () => {
    const server = await senderTo()
    await sendTimes(server, 1)
    await server.see('disconnect')
    await sendTimes(server, 1)
    expect(await server.see()).toMatchObject({ connections: 2, mails: { length: 2 } })
  })

  it('gets a large mail as a stream', async () => {
    const server = await senderTo()
    const content = Buffer.alloc(300_000, 'a.\r\n').toString('base64')
    await sendTimes(server, 1, { attachments: [{ filename: 'large.bin', content }] })
    const [first] = await server.arrived()
    expect(first!.attachments[0]).toMatchObject({ filename: 'large.bin' })
    expect(Buffer.from(first!.attachments[0]!.content as ArrayBuffer).toString('base64')).toBe(content)
  })
})

describe('many mails at a time', () => {
  it('use at most the configured number of connections', async () => {
    const server = await senderTo({}, { SMTP_CONNECTIONS: '2' })
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.send()))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(await server.see()).toMatchObject({ connections: 2, mails: { length: 20 } })
  })

  it('are spread over several objects with more than six connections', async () => {
    const server = await senderTo({}, { SMTP_CONNECTIONS: '12' })
    const replies = await Promise.all(Array.from({ length: 60 }, () => server.send()))
    expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(201))
    const { connections } = await server.see()
    expect(connections).toBeGreaterThan(6)
    expect(connections).toBeLessThanOrEqual(12)
  })
})

describe('a mail whose durable object fails', () => {
  const failing = (send: (begin: () => Promise<unknown>) => Promise<unknown>) =>
    ({
      getByName: () => ({ send: (_job: object, _max: number, begin: () => Promise<unknown>) => send(begin) }),
    }) as never

  it('is sent by an own connection, and the object cannot send it later', async () => {
    let late: (() => Promise<unknown>) | undefined
    const OUTLET = failing(async (begin) => {
      late = begin
      throw new Error('Durable Object is overloaded')
    })
    const server = await senderTo({}, { OUTLET })
    await sendTimes(server, 1)
    await expect(late!()).rejects.toThrow()
    expect(await server.see()).toMatchObject({ connections: 1, mails: { length: 1 } })
  })

  it('after the message has begun may have been sent', async () => {
    const OUTLET = failing(async (begin) => {
      await begin()
      throw new Error('Durable Object was reset')
    })
    const server = await senderTo({}, { OUTLET })
    expect(await server.send()).toMatchObject({ status: 504, json: { status_code: 'smtp_outcome_unknown' } })
    expect(await server.see()).toMatchObject({ connections: 0 })
  })
})

describe('the number of connections', () => {
  it.each(['-1', '61', '1.5', 'many'])('is 503 if it is invalid: %s', async (SMTP_CONNECTIONS) => {
    const server = await senderTo({}, { SMTP_CONNECTIONS })
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({
      status: 503,
      json: { status_code: 'not_configured', message: 'SMTP_CONNECTIONS must be a number between 0 and 60.' },
    })
  })

  it('0 opens a connection for each mail', async () => {
    const server = await senderTo({}, { SMTP_CONNECTIONS: '0' })
    await sendTimes(server, 2)
    expect(await server.see()).toMatchObject({ connections: 2 })
  })
})
