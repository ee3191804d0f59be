// Tests the text functions of the email component: base64, SMTP replies, and plain text from HTML.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBase64, sizeOfBase64, toBase64Lines, wrapBase64 } from '#email/base64'
import { plainTextOf } from '#email/plain-text'
import { parseReply } from '#email/smtp/reply'

const bytes = fc.uint8Array({ maxLength: 300 })

async function* inPieces(given: Uint8Array, size: number) {
  for (let at = 0; at < given.length; at += size) yield given.subarray(at, at + size)
}

describe('base64', () => {
  it('is detected, with the size of the decoded bytes', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const text = Buffer.from(given).toString('base64')
        expect(isBase64(text)).toBe(true)
        expect(sizeOfBase64(text)).toBe(given.length)
      }),
    )
  })

  it('is not detected with any other character', () => {
    const other = fc.constantFrom('\n', ' ', '-', '_', '=', 'é', '\0')
    fc.assert(
      fc.property(bytes, other, fc.nat(), (given, char, nth) => {
        const text = Buffer.from(given).toString('base64')
        const at = nth % (text.length + 1)
        expect(isBase64(text.slice(0, at) + char + text.slice(at))).toBe(false)
      }),
    )
  })

  it('is wrapped into lines, and so are bytes in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 200 }), async (given, size) => {
        const text = Buffer.from(given).toString('base64')
        const lines = [...wrapBase64(text)].join('')
        expect(lines.replaceAll('\r\n', '')).toBe(text)
        expect(lines.split('\r\n').every((line) => line.length <= 76)).toBe(true)
        let piecewise = ''
        for await (const some of toBase64Lines(inPieces(given, size))) piecewise += some
        expect(piecewise).toBe(lines)
      }),
    )
  })
})

describe('an SMTP reply', () => {
  const line = fc.string({ unit: fc.constantFrom(' ', '-', 'a', '2', 'é', '<'), maxLength: 20 })

  it('is parsed line by line, and the rest is left', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\r\n', '\n'),
        fc.string(),
        (code, lines, end, rest) => {
          const text = lines.map((said, i) => `${code}${i === lines.length - 1 ? ' ' : '-'}${said}${end}`).join('')
          expect(parseReply(text + rest)).toEqual({ reply: { code, lines }, end: text.length })
          expect(parseReply(text.slice(0, -1))).toBeUndefined()
        },
      ),
    )
  })

  it.each(['250\r\n', '250 \r\n'])('may have only a code: %j', (text) => {
    expect(parseReply(text)).toEqual({ reply: { code: 250, lines: [''] }, end: text.length })
  })

  it.each([
    '\r\n',
    'HTTP/1.1 400\r\n',
    '25 a\r\n',
    '2500 a\r\n',
    '150 a\r\n',
    '250-a\r\nb\r\n',
    '\0\r\n',
    '250 a\rb\r\n',
  ])('is not %j', (text) => {
    expect(() => parseReply(text)).toThrow(SyntaxError)
  })
})

describe('the plain text of an html page', () => {
  it('is the visible text', () => {
    const html = `<html><head><title>No</title><style>p {}</style><script>no()</script></head><body>
      <h1>Your <b>order</b></h1><p>Is on   its way.<br>Thank you!</p>
      <ul><li>one<li>two <a href="https://example.com/two">link</a><ul><li>inner</li></ul></li></ul>
      <ol start="3"><li><p>three</p></li><li>four</li></ol>
      <table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>
      <a href="https://example.com">https://example.com</a> <a href="#top">up</a> &lt;&euro;&nbsp;1&gt; <img src="x" alt="no">`
    expect(plainTextOf(html)).toBe(
      [
        ...['Your order', '', 'Is on its way.', 'Thank you!', ''],
        ...[' * one', ' * two link [https://example.com/two]', '   * inner', ''],
        ...[' 3. three', '', ' 4. four', '', 'a b', 'c', '', 'https://example.com up <€\u00a01>'],
      ].join('\n'),
    )
  })

  it('is created for any html', () => {
    const tag = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '<td>',
      '<tr>',
      '<table>',
      '<ul>',
      '<li>',
      '</ul>',
      '<ol start=x>',
      '<!--',
      '<',
      '&',
      '&#x110000;',
      'a',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string()), { maxLength: 100 }), (parts) => {
        expect(typeof plainTextOf(parts.join(''))).toBe('string')
      }),
    )
  })

  const million = (html: string) => html.repeat(1_000_000 / html.length)

  it.each([
    ['elements side by side', million('<p>a</p>')],
    ['cells', `<table><tr>${million('<td>a</td>')}`],
    ['deep lists of many lines', '<ul><li>'.repeat(90) + million('a<br>')],
    ['deep quotes of many lines', '<blockquote>'.repeat(190) + million('a<br>')],
    ['lists of lists', million(`${'<ul><li>'.repeat(90)}a${'</li></ul>'.repeat(90)}`)],
    ['no end of a tag', million('<a href="')],
    ['no end of a comment', million('<!--')],
    ['cells of endless rows', `<table>${million('<tr><td colspan=99999999 rowspan=99999999>a</td></tr>')}`],
  ])('is not much longer than the page for a million characters of %s', (_, html) => {
    expect(plainTextOf(html).length).toBeLessThan(html.length * 1.5)
  })

  it('has only words and line breaks if the page is nested too deep', () => {
    const html = `<html><head><title>No</title><style>p {}</style><script>no("<p>")</script></head><body>${'<DIV>\n'.repeat(300)}
      <h1>Your <b>order</b></h1><p>Is on   its way.<br>Thank you!</p><!-- no --><ul><li>one<li>two <b>link</b></ul>
      <table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>&lt;&euro;&nbsp;1&gt; <img src="x" alt="no">`
    const lines = ['Your order', 'Is on its way.', 'Thank you!', 'one', 'two link', 'a b', 'c', '<€\u00a01>']
    expect(plainTextOf(html)).toBe(lines.join('\n'))
  })

  it('is created for any html that is nested too deep', () => {
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '<script>',
      '</script>',
      '<!--',
      '-->',
      '<',
      '&',
      '&#0;',
      '&#x110000;',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 100 }), (parts) => {
        expect(typeof plainTextOf('<b>'.repeat(300) + parts.join(''))).toBe('string')
      }),
    )
  })

  it.each([
    ...['<div>', '<b>', '<a href="x">', '<table><tr><td>', '<ul><li>', '<blockquote>', '<h1>a', '<b> ', '<p></b>'],
    ...['<b>&amp;', '<b></i>', '<b><title>'],
  ])('is created, and no longer than the page, for a million characters of unclosed %s', (html) => {
    expect(plainTextOf(million(html)).length).toBeLessThan(1_000_000)
  })
})
