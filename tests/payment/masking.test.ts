// Tests of the masking of card numbers, other card data and credentials in logged text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskNumbers } from '#core/masking/card-numbers'
import { maskBody, maskHeader, maskUrl } from '#core/masking/mask'
import { decodeLogText } from '#payment/http-log-text'
import { runs } from '../support/tier.ts'

/** Card numbers that card schemes publish for tests. They pass the Luhn check. */
const cards = ['4111111111111111', '5555555555554444', '378282246310005', '2200000000000004', '6011000990139424']

describe('a card number', () => {
  it.each(cards)('%s is masked at any position', (card) => {
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

  const separators = [
    ...[' ', '  ', '\t', '\u00a0', '\u2009', '\u202f', '\u3000', '\r\n', '\u200b', '\u00ad', '\ufeff'],
    ...[
      '-',
      ' - ',
      '\u2010',
      '\u2011',
      '\u2012',
      '–',
      '—',
      '−',
      '.',
      '/',
      '_',
      '·',
      ':',
      ',',
      ', ',
      '|',
      '*',
      '~',
      '\\',
      '%',
    ],
  ]

  it.each(separators)('is masked in groups separated by %j, as text and in each encoding', (separator) => {
    for (const [first, ...groups] of [
      ['4111', '1111', '1111', '1111'],
      ['3782', '822463', '10005'],
      ['4', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1', '1'],
    ]) {
      const card = [first, ...groups].join(separator)
      const html = [...card].map((character) => `&#${character.codePointAt(0)};`).join('')
      const units = [...card].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
      const bodies = {
        text: card,
        within: `order 77, card ${card}, please`,
        json: JSON.stringify({ a: card, b: 1 }),
        nested: JSON.stringify({ a: JSON.stringify({ b: card }) }),
        cut: JSON.stringify({ a: card, b: 1 }).slice(0, -1),
        escaped: `{"a":"${units}"`,
        form: `a=${encodeURIComponent(card)}&b=1`,
        plus: new URLSearchParams({ a: card }).toString(),
        twice: `a=${encodeURIComponent(encodeURIComponent(card))}`,
        html: `a=${html}`,
        hex: `<p>${html.replace(/&#(\d+);/g, (_, code) => `&#x${Number(code).toString(16)};`)}</p>`,
        multipart: `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${card}\r\n--b--`,
      }
      for (const [name, body] of Object.entries(bodies)) {
        expect(maskBody(body), `${name}: ${body}`).toContain('***')
        expect(maskBody(body).replace(/\D/g, ''), `${name}: ${body}`).not.toMatch(/(?:41{5}|37828|22463|10005)/)
      }
    }
  })

  it.each([
    ['NBSP', '4111&nbsp;1111&nbsp;1111&nbsp;1111'],
    ['an entity', '4111&ndash;1111&ndash;1111&ndash;1111'],
    ['bytes that are not UTF-8', '4111%A01111%A01111%A01111'],
    ['a byte escaped for the log', '4111\\xA01111\\xA01111\\xA01111'],
    ['fullwidth digits', '４１１１１１１１１１１１１１１１'],
    ['an escaped quote', '{"a":"4111\\"1111\\"1111\\"1111"'],
  ])('is masked with %s', (_, text) => {
    for (const body of [text, `a=${text}`, `b ${text} c`]) {
      expect(maskBody(body)).toContain('***')
      expect(maskBody(body)).not.toMatch(/1111|１１１１/)
    }
  })

  it.each([
    ['%B4111111111111111^DOE/JOHN^25121010000012345678?'],
    ['B4111111111111111^DOE/JOHN^2512101'],
    [';4111111111111111=25121010000012345678?'],
    ['4111111111111111=2512101'],
    ['4111111111111111D25121010000012345678'],
    ['%B4111111111111111^DOE/JOHN^25121010000012345678?;4111111111111111=25121010000012345678?'],
  ])('is masked with the whole track that it begins: %s', (track) => {
    for (const body of [
      track,
      `a=${track}`,
      `a=1&b=${encodeURIComponent(track)}`,
      JSON.stringify({ a: track }),
      JSON.stringify({ a: track }).slice(0, -1),
      `<a>${track}</a>`,
    ]) {
      expect(maskBody(body), body).toContain('***')
      expect(maskBody(body), body).not.toMatch(/4111|DOE|2512|1234/)
    }
    expect(maskUrl(`http://a/b?c=${encodeURIComponent(track)}`)).toBe(
      `http://a/b?c=${maskUrl(`x?${encodeURIComponent(track)}`).slice(2)}`,
    )
  })

  it('is masked in base64 of any alignment', () => {
    for (const card of [...cards, '4111 1111 1111 1111', '%B4111111111111111^DOE/JOHN^2512101?'])
      for (const before of ['', 'a', 'ab', 'card: ', '\u00e9'.repeat(20)]) {
        const encoded = Buffer.from(`${before}${card} x`).toString('base64')
        const url = encoded.replaceAll('+', '-').replaceAll('/', '_')
        for (const body of [
          encoded,
          `a=${encodeURIComponent(encoded)}`,
          `{"a":"${url}"}`,
          `x/${url}`,
          `{"a":"x/${url}`,
        ])
          expect(maskBody(body), body).not.toContain(encoded.slice(8, 20))
      }
  })

  it('is not found in times, addresses, identifiers and lists of other digits', () => {
    for (const text of [
      ...Array.from({ length: 60 }, (_, i) => `2026-01-02 03:04:${String(i).padStart(2, '0')}`),
      ...Array.from({ length: 60 }, (_, i) => `DateTime=2026-01-02+03%3A04%3A${String(i).padStart(2, '0')}`),
      ...['2026-01-02T03:04:05.123Z', '185.107.56.213', '+7 (701) 123-45-67', '59.939000,30.315800'],
      ...['123e4567-e89b-12d3-a456-426614174000', 'sc_a2fb47fd5fe1eaf4406478274f48b', '10.00 20.00 30.00'],
      ...['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.6099.109 Safari/537.36'],
      ...['Оплата 1 + 1 = 2 & более, 100%', 'aGVsbG8gd29ybGQsIHRoaXMgaXMgbm8gY2FyZA=='],
    ])
      expect(maskBody(text)).toBe(text)
  })

  it('must pass the Luhn check', () => {
    for (const text of ['4111111111111112', '3503689911', '77010000001', '850101300123', '613015333510'])
      expect(maskNumbers(text)).toBe(text)
  })

  it('is masked next to any digits', () => {
    const digit = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 10 }).map((digits) => digits.join(''))
    fc.assert(
      fc.property(digit, fc.constantFrom(...cards), digit, (before, card, after) => {
        expect(maskNumbers(`${before} ${card}-${after}`)).not.toContain(card)
      }),
    )
  })
})

describe('a body', () => {
  it('loses card data and credentials, and nothing else', () => {
    const form =
      'TransactionId=3503689911&Amount=10.00&Name=ANN+LEE&Token=tk_1&CardFirstSix=411111&CardLastFour=1111&CardExpDate=12%2f30&CardType=Visa&AuthCode=A1B2C3&Description=%d0%9e+1'
    expect(maskBody(form)).toBe(
      'TransactionId=3503689911&Amount=10.00&Name=***&Token=***&CardFirstSix=***&CardLastFour=1111&CardExpDate=***&CardType=Visa&AuthCode=***&Description=%d0%9e+1',
    )
    const json = Object.fromEntries(new URLSearchParams(form))
    expect(maskBody(JSON.stringify(json))).toBe(JSON.stringify(Object.fromEntries(new URLSearchParams(maskBody(form)))))
  })

  it.each([
    ...['CVV', 'cvc2', 'CardCryptogramPacket', 'password', 'ApiSecret', 'access_token', 'PaRes', 'card_number'],
    ...['csc', 'CSC', 'card_csc', 'securityCode', 'security_code', 'card_verification_value', 'verificationValue'],
    ...['exp_month', 'expMonth', 'exp_year', 'ExpirationDate', 'card[exp_year]', 'expiry', 'validThru', 'VALID_THRU'],
    ...['pwd', 'userPwd', 'pass', 'db_pass', 'passphrase', 'access_key', 'AccessKey', 'aws-access-key', 'apiKey'],
    ...['private_key', 'track2', 'trackData', 'cardNumber', 'pinCode', 'user_credentials', 'CardHolder'],
  ])('never has a %s', (name) => {
    expect(maskBody(`a=1&${name}=77`)).toBe(`a=1&${name}=***`)
    expect(maskBody(JSON.stringify({ deep: [{ [name]: { x: 77 } }] }))).toBe(`{"deep":[{"${name}":"***"}]}`)
    expect(maskUrl(`http://a/b?${name}=77&c=d`)).toBe(`http://a/b?${name}=***&c=d`)
  })

  it.each([
    'passport',
    'compass',
    'expected',
    'export',
    'Description',
    'keyword',
    'spin',
    'company',
    'valid',
    'code',
    'key',
  ])('keeps the parameter %s', (name) => {
    expect(maskBody(`a=1&${name}=77`)).toBe(`a=1&${name}=77`)
    expect(maskBody(JSON.stringify({ [name]: 77 }))).toBe(JSON.stringify({ [name]: 77 }))
  })

  it('keeps its numbers unchanged, and all values that are not secret', () => {
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
    '{&quot;Token&quot;:&quot;QZ&quot;}',
    'a=1&amp;Token=QZ',
    '{&#34;a&#34;:1,&#x22;cvv&#x22;:&#34;QZ&#34;}',
    '{"Token":"\\\\","Data":{"cvv":"}QZ',
    '{"a":"{\\"Token\\":\\"\\\\\\\\\\",\\"cvv\\":\\"}QZ',
    '{"a":"{\\"Token\\":\\"\\\\u0022,Q\\",\\"cvv\\":\\"}QZ\\"}',
    '{"Token":"Q\\u005c","cvv":"}QZ',
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
  ])('has no secret if it is malformed: %j', (body) => {
    for (const kept of [maskBody(body), maskUrl(`http://a/b?${body}`), maskUrl(`http://a/${body}`)]) {
      expect(kept).toContain('***')
      expect(kept).not.toMatch(/[QZ]|%51|%5A/i)
    }
  })

  it('loses the same values in a multipart form', () => {
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = (token: string, data: string) =>
      `${part('Amount', '10.00')}${part('Token', token)}${part('Data', data)}--b--\r\n`
    expect(maskBody(parts('QZ', '{"cvv":"1","a":2}'))).toBe(parts('***', '{"cvv":"***","a":2}'))
  })

  it('loses little more than its secrets if it is malformed', () => {
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

  it('has no secret, cut at any position', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(shapes, (texts) => {
        for (const text of texts)
          for (let end = 0; end <= text.length; end++)
            expect(maskBody(text.slice(0, end)), text.slice(0, end)).not.toMatch(/[QZ]|%51|%5A/i)
      }),
      { numRuns: runs(30) },
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

  it.each(hostile)('of repeated %j takes no longer than any other', (piece) => {
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

  it('may be any text', () => {
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

it('a header with a URL is masked like a URL', () => {
  expect(maskHeader('referer', 'http://a/b?access_token=x&c=d')).toBe('http://a/b?access_token=***&c=d')
  expect(maskHeader('x-original', '/b&access_token=x')).toBe('/b&access_token=***')
  for (const value of ['?0', '"?"', 'Mozilla/5.0 (X11; what?) a=b']) expect(maskHeader('x', value)).toBe(value)
})

it('a URL without anything to mask is unchanged', () => {
  for (const url of ['http://a/b?c=d&e=%D0%9E+1', 'http://a/b', 'http://a/?', 'http://a/%41?x', 'http://token:80/a'])
    expect(maskUrl(url)).toBe(url.replace(/\?$/, ''))
})

describe('base64', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const inLines = (text: string, lineEnd: string) => text.match(/.{1,76}/g)!.join(lineEnd)

  it.each(['\n', '\r\n', '\\n', '\\r\\n'])('is masked if a card number contains the line end %j', (lineEnd) => {
    for (let before = 40; before < 60; before++) {
      const encoded = inLines(encode(`${'x'.repeat(before)} 4111111111111111 ${'y'.repeat(90)}`), lineEnd)
      expect(maskBody(`a: ${encoded}`)).toMatch(/^a: \*{3}=*$/)
    }
  })

  it.each(['{"Cvv":"123","a":1}', '[{"Cvv":"123"}]', '{\n  "CardHolder": "ANN"\n}', '{ "a": {"Token": "tk_1"} }'])(
    'is masked if it is JSON with a secret: %s',
    (json) => {
      const encoded = encode(json).replaceAll('=', '')
      const bodies = [
        ...[encoded, `${encoded}==`, `Data=${encoded}&b=1`, JSON.stringify({ Data: encoded }), `x.${encoded}.y`],
        ...[
          `a${encoded}`,
          `ab${encoded}`,
          `abc${encoded}`,
          inLines(encode(`{"a":"${'x'.repeat(99)}",${json.slice(1)}`), '\r\n'),
        ],
        ...[Buffer.from(json).toString('base64url'), JSON.stringify({ a: JSON.stringify({ b: encoded }) })],
      ]
      for (const body of bodies) {
        expect(maskBody(body), body).toContain('***')
        expect(maskBody(body), body).not.toContain(encoded)
      }
    },
  )

  it('is kept if it encodes JSON without a secret', () => {
    for (const json of ['{"amount":10}', '[{"a":1}]', '{"a":"***"}']) expect(maskBody(encode(json))).toBe(encode(json))
  })
})

describe('a body in UTF-16', () => {
  const text = '{"Cvv":"123","Name":"ANN","a":"4111111111111111"}'
  const little = Buffer.from(text, 'utf16le')
  const marked = Buffer.from(`\ufeff${text}`, 'utf16le')

  it.each([
    ['little-endian with a mark', marked],
    ['big-endian with a mark', Buffer.from(marked).swap16()],
    ['little-endian', little],
    ['big-endian', Buffer.from(little).swap16()],
  ])('is masked: %s', (_, bytes) => {
    const kept = maskBody(decodeLogText(bytes))
    expect(JSON.parse(kept)).toEqual({ Cvv: '***', Name: '***', a: '***' })
  })

  it('keeps NUL if nothing is masked', () => {
    expect(maskBody('a\0b')).toBe('a\0b')
  })
})

it('examines each character of a track once, even if many numbers start it', () => {
  let read = 0
  const counted = (text: string) =>
    Object.assign(Object(text), {
      codePointAt(at: number) {
        read++
        return text.codePointAt(at)
      },
    }) as string
  for (const text of ['0^'.repeat(2_000), '0^0^='.repeat(1_000)]) {
    read = 0
    maskNumbers(counted(text))
    expect(read / text.length).toBeLessThan(10)
  }
})
