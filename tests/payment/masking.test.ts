import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskBody, maskHeader, maskNumbers, maskUrl } from '#payment/masking'

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
  for (const value of ['?0', '"?"', 'Mozilla/5.0 (X11; what?) a=b']) expect(maskHeader('x', value)).toBe(value)
})

it('a URL without anything to mask stays as it is', () => {
  for (const url of ['http://a/b?c=d&e=%D0%9E+1', 'http://a/b', 'http://a/?', 'http://a/%41?x'])
    expect(maskUrl(url)).toBe(url.replace(/\?$/, ''))
})
