import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskNumbers } from '#payment/card-numbers'
import { maskBody, maskHeader, maskUrl } from '#payment/masking'

/** Numbers that the schemes give out for tests. */
const cards = ['4111111111111111', '5555555555554444', '378282246310005', '2200000000000004', '6011000990139424']

describe('a card number', () => {
  it.each(cards)('%s is masked wherever it is', (card) => {
    const grouped = card.replace(/(.{4})(?=.)/g, '$1 ')
    const encoded = [...card].map((digit) => `%3${digit}`).join('')
    const escaped = [...card].map((digit) => `\\u003${digit}`).join('')
    const texts = [
      ...[card, grouped, grouped.replaceAll(' ', '-'), `card ${card}, please`, `[${card}]`, `x${card}x`],
      ...[`a=1&b=${card}`, `a=${encoded}`, `a=${grouped.replaceAll(' ', '+')}`, `${card}=1`, `a=1&${encoded}=2`],
      ...[JSON.stringify({ a: card }), `{"a":${card}}`, `{"a":"${escaped}"}`, JSON.stringify({ a: [{ b: grouped }] })],
      ...[`Data=${encodeURIComponent(JSON.stringify({ a: card }))}`, JSON.stringify({ [card]: 1 })],
      ...[
        `a=${encodeURIComponent(`{"a":"${escaped}"}`)}`,
        `{"broken":"${card}"`,
        `12 ${card}`,
        `1${'0'.repeat(9)}${card}`,
      ],
    ]
    for (const text of texts) {
      expect(maskBody(text), text).toContain('***')
      expect(decodeURIComponent(maskBody(text)).replace(/\D/g, ''), text).not.toContain(card)
    }
    for (const url of [`http://a/${card}?x=1`, `http://a/${encoded}`, `http://a/?x=${encoded}`, `http://a/?${card}`]) {
      expect(decodeURIComponent(maskUrl(url)), url).not.toContain(card)
      expect(maskUrl(url), url).toContain('***')
    }
    for (const group of ['%20', '%2D', '%2d', '+', '%2520'])
      expect(maskUrl(`http://a/b/${grouped.replaceAll(' ', group)}/c`)).toBe('http://a/b/***/c')
    expect(maskBody(`{"a":"${escaped}"`)).toBe('{"a":"***"')
    expect(maskHeader('referer', `http://a/${card}`)).toBe('http://a/***')
  })

  it('is one that passes the check of Luhn', () => {
    for (const text of ['4111111111111112', '3503689911', '77010000001', '850101300123', '613015333510'])
      expect(maskNumbers(text)).toBe(text)
  })

  it('is masked beside any digits', () => {
    const digit = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 10 }).map((digits) => digits.join(''))
    fc.assert(
      fc.property(digit, fc.constantFrom(...cards), digit, (before, card, after) => {
        expect(maskNumbers(`${before} ${card}-${after}`)).not.toContain(card)
      }),
    )
  })
})

describe('a body', () => {
  it('loses the data of a card and every credential, and nothing else', () => {
    const form =
      'TransactionId=3503689911&Amount=10.00&Name=ANN+LEE&Token=tk_1&CardFirstSix=411111&CardLastFour=1111&CardExpDate=12%2f30&CardType=Visa&AuthCode=A1B2C3&Description=%d0%9e+1'
    expect(maskBody(form)).toBe(
      'TransactionId=3503689911&Amount=10.00&Name=***&Token=***&CardFirstSix=***&CardLastFour=1111&CardExpDate=***&CardType=Visa&AuthCode=***&Description=%d0%9e+1',
    )
    const json = Object.fromEntries(new URLSearchParams(form))
    expect(maskBody(JSON.stringify(json))).toBe(JSON.stringify(Object.fromEntries(new URLSearchParams(maskBody(form)))))
  })

  it.each(['CVV', 'cvc2', 'CardCryptogramPacket', 'password', 'ApiSecret', 'access_token', 'PaRes', 'card_number'])(
    'never has a %s',
    (name) => {
      expect(maskBody(`a=1&${name}=77`)).toBe(`a=1&${name}=***`)
      expect(maskBody(JSON.stringify({ deep: [{ [name]: { x: 77 } }] }))).toBe(`{"deep":[{"${name}":"***"}]}`)
      expect(maskUrl(`http://a/b?${name}=77&c=d`)).toBe(`http://a/b?${name}=***&c=d`)
    },
  )

  it('keeps its numbers as they were sent, and what is no secret', () => {
    for (const body of ['{"Amount":10.10,"n":1e3,"Token":""}', 'plain text', '', '=', '%', 'a=%zz&b', '<a b="c">'])
      expect(maskBody(body)).toBe(body)
  })

  it.each([
    '{"Token":"Q,Z",}',
    '{"Token":"Q\\",\\"Z" "a":1}',
    '{"a":"\\u0022","\\u0054oken":"QZ"',
    '{"Token":QZ,"Amount":10',
    '{"Token":["Q","Z"],"Amount":10',
    `{'Token':'QZ'}{"a":1}`,
    '{"Token":"QZ"}\n{"Token":"QZ"}',
    '\ufeff{"Token":"QZ"}',
    '"{\\"Token\\":\\"QZ\\"}"',
    '{"a":1}&Token=QZ',
    '&a=1&Token=QZ',
    'a&Token=QZ',
    '\nToken=QZ',
    '\ufeffToken=QZ',
    '\ufeffName=QZ',
    'a=1\r\nName=Q Z\r\n',
    'a=1;Name = QZ',
    'Name[]=QZ&card[name]=QZ',
    '%54oken=Q&a=Token%3DZ',
    'Token=Q=Z',
    '%7B%22Token%22:%22QZ%22',
    'url=http%3A%2F%2Fa%2F%3Ftoken%3DQZ',
    '{"url":"http://a/?x=1&token=QZ"}',
    'Data={"a":1,"token":"Q&Z"}',
    'Name: Q Z',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nQ\r\n--Z\r\n--b--\r\n',
    '\ufeff--b\nContent-Disposition: form-data; name=password\n\nQ\n\nZ\n--b--\n',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n{"Token":"QZ"\r\n--b--',
  ])('has no secret though it is %j', (body) => {
    for (const kept of [maskBody(body), maskUrl(`http://a/b?${body}`), maskUrl(`http://a/${body}`)]) {
      expect(kept).toContain('***')
      expect(kept).not.toMatch(/[QZ]|%51|%5A/i)
    }
  })

  it('loses of a multipart form what it does of any other', () => {
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = (token: string, data: string) =>
      `${part('Amount', '10.00')}${part('Token', token)}${part('Data', data)}--b--\r\n`
    expect(maskBody(parts('QZ', '{"cvv":"1","a":2}'))).toBe(parts('***', '{"cvv":"***","a":2}'))
  })

  it('loses little more than its secrets where it is malformed', () => {
    expect(maskBody('{"Amount":10,"Token":"x","a":{"CardFirstSix":411111,"b":"c"},"Name":"",}')).toBe(
      '{"Amount":10,"Token":"***","a":{"CardFirstSix":***,"b":"c"},"Name":"",}',
    )
    expect(maskBody('<p><meta name="x"><b>Sorry</b> <Token>QZ</Token> <pan><![CDATA[QZ]]></pan> <i>Bye</i>')).toBe(
      '<p><meta name=***<b>Sorry</b> <Token>***</Token> <pan>***</pan> <i>Bye</i>',
    )
    expect(maskBody('Order%2012345678903 {"b":"c=d","e":"f&g"')).toBe('Order%2012345678903 {"b":"c=d","e":"f&g"')
  })

  const secret = fc.string({ unit: fc.constantFrom(...'QZQZ"\\,}& =%\n-'), minLength: 1, maxLength: 12 })
  const shapes = fc.tuple(secret, secret, secret).map(([token, name, cvv]) => {
    const data = JSON.stringify({ a: 1, cvv, b: 'c' })
    const fields = { Amount: '10.00', Token: token, Data: data, Name: name, Description: 'a b' }
    const part = ([name, value]: [string, string]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    return [
      JSON.stringify(fields),
      JSON.stringify({ deep: [{ ...fields, Data: { cvv } }], last: JSON.stringify(JSON.stringify(fields)) }, null, 1),
      new URLSearchParams(fields).toString(),
      `${Object.entries(fields).map(part).join('')}--b--\r\n`,
    ]
  })

  it('has no secret wherever it is cut', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(shapes, (texts) => {
        for (const text of texts)
          for (let end = 0; end <= text.length; end++)
            expect(maskBody(text.slice(0, end)), text.slice(0, end)).not.toMatch(/[QZ]|%51|%5A/i)
      }),
      { numRuns: 30 },
    )
  })

  const hostile = [
    ...[
      'a',
      ' ',
      '"',
      '\\',
      '=',
      '&',
      '%',
      ':',
      '\n',
      '{',
      '[',
      '1',
      '1-',
      '--',
      '<',
      '>',
      '<a>',
      '\n\n',
      ';',
      '%25',
      '\\u0022',
      'a"',
    ],
    ...['"Token":', '"Token":" ', 'Token=', '"Token":"" ', '\n--b', '\n--b\ncontent-disposition:', '; name=', '{"a":'],
  ]

  it.each(hostile)('of %j again and again takes no longer than any other', (piece) => {
    const many = piece.repeat(256_000 / piece.length)
    for (const text of [
      many,
      `"Token":"${many}`,
      `Token${many}`,
      `--b\nContent-Disposition: x${many}`,
      `{"a":"${many}`,
    ])
      expect(maskBody(text).length).toBeGreaterThan(0)
  })

  it('may be anything', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.jsonValue().map((json) => JSON.stringify(json)),
        ),
        (text) => {
          expect(typeof maskBody(text) + typeof maskUrl(text) + typeof maskHeader('x', text)).toBe('stringstringstring')
        },
      ),
    )
  })
})

it.each([
  'Authorization',
  'proxy-authorization',
  'Cookie',
  'Content-HMAC',
  'X-Content-HMAC',
  'Api-Secret',
  'x-api-key',
])('the header %s is masked', (name) => {
  expect(maskHeader(name.toLowerCase(), 'a secret')).toBe('***')
  expect(maskHeader(name, 'a secret')).toBe('***')
})

it('a header that is a URL loses what a URL does', () => {
  expect(maskHeader('referer', 'http://a/b?access_token=x&c=d')).toBe('http://a/b?access_token=***&c=d')
  expect(maskHeader('x-original', '/b&access_token=x')).toBe('/b&access_token=***')
  for (const value of ['?0', '"?"', 'Mozilla/5.0 (X11; what?) a=b']) expect(maskHeader('x', value)).toBe(value)
})

it('a URL without anything to mask stays as it is', () => {
  for (const url of ['http://a/b?c=d&e=%D0%9E+1', 'http://a/b', 'http://a/?', 'http://a/%41?x', 'http://token:80/a'])
    expect(maskUrl(url)).toBe(url.replace(/\?$/, ''))
})
