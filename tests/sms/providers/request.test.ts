// Tests which outcome the drivers derive from a provider's response status and `Retry-After`.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf, retryAfterIn } from '#sms/providers/request'
import { refused } from './setting.ts'

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: '',
})

describe('a status', () => {
  it('means a rejection only for a client error or a response with Retry-After', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.option(fc.nat(100)), (status, wait) => {
        const { state } = outcomeOf(answer(status, wait === null ? {} : { 'retry-after': String(wait) }))
        if (state !== 'refused') return
        expect(status >= 400 && (status < 500 || (status === 503 && wait !== null))).toBe(true)
      }),
    )
  })

  it('never means that a message was sent', () => {
    for (let status = 200; status < 600; status++) expect(outcomeOf(answer(status)).state).not.toBe('sent')
  })

  it.each([408, 409, 460, 499, 500, 502, 503, 504])('of %i leaves the outcome unknown', (status) =>
    expect(outcomeOf(answer(status)).state).toBe('unknown'),
  )
})

describe('Retry-After', () => {
  const waitOf = (text: string) => retryAfterIn(new Headers({ 'retry-after': text }))

  it.each([
    ['0', 0],
    ['7', 7],
    [' 7 ', 7],
    ['86400', 86_400],
    ['99999999999999999999', 86_400],
    ['Sat, 01 Jan 2000 00:00:00 GMT', 0],
    ['Fri, 01 Jan 2999 00:00:00 GMT', 86_400],
  ])('of %j is %i seconds', (text, seconds) => expect(waitOf(text)).toBe(seconds))

  it('may be a date', () => {
    const seconds = waitOf(new Date(Date.now() + 3_600_000).toUTCString())!
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
  })

  it.each(['', 'soon', '-1', '1.5', '7s'])('of %j is none', (text) => expect(waitOf(text)).toBeUndefined())

  it('is optional', () => expect(outcomeOf(answer(429))).toEqual(refused('throttled')))
})
