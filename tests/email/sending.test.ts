// Tests the mails that the SMTP server receives: headers, recipients, envelope and text.
import { decodeWords } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { sender, senderTo } from './support.ts'

const idOf = (json: unknown) => (json as { content: { message_id: string } }).content.message_id

describe('a mail', () => {
  it('arrives as one message, with its id in the response', async () => {
    const { send, arrived } = await senderTo({}, { EMAIL_FROM: 'The Shop <shop@example.com>' })
    const { status, json } = await send()
    expect({ status, json }).toEqual({
      status: 201,
      json: {
        status: true,
        content: {
          message_id: expect.stringMatching(/^[\w-]+@example\.com$/),
          rejected: [],
          server: 'default',
          reply: { code: 250, enhanced: null, text: expect.any(String) },
          recipients: [{ address: 'ann@example.com', code: 250, enhanced: null, text: expect.any(String) }],
        },
      },
    })
    const [mail, ...others] = await arrived()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      from: { name: 'The Shop', address: 'shop@example.com' },
      to: [{ name: '', address: 'ann@example.com' }],
      subject: 'Hello',
      text: 'How are you?\n',
      attachments: [],
      messageId: `<${idOf(json)}>`,
      envelope: { from: 'shop@example.com', to: ['ann@example.com'], name: 'example.com' },
    })
    expect(Math.abs(Date.parse(mail!.date!) - Date.now())).toBeLessThan(60_000)
    expect(mail!.html).toBeUndefined()
  })

  it('has a different Message-ID each time', async () => {
    const { send } = await senderTo()
    const ids = await Promise.all([send(), send()])
    expect(new Set(ids.map(({ json }) => idOf(json))).size).toBe(2)
  })

  it.each([
    ['a list', 'Ann <ann@example.com>, "Doe, Bob" <bob@example.com>,carl@example.com'],
    ['an array', ['Ann <ann@example.com>', '"Doe, Bob" <bob@example.com>', 'carl@example.com']],
  ])('has all its recipients, from %s', async (_, to) => {
    const { through } = await senderTo()
    const mail = await through({ to })
    expect(mail.to).toEqual([
      { name: 'Ann', address: 'ann@example.com' },
      { name: 'Doe, Bob', address: 'bob@example.com' },
      { name: '', address: 'carl@example.com' },
    ])
    expect(mail.envelope.to).toEqual(['ann@example.com', 'bob@example.com', 'carl@example.com'])
  })

  it('has a cc header, and no trace of bcc', async () => {
    const { through } = await senderTo()
    const mail = await through({ cc: 'Carl <carl@example.com>', bcc: ['eve@example.com', 'Dan <dan@example.com>'] })
    expect(mail.cc).toEqual([{ name: 'Carl', address: 'carl@example.com' }])
    expect(mail.envelope.to).toEqual(['ann@example.com', 'carl@example.com', 'eve@example.com', 'dan@example.com'])
    expect(mail.bcc).toBeUndefined()
    // Searches for `bcc` only at the start of a line: a random id may contain these letters.
    expect(mail.source).not.toMatch(/^bcc|eve|dan/im)
  })

  it('is sent once to a duplicate recipient', async () => {
    const { through } = await senderTo()
    const mail = await through({ to: 'ann@example.com, Ann <ann@EXAMPLE.com>', bcc: 'ann@example.com' })
    expect(mail.envelope.to).toEqual(['ann@example.com'])
    expect(mail.to).toHaveLength(2)
  })

  it('has the reply address and the custom headers of the request', async () => {
    const { through } = await senderTo()
    const headers = { 'X-MyHeader': 'Grüße', 'List-Unsubscribe': '<https://example.com/u/1>', 'in-reply-to': '<1@x>' }
    const mail = await through({ reply_to: 'Help <help@example.com>', headers })
    expect(mail.replyTo).toEqual([{ name: 'Help', address: 'help@example.com' }])
    expect(decodeWords(mail.headers.find(({ key }) => key === 'x-myheader')!.value)).toBe('Grüße')
    expect(mail.source).toContain('\r\nList-Unsubscribe: <https://example.com/u/1>\r\n')
    expect(mail.source).toContain('\r\nX-MyHeader: =?')
    expect(mail.source).toContain('\r\nin-reply-to: <1@x>\r\n')
  })

  it('accepts its parameters from the query too', async () => {
    const { fetch, arrived } = await senderTo()
    const query = new URLSearchParams({ subject: 'Hello', to: 'a@x.com,b@x.com', text: '', html: '<b>Hi</b>' })
    expect((await fetch(`http://email/smtp?${query}`, { method: 'POST' })).status).toBe(201)
    expect((await arrived())[0]).toMatchObject({ text: 'Hi\n', envelope: { to: ['a@x.com', 'b@x.com'] } })
  })
})

describe.each([
  ['with', {}],
  ['without', { without: ['PIPELINING' as const] }],
])('a server %s PIPELINING', (_, server) => {
  it('rejects recipients, which are returned in their original notation', async () => {
    const { send, arrived } = await senderTo({
      ...server,
      refuse: { 'Bob@münchen.de': 550, 'eve@example.com': 451 },
    })
    const { status, json } = await send({ to: ['ann@example.com', 'Bob <Bob@München.de>'], bcc: 'eve@example.com' })
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { content: { rejected: ['Bob@München.de', 'eve@example.com'] } },
    })
    expect((await arrived()).map(({ envelope }) => envelope.to)).toEqual([['ann@example.com']])
  })

  it('gets no message if it rejects all recipients', async () => {
    const { fetch, see } = await senderTo({ ...server, refuse: { 'ann@example.com': 550, 'bob@example.com': 450 } })
    const body = JSON.stringify({ subject: 'Hello', to: ['ann@example.com', 'bob@example.com'], text: 'Hi' })
    const response = await fetch('http://email/smtp', { method: 'POST', body })
    expect(response.status).toBe(502)
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await response.json()).toMatchObject({ status_code: 'smtp_failed', content: { smtp: 450 } })
    expect((await see()).mails).toEqual([])
  })

  it('gets no message if it rejects the sender', async () => {
    const { send, see } = await senderTo({ ...server, refuse: { 'noreply@localhost.localdomain': 553 } })
    expect(await send()).toMatchObject({ status: 502, json: { content: { smtp: 553, step: 'sender' } } })
    expect((await see()).mails).toEqual([])
  })

  it.each([554, 451])('rejects the message with %d', async (code) => {
    const { send, see } = await senderTo({ ...server, refuse: { Hello: code } })
    expect(await send()).toMatchObject({
      status: 502,
      json: { status_code: 'smtp_failed', message: 'The SMTP server refused the message.', content: { smtp: code } },
    })
    expect((await see()).mails).toEqual([])
  })
})

describe('a server that requires authentication', () => {
  const login = { user: 'ann', pass: 'geheim: ß' }
  const credentials = { SMTP_USERNAME: 'ann', SMTP_PASSWORD: 'geheim: ß' }

  it.each(['PLAIN', 'LOGIN'])('accepts mail after AUTH %s', async (method) => {
    const { through } = await senderTo({ login: { ...login, methods: [method] } }, credentials)
    expect((await through()).envelope.user).toBe('ann')
  })

  it.each(['PLAIN', 'LOGIN'])('accepts no mail if AUTH %s fails', async (method) => {
    const { send, see } = await senderTo(
      { login: { ...login, methods: [method] } },
      { ...credentials, SMTP_PASSWORD: 'x' },
    )
    expect(await send()).toMatchObject({
      status: 502,
      json: {
        status_code: 'smtp_failed',
        message: 'The SMTP server refused the credentials.',
        content: { smtp: 535, step: 'login' },
      },
    })
    expect((await see()).mails).toEqual([])
  })

  it('gets no mail if it offers neither method', async () => {
    const { send, see } = await senderTo({ login: { ...login, methods: ['CRAM-MD5'] } }, credentials)
    expect(await send()).toMatchObject({ status: 502, json: { message: expect.stringContaining('no AUTH method') } })
    await expect.poll(async () => (await see()).commands).toEqual(['EHLO localhost.localdomain', 'QUIT'])
  })

  it('accepts no mail without credentials', async () => {
    const { send, see } = await senderTo({ login })
    expect(await send()).toMatchObject({ status: 502, json: { content: { smtp: 530 } } })
    expect((await see()).mails).toEqual([])
  })
})

describe('a server that announces a maximum message size', () => {
  it('gets no larger message', async () => {
    const { send, see } = await senderTo({ size: 10_000 })
    expect(await send({ text: 'x'.repeat(10_001) })).toMatchObject({
      status: 413,
      json: { status_code: 'payload_too_large' },
    })
    expect((await see()).commands).toEqual(['EHLO localhost.localdomain', 'RSET'])
    expect(await send({ text: 'x'.repeat(5_000) })).toMatchObject({ status: 201 })
  })
})

describe('internationalized addresses', () => {
  it('have their domains in ASCII form', async () => {
    const { through, see } = await senderTo({ without: ['SMTPUTF8'] })
    const mail = await through({ to: 'Änn <ann@münchen.de>, bob@почта.рф' })
    expect((await see()).commands).toEqual(
      expect.arrayContaining(['RCPT TO:<ann@xn--mnchen-3ya.de>', 'RCPT TO:<bob@xn--80a1acny.xn--p1ai>']),
    )
    expect(mail.to![0]).toEqual({ name: 'Änn', address: 'ann@xn--mnchen-3ya.de' })
  })

  it('are sent to a server that supports SMTPUTF8', async () => {
    const { through } = await senderTo()
    const mail = await through({ to: 'Юля <юля@example.com>, bob@example.com' })
    expect(mail.envelope).toMatchObject({ to: ['юля@example.com', 'bob@example.com'], isUtf8: true })
    expect(mail.to![0]).toEqual({ name: 'Юля', address: 'юля@example.com' })
  })

  it('are refused by position if the server does not support them', async () => {
    const { send, see } = await senderTo({ without: ['SMTPUTF8'] })
    const { status, json } = await send({ to: 'bob@example.com', cc: 'bob@example.com, юля@example.com' })
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { errors: { 'cc.1': expect.stringContaining('ASCII') } },
    })
    expect((await see()).mails).toEqual([])
  })

  it('return 503 if the sender has one', async () => {
    const server = await senderTo({ without: ['SMTPUTF8'] }, { EMAIL_FROM: 'юля@example.com' })
    expect(await server.send()).toMatchObject({ status: 503, json: { message: expect.stringContaining('EMAIL_FROM') } })
  })
})

describe('the signature', () => {
  const signatures = { EMAIL_SIGNATURE_TEXT: 'The Shop\nNo. 1', EMAIL_SIGNATURE_HTML: '<p>The <b>Shop</b></p>' }

  it('follows the text after a blank line, and the html before the end of its body', async () => {
    const { through } = await senderTo({}, signatures)
    const mail = await through({ text: 'Hi\n', html: '<html><BODY>Hi</BODY></html>' })
    expect(mail.text).toBe('Hi\n\nThe Shop\nNo. 1\n')
    expect(mail.html).toBe('<html><BODY>Hi<p>The <b>Shop</b></p></BODY></html>\n')
  })

  it('of the text follows a text generated from html', async () => {
    const { through } = await senderTo({}, signatures)
    expect((await through({ text: undefined, html: '<p>Hi' })).text).toBe('Hi\n\nThe Shop\nNo. 1\n')
  })

  it('is left out on request', async () => {
    const { through } = await senderTo({}, signatures)
    expect(await through({ html: 'Hi', signature_enabled: false })).toMatchObject({
      text: 'How are you?\n',
      html: 'Hi\n',
    })
  })
})

describe('the health report', () => {
  it('checks the SMTP server for authorized callers', async () => {
    const { ask, see } = await senderTo()
    expect(await ask('GET', '/_health')).toMatchObject({
      status: 200,
      json: { content: { dependencies: { smtp: { state: 'up' } } } },
    })
    expect((await see()).commands).toEqual(['EHLO localhost.localdomain', 'QUIT'])
  })

  it.each([
    ['rejects every connection', { fault: { at: 'greeting', how: '554 no' } }, {}],
    ['has no STARTTLS', {}, { SMTP_ENCRYPTION: 'tls' }],
  ])('is down if the SMTP server %s', async (_, behaviour, variables) => {
    const { ask } = await senderTo(behaviour, variables)
    expect(await ask('GET', '/_health')).toMatchObject({
      status: 503,
      json: { content: { dependencies: { smtp: { state: 'down' } } } },
    })
  })

  it('is down if nothing is configured', async () => {
    expect(await sender({}).ask('GET', '/_health')).toMatchObject({ status: 503 })
  })
})
