// Tests that any subject, name and text arrives unchanged in a valid MIME message.
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { type ComposedMail, writeMessage } from '#email/mime-message'
import { runs } from '../support/tier.ts'
import { senderTo } from './support.ts'

const mailbox = (name: string) => ({ name, address: 'ann@example.com', written: 'ann@example.com' })

const message: ComposedMail = {
  ...{
    id: '1@example.com',
    date: new Date(0),
    boundary: 'b',
    from: mailbox(''),
    to: [mailbox('')],
    cc: [],
    replyTo: [],
  },
  ...{ subject: 'Hello', headers: {}, text: 'Hi', html: '', parts: [] },
}

async function sourceOf(given: Partial<ComposedMail>): Promise<string> {
  let source = ''
  for await (const piece of writeMessage({ ...message, ...given })) source += piece
  return source
}

const parsed = async (given: Partial<ComposedMail>) => PostalMime.parse(await sourceOf(given))

/** Expects lines of at most 998 bytes that end with CRLF, as RFC 5322, section 2.1.1, requires, and no other line breaks. */
function expectLines(source: string) {
  const lines = source.split('\r\n')
  expect(lines.filter((line) => Buffer.byteLength(line) > 998)).toEqual([])
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
}

/** Text of any script for a header: one line, without control characters. */
const line = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({ unit: 'grapheme', maxLength }),
      fc.string({ maxLength }),
    )
    .filter((text) => /^\P{Cc}+$/u.test(text) && text.trim() !== '')

const text = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    fc
      .array(fc.constantFrom('.', '..', '', ' ', 'a', '=', '=3D', 'From x', '\t', '--b', 'ü', 'x'.repeat(1_500)))
      .map((lines) => lines.join('\n')),
    fc.string({ unit: fc.constantFrom('\r', '\n', '.', ' ', 'a', 'é'), maxLength: 100 }),
  )
  .filter((text) => text !== '' && !text.includes('\0'))

/** Expects the text as a mail program on any system shows it. The MIME parser appends a line break to some texts. */
function expectRead(got: string | undefined, written: string) {
  const read = written.replace(/\r\n?|\n/g, '\n')
  expect([read, `${read}\n`]).toContain(got?.replaceAll('\r\n', '\n'))
}

describe('a message', () => {
  it('encodes any subject', async () => {
    await fc.assert(
      fc.asyncProperty(line(998), async (subject) => {
        const source = await sourceOf({ subject })
        expectLines(source)
        expect((await PostalMime.parse(source)).subject).toBe(subject)
      }),
      { numRuns: runs(300) },
    )
  })

  it.each([
    '=?utf-8?Q?hello?=',
    'a =?x?',
    'x'.repeat(998),
    `${'x'.repeat(400)} ${'y'.repeat(500)}`,
    'a  b',
    ' a ',
    '🎉'.repeat(499),
    'مرحبا بالعالم',
    'e\u0301'.repeat(300),
  ])('has the subject %j', async (subject) => {
    const source = await sourceOf({ subject })
    expectLines(source)
    expect((await PostalMime.parse(source)).subject).toBe(subject)
  })

  it('encodes any sender and recipient name', async () => {
    await fc.assert(
      fc.asyncProperty(line(255), fc.array(line(255), { minLength: 1, maxLength: 5 }), async (from, to) => {
        const source = await sourceOf({ from: mailbox(from.trim()), to: to.map((name) => mailbox(name.trim())) })
        expectLines(source)
        const mail = await PostalMime.parse(source)
        expect(mail.from).toEqual({ name: from.trim(), address: 'ann@example.com' })
        expect(mail.to!.map(({ name }) => name)).toEqual(to.map((name) => name.trim()))
      }),
      { numRuns: runs(200) },
    )
  })

  it('encodes any text and html', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (plain, html) => {
        const source = await sourceOf({ text: plain, html })
        expectLines(source)
        const mail = await PostalMime.parse(source)
        expectRead(mail.text, plain)
        expectRead(mail.html, html)
      }),
      { numRuns: runs(300) },
    )
  })

  it('consists of ASCII lines that end with CRLF', async () => {
    await fc.assert(
      fc.asyncProperty(line(100), text, async (subject, html) => {
        expect(await sourceOf({ subject, html, from: mailbox(subject.trim()) })).toMatch(/^[\t\r\n -~]*$/)
      }),
    )
  })

  it('encodes a text of any million characters', async () => {
    for (const piece of ['x', '\n', 'ü', 'word ', '😀', '=', ' \n']) {
      const long = piece.repeat(1_000_000 / piece.length)
      const source = await sourceOf({ text: long })
      expectLines(source)
      const { text } = await PostalMime.parse(source)
      expect(text!.trimEnd() === long.trimEnd()).toBe(true)
    }
  })

  it('encodes any header values', async () => {
    await fc.assert(
      fc.asyncProperty(line(500), async (value) => {
        expectLines(await sourceOf({ headers: { 'X-Any': value } }))
      }),
    )
    expectLines(await sourceOf({ headers: { 'X-Any': Array.from({ length: 5 }, () => 'x'.repeat(900)).join(' ') } }))
  })

  it('folds the header of a hundred recipients with long names', async () => {
    const to = Array.from({ length: 100 }, (_, i) => ({
      ...mailbox(`${'n'.repeat(200)} ${i}`),
      address: `a${i}@example.com`,
    }))
    const source = await sourceOf({ to })
    expectLines(source)
    expect((await PostalMime.parse(source)).to).toHaveLength(100)
  })

  it('is the same each time it is generated', async () => {
    const content = { html: '<p>ü', parts: [part({ cid: 'a' }), part()] }
    expect(await sourceOf(content)).toBe(await sourceOf(content))
  })
})

const part = (more = {}) => ({
  ...{ filename: 'a.png', contentType: 'image/png', cid: undefined, size: 3, lines: () => ['AAEC'] },
  ...more,
})

const typesIn = (source: string) => [...source.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)

describe('the parts of a message', () => {
  it.each([
    ['text', {}, ['text/plain']],
    ['html', { html: 'x' }, ['multipart/alternative', 'text/plain', 'text/html']],
    ['a file', { parts: [part()] }, ['multipart/mixed', 'text/plain', 'image/png']],
    [
      'a picture inside the html',
      { html: '<img src="cid:p">', parts: [part({ cid: 'p' })] },
      ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
    ],
    ['a picture without html', { parts: [part({ cid: 'p' })] }, ['multipart/mixed', 'text/plain', 'image/png']],
    [
      'all of it',
      { html: 'x', parts: [part(), part({ cid: 'p' })] },
      [
        ...['multipart/mixed', 'multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
        'image/png',
      ],
    ],
  ])('are nested in the correct multipart types: %s', async (_, given, types) => {
    expect(typesIn(await sourceOf(given))).toEqual(types)
  })

  it('declare the type of the html that contains the pictures', async () => {
    const source = await sourceOf({ html: '<img src="cid:p">', parts: [part({ cid: 'p' })] })
    const unfolded = source.replaceAll(/\r\n[ \t]/g, ' ')
    expect(unfolded).toMatch(/^Content-Type: multipart\/related;(?=.*\btype="text\/html")(?=.*\bboundary="[^"]+")/m)
  })

  it('have the file name and the content id', async () => {
    await fc.assert(
      fc.asyncProperty(line(255), async (filename) => {
        const mail = await parsed({ html: 'x', parts: [part({ filename }), part({ filename, cid: 'p@x' })] })
        expect(mail.attachments).toMatchObject([
          { filename, mimeType: 'image/png', disposition: 'inline', contentId: '<p@x>', related: true },
          { filename, mimeType: 'image/png', disposition: 'attachment' },
        ])
      }),
    )
  })
})

describe('during transmission', () => {
  it('a message does not change', async () => {
    const { send, arrived } = await senderTo()
    const mails = fc.sample(fc.record({ subject: line(200), text, html: text }), 40)
    const sent = await Promise.all(mails.map((mail, i) => send({ ...mail, to: `a${i}@example.com` })))
    expect(sent.map(({ status }) => status)).toEqual(mails.map(() => 201))
    const got = new Map((await arrived()).map((mail) => [mail.envelope.to[0], mail]))
    for (const [i, { subject, text, html }] of mails.entries()) {
      const mail = got.get(`a${i}@example.com`)!
      expectLines(mail.source)
      expect(mail.subject).toBe(subject)
      expectRead(mail.text, text)
      expectRead(mail.html, html)
    }
  })

  it('dots at the beginning of lines are preserved', async () => {
    const { through } = await senderTo()
    const text = ['.', '..', '.a', '', '.', 'QUIT', '...'].join('\n')
    expect((await through({ text })).text).toBe(`${text}\n`)
  })
})
