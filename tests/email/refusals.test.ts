// Tests that invalid mails are rejected with 400 before anything is sent, also attempts to inject headers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { senderTo } from './support.ts'

type Server = Awaited<ReturnType<typeof senderTo>>

const refusing = async (mail: object, errors: Record<string, unknown>) => {
  const server = await senderTo()
  expect(await server.send(mail)).toMatchObject({ status: 400, json: { status_code: 'validation_failed', errors } })
  await expectNothing(server)
}

/** Expects that the component did not even connect to the SMTP server. */
const expectNothing = async ({ see }: Server) => expect(await see()).toMatchObject({ connections: 0, mails: [] })

const any = expect.any(String)
const file = { filename: 'a.txt', content: btoa('a') }

describe('an invalid mail is refused, and nothing is sent', () => {
  it.each<[string, object, Record<string, unknown>]>([
    ['no subject', { subject: undefined }, { subject: 'subject is required.' }],
    ['a subject of several lines', { subject: 'a\nb' }, { subject: any }],
    ['a subject without end', { subject: 'x'.repeat(999) }, { subject: any }],
    ['half a character', { subject: 'a\ud800' }, { subject: any }],
    ['nobody', { to: undefined }, { to: 'to is required.' }],
    ['an empty list', { to: [] }, { to: any }],
    ['a list of nothing', { to: ' , ' }, { to: any }],
    ['a number', { to: 1 }, { to: any }],
    ['neither text nor html', { text: undefined }, { text: any }],
    ['an empty text', { text: '' }, { text: any }],
    ['a text that is no string', { text: { path: '/etc/passwd' } }, { text: any }],
    ['html that is no string', { html: { href: 'http://localhost' } }, { html: any }],
    ['a text of more than a million characters', { text: 'x'.repeat(1_000_001) }, { text: any }],
    ['html of 5 MB', { html: '<p>'.repeat(1_666_667) }, { html: any }],
    ['NUL', { text: 'a\0' }, { text: any }],
    ['too many recipients', { to: many(60), cc: many(30), bcc: many(11) }, { to: any }],
    ['too many in one list', { to: many(101) }, { to: any }],
    ['a list without end', { to: 'ann@example.com,'.repeat(300_000) }, { to: any }],
    ['half a character in a name', { to: ['A\ud800 <ann@example.com>'] }, { 'to.0': any }],
    ['an invalid cc address', { cc: 'ann@example.com, bob' }, { 'cc.1': any }],
    ['an invalid bcc address', { bcc: ['x'] }, { 'bcc.0': any }],
    ['an invalid reply_to address', { reply_to: 'x' }, { 'reply_to.0': any }],
    ['an answer to beyond ASCII', { reply_to: 'юля@example.com' }, { reply_to: any }],
    [
      'a file without a name',
      { attachments: [{ content: file.content }] },
      { 'attachments.0.filename': 'attachments.0.filename is required.' },
    ],
    ['a file of nothing', { attachments: [file, { filename: 'a' }] }, { 'attachments.1.content': any }],
    ['a file of two things', { attachments: [{ ...file, digest: 'a' }] }, { 'attachments.0.content': any }],
    ['no base64', { attachments: [{ ...file, content: 'a-_=' }] }, { 'attachments.0.content': any }],
    ['base64 in lines', { attachments: [{ ...file, content: 'YWFh\nYWFh' }] }, { 'attachments.0.content': any }],
    ['base64 without padding', { attachments: [{ ...file, content: 'YQ' }] }, { 'attachments.0.content': any }],
    ['padding alone', { attachments: [{ ...file, content: '====' }] }, { 'attachments.0.content': any }],
    ['a digest with a path', { attachments: [{ filename: 'a', digest: '../info' }] }, { 'attachments.0.digest': any }],
    ['no media type', { attachments: [{ ...file, content_type: 'x' }] }, { 'attachments.0.content_type': any }],
    [
      'a message in the message',
      { attachments: [{ ...file, content_type: 'message/rfc822' }] },
      { 'attachments.0.content_type': any },
    ],
    [
      'a multipart type',
      { attachments: [{ ...file, content_type: 'Multipart/mixed; boundary=x' }] },
      { 'attachments.0.content_type': any },
    ],
    ['a strange id', { attachments: [{ ...file, cid: 'a b' }] }, { 'attachments.0.cid': any }],
    ['too many files', { attachments: Array.from({ length: 101 }, () => file) }, { attachments: any }],
    ['headers that are no object', { headers: 'X-A: b' }, { headers: any }],
    ['a header that is no string', { headers: { 'X-A': 1 } }, { 'headers.X-A': any }],
    ['an empty header', { headers: { 'X-A': '' } }, { 'headers.X-A': any }],
    ['a header of one long word', { headers: { 'X-A': 'x'.repeat(901) } }, { 'headers.X-A': any }],
    [
      'too many headers',
      { headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, 'a'])) },
      { headers: any },
    ],
  ])('%s', async (_, mail, errors) => refusing(mail, errors))

  it.each([
    ...['From', 'Sender', 'To', 'CC', 'Bcc', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Received'],
    ...['Return-Path', 'DKIM-Signature', 'Content-Type', 'content-transfer-encoding', 'Content-Anything', 'Resent-To'],
    ...['ARC-Seal', 'X-A:', 'X A', ' X-A', 'X-Ä', '', '_X', 'X-A\r\nBcc'],
  ])('a header %j', async (name) => {
    const headers = JSON.parse(`{${JSON.stringify(name)}: "a"}`)
    const server = await senderTo()
    const { status, json } = await server.send({ headers })
    expect({ status, json }).toMatchObject({ status: 400, json: { status_code: 'validation_failed' } })
    expect(Object.keys(json.errors as unknown as object)).toEqual([name === '' ? 'headers.' : `headers.${name}`])
    await expectNothing(server)
  })

  it.each([
    ...['ann', 'ann@', '@example.com', 'ann example.com', 'a b@example.com', 'ann@@example.com', 'ann@example..com'],
    ...[
      '.ann@example.com',
      'ann.@example.com',
      'a..b@example.com',
      'ann@-example.com',
      'ann@example-.com',
      'ann@[127.0.0.1]',
    ],
    ...[
      'ann@127.0.0.1',
      'ann@exa mple.com',
      'ann@exam_ple.com',
      '<ann@example.com',
      'ann@example.com>',
      'Ann ann@example.com',
    ],
    ...[
      'Ann <ann@example.com> x',
      'a@example.com b@example.com',
      '"Ann <ann@example.com>',
      'ann@example.com/x',
      'ann@ex%61mple.com',
    ],
    ...['"a b"@example.com', 'group: ann@example.com;', 'ann@example.com (Ann)', `${'a'.repeat(65)}@example.com`],
    ...[
      `ann@${'a'.repeat(64)}.com`,
      `ann@${'a.'.repeat(130)}com`,
      'ann@\u200bexample.com',
      '',
      ' ',
      '<>',
      'mailto:ann@example.com ',
    ],
    ...[
      `${'n'.repeat(256)} <ann@example.com>`,

      'ann@１.２.３.４',
      'a\u00a0b@example.com',
      'a\u202eb@example.com',
    ],
  ])('the address %j', async (address) => {
    await refusing({ to: ['bob@example.com', address] }, { 'to.1': any })
  })

  it('invalid addresses, each by its position', async () => {
    await refusing({ to: 'ann@example.com, bob, carl@example.com, dan@' }, { 'to.1': any, 'to.3': any })
  })

  it('bodies of more than 25 MB, with files of 30 MB', async () => {
    const server = await senderTo()
    const content = 'A'.repeat(40_000_000)
    expect(await server.send({ attachments: [{ filename: 'a.bin', content }] })).toMatchObject({
      status: 413,
      json: { status_code: 'payload_too_large' },
    })
    await expectNothing(server)
  })
})

function many(count: number) {
  return Array.from({ length: count }, (_, i) => `a${i}@example.com`)
}

describe('an injection of a header, a recipient or a command', () => {
  const lines = ['\r\n', '\n', '\r', '\0', '\u0085', '\v', '\f', '\x1b', '\x7f']
  const places: [string, (text: string) => object][] = [
    ['subject', (text) => ({ subject: text })],
    ['address', (text) => ({ to: `ann${text}@example.com` })],
    ['domain', (text) => ({ to: [`ann@example.com${text}`] })],
    ['name', (text) => ({ to: [`Ann${text} <ann@example.com>`] })],
    ['quoted name', (text) => ({ to: [`"Ann${text}" <ann@example.com>`] })],
    ['cc', (text) => ({ cc: `${text}ann@example.com` })],
    ['bcc', (text) => ({ bcc: `ann@example.com>${text}RCPT TO:<eve@example.com` })],
    ['reply_to', (text) => ({ reply_to: `A${text} <ann@example.com>` })],
    ['header', (text) => ({ headers: { 'X-A': `a${text}b` } })],
    ['name of a header', (text) => ({ headers: { [`X-A${text}`]: 'a' } })],
    ['name of a file', (text) => ({ attachments: [{ ...file, filename: `a${text}.txt` }] })],
    ['id of a picture', (text) => ({ attachments: [{ ...file, cid: `a${text}` }] })],
    ['type of a file', (text) => ({ attachments: [{ ...file, content_type: `text/plain${text}` }] })],
    ['digest', (text) => ({ attachments: [{ filename: 'a', digest: `a${text}` }] })],
  ]

  it.each(places)('is refused in the %s', async (_, mailWith) => {
    const server = await senderTo()
    for (const line of lines) {
      for (const text of [line, `${line}Bcc: eve@example.com`, `${line}${line}DATA`]) {
        expect((await server.send(mailWith(text))).status).toBe(400)
      }
    }
    await expectNothing(server)
  })

  it('is refused in EMAIL_FROM', async () => {
    for (const line of lines) {
      const server = await senderTo({}, { EMAIL_FROM: `Shop${line}Bcc: eve@example.com <shop@example.com>` })
      expect(await server.send()).toMatchObject({ status: 503, json: { status_code: 'not_configured' } })
      await expectNothing(server)
    }
  })

  it('never succeeds, in any field', async () => {
    const { send, arrived } = await senderTo()
    const nasty = fc.string({
      unit: fc.constantFrom('\r', '\n', ' ', ':', '<', '>', '"', '\\', ',', '@', 'a', 'é', ';', '=?'),
      maxLength: 20,
    })
    const mail = fc.oneof(...places.map(([, mailWith]) => nasty.map(mailWith)))
    for (const invalidMail of fc.sample(mail, 60)) await send(invalidMail)
    for (const { headers, envelope, source } of await arrived()) {
      const names = headers.map(({ key }) => key).filter((key) => !key.startsWith('x-'))
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
      expect(names).not.toContain('bcc')
      expect(envelope.to.every((address) => /^[^\s<>]+@[^\s<>]+$/.test(address))).toBe(true)
      expect(source.split('\r\n').filter((line) => /[\r\n]/.test(line))).toEqual([])
    }
  })
})

describe('a configuration', () => {
  it.each<[string, object, string]>([
    ['without SMTP_HOST', { SMTP_HOST: '' }, 'SMTP_HOST'],
    ['with an invalid host', { SMTP_HOST: 'a b' }, 'SMTP_HOST'],
    ['with an unknown encryption', { SMTP_ENCRYPTION: 'SSL' }, 'SMTP_ENCRYPTION'],
    ['with port 0', { SMTP_PORT: '0' }, 'SMTP_PORT'],
    ['with a port that is not a number', { SMTP_PORT: 'smtp' }, 'SMTP_PORT'],
    ['with a user name only', { SMTP_USERNAME: 'ann' }, 'SMTP_PASSWORD'],
    ['with a password only', { SMTP_PASSWORD: 'x' }, 'SMTP_USERNAME'],
    ['with NUL in the credentials', { SMTP_USERNAME: 'a', SMTP_PASSWORD: 'x\0' }, 'SMTP_PASSWORD'],
    ['with an invalid sender', { EMAIL_FROM: 'The Shop' }, 'EMAIL_FROM'],
    ['deployed without a sender', { LOCAL: '', OPEN: 'true' }, 'EMAIL_FROM'],
    ['with half of DKIM', { DKIM_DOMAIN: 'example.com' }, 'DKIM_SELECTOR and DKIM_PRIVATE_KEY'],
    [
      'with an invalid DKIM key',
      { DKIM_DOMAIN: 'x.com', DKIM_SELECTOR: 's', DKIM_PRIVATE_KEY: 'x' },
      'DKIM_PRIVATE_KEY',
    ],
    [
      'with an invalid DKIM selector',
      { DKIM_DOMAIN: 'x.com', DKIM_SELECTOR: 's; d=y', DKIM_PRIVATE_KEY: 'x' },
      'DKIM_SELECTOR',
    ],
  ])('%s returns 503 and names the variable', async (_, variables, name) => {
    const server = await senderTo({}, variables)
    const { status, json } = await server.send()
    expect({ status, json }).toMatchObject({ status: 503, json: { status_code: 'not_configured' } })
    expect(json.message).toContain(name)
    await expectNothing(server)
  })
})

describe('the stored messages of a local start', () => {
  it.each([
    ['GET', '/messages'],
    ['POST', '/messages'],
    ['DELETE', '/messages'],
    ['GET', '/message?id=1'],
    ['GET', '/message/raw?id=1'],
  ])('returns 404 if an SMTP server is configured: %s %s', async (method, path) => {
    const notThere = { status: 404, json: { status_code: 'route_not_found' } }
    expect(await (await senderTo()).ask(method, path)).toMatchObject(notThere)
    const deployed = await senderTo({}, { LOCAL: '', OPEN: 'true', MAIL_TRAP_URL: 'http://127.0.0.1:1' })
    expect(await deployed.ask(method, path)).toMatchObject(notThere)
  })
})
