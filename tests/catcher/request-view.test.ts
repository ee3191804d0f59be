// Tests of how the query and the body of a caught request are parsed for replies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonOf, parseReceived, queryOf, textOf } from '#catcher/request-view'
import { maxKeptBytes } from '#catcher/truncated-body'

const bytesOf = (text: string) => Uint8Array.from(new TextEncoder().encode(text))
const binary = fc.string({ unit: 'binary' })

const taken = (body: Uint8Array<ArrayBuffer>, body_size: number | null = body.length) => ({
  method: 'post',
  host: 'a.example',
  port: 80,
  path: '/',
  query: '',
  headers: '{}',
  body,
  body_size,
})

describe('a query', () => {
  it('has every value under its key, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.oneof(binary, fc.constantFrom('__proto__', 'toJSON', 'a')), binary)),
        (pairs) => {
          const params = new URLSearchParams(pairs)
          const query = queryOf(params.toString())
          expect(Object.keys(query).toSorted()).toEqual([...new Set(params.keys())].toSorted())
          for (const key of params.keys()) expect([query[key]].flat()).toEqual(params.getAll(key))
        },
      ),
    )
  })

  it('has strings, and arrays for repeated keys', () => {
    expect(queryOf('a=1&b=2&a=3&c')).toEqual({ a: ['1', '3'], b: '2', c: '' })
  })

  it('leaves malformed percent-encodings unchanged', () => {
    expect(queryOf('a=%&b=%zz&c=%ff')).toEqual({ a: '%', b: '%zz', c: '\ufffd' })
  })
})

describe('a body', () => {
  it('is text if it is UTF-8, including a byte order mark', () => {
    fc.assert(
      fc.property(binary, (text) => {
        expect(textOf(bytesOf(text), false)).toBe(text.toWellFormed())
      }),
    )
    expect(textOf(bytesOf('\ufeffa'), false)).toBe('\ufeffa')
  })

  it('is base64 if it is not UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { body, body_encoding } = parseReceived(taken(Uint8Array.from(bytes)))
        const back = body_encoding ? Uint8Array.fromBase64(body) : bytesOf(body)
        expect(back).toEqual(Uint8Array.from(bytes))
      }),
    )
    expect(parseReceived(taken(Uint8Array.of(0xff, 0)))).toMatchObject({
      body: '/wA=',
      body_encoding: 'base64',
      json: null,
    })
  })

  it('that is truncated ends with a complete character', () => {
    expect(textOf(bytesOf('aß').subarray(0, 2), true)).toBe('a')
    expect(textOf(bytesOf('aß').subarray(0, 2), false)).toBeUndefined()
  })

  it('that is truncated is marked, has its size if known, and is not parsed as JSON', () => {
    expect(parseReceived(taken(bytesOf('12'), 3))).toMatchObject({
      body: '12',
      json: null,
      body_truncated: true,
      body_size: 3,
    })
    expect(parseReceived(taken(bytesOf('12'), null))).toMatchObject({ body_truncated: true })
    expect(parseReceived(taken(bytesOf('12'), null))).not.toHaveProperty('body_size')
    expect(parseReceived(taken(bytesOf('12')))).not.toHaveProperty('body_truncated')
  })
})

describe('JSON', () => {
  it('equals the JSON that was sent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.stringify(jsonOf(text))).toBe(text)
      }),
    )
  })

  it('keeps large numbers and unusual keys', () => {
    const text = '{"a":1.0,"b":12345678901234567890,"__proto__":{"c":1e5},"toJSON":1}'
    expect(JSON.stringify(jsonOf(text))).toBe(text)
  })

  it('is parsed after a byte order mark', () => {
    expect(jsonOf('\ufeff{"a":1}')).toEqual({ a: 1 })
  })

  it('is null if the body is not JSON', () => {
    for (const text of ['', ' ', '{', 'a=1', '\0', '['.repeat(101) + ']'.repeat(101), '['.repeat(maxKeptBytes)])
      expect(jsonOf(text)).toBeNull()
  })
})
