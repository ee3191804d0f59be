// Tests the pure functions of one-time passwords: normalized targets and IP addresses, random passwords, replies of the bot API.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from '#otp/bot'
import { channels, normalizeChatId, normalizeEmail, normalizeTarget, possibleTargets } from '#otp/channels'
import { randomPassword } from '#otp/random-password'
import { runs } from '../support/tier.ts'

const digit = fc.constantFrom(...'0123456789')
const aPhone = fc.string({ unit: digit, minLength: 7, maxLength: 15 })

describe('a target', () => {
  it('does not change when it is normalized again', () => {
    const run = fc.property(
      fc.constantFrom(...channels),
      fc.oneof(fc.emailAddress(), aPhone, fc.string()),
      (on, text) => {
        const target = normalizeTarget(on, text)
        if (target !== undefined) expect(normalizeTarget(on, target)).toBe(target)
      },
    )
    fc.assert(run, { numRuns: runs(500) })
  })

  it('is a phone with its digits only, for any separators', () => {
    const run = fc.property(aPhone, fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...'+(). -'))), (phone, marks) => {
      const written = marks.reduce((text, [at, mark]) => text.slice(0, at) + mark + text.slice(at), phone)
      expect(normalizeTarget('sms', written)).toBe(phone)
    })
    fc.assert(run)
  })

  it.each([
    ['Ann@Example.com', 'ann@example.com'],
    ['a.b+c@sub.example.co', 'a.b+c@sub.example.co'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['#!$%&*@example.com', '#!$%&*@example.com'],
    ['Боб@Пример.рф', 'боб@xn--e1afmkfd.xn--p1ai'],
    ['боб@xn--e1afmkfd.xn--p1ai', 'боб@xn--e1afmkfd.xn--p1ai'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`${'б'.repeat(33)}@example.com`, undefined],
    ['ann@127.0.0.1', undefined],
    ['ann@[127.0.0.1]', undefined],
    ['ann@example.com/x', undefined],
  ])('normalizes %s to the address %s', (text, address) => {
    expect(normalizeEmail(` ${text} `)).toBe(address)
  })

  it('is not an address with a line break or a second address', () => {
    const run = fc.property(fc.string(), fc.constantFrom(...'\r\n\0\t ,;<>"'), fc.string(), (before, mark, after) => {
      const address = normalizeEmail(`${before}a${mark}b${after}@example.com`)
      expect(address).toBeUndefined()
    })
    fc.assert(run)
  })

  it.each([
    ['-100', '-100'],
    [' @channel ', '@channel'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['', undefined],
    ['a\nb', undefined],
    ['x'.repeat(65), undefined],
  ])('is the chat %j', (text, chat) => {
    expect(normalizeChatId(text)).toBe(chat)
  })

  it.each([
    ['77011234567', ['sms', 'call', 'chatapp']],
    ['-77011234567', ['chatapp']],
    [' - 77011234567', ['chatapp']],
    ['ann@example.com', ['email', 'chatapp']],
    ['x'.repeat(65), []],
  ])('is parsed from %j', (text, expected) => {
    expect(possibleTargets(text).map(({ channel }) => channel)).toEqual(expected)
  })
})

describe('a random password', () => {
  it('is uniformly distributed over a million values', () => {
    // 4 294 of the 32-bit numbers give each password. The numbers above `whole` must be rejected, or some passwords would be
    // likelier.
    const whole = 4_294 * 1_000_000
    const draws = [whole, 2 ** 32 - 1, whole + 1, 7]
    expect(randomPassword(() => draws.shift()!)).toBe('000007')
    expect(draws).toEqual([])
    const run = fc.property(fc.integer({ min: 0, max: whole - 1 }), (drawn) => {
      expect(randomPassword(() => drawn)).toBe(String(drawn % 1_000_000).padStart(6, '0'))
    })
    fc.assert(run)
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 20 }, () => randomPassword())).size).toBeGreaterThan(15)
  })
})

describe('a response of the bot API', () => {
  it('is parsed for any content', () => {
    const run = fc.property(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
      const { state } = outcomeOf(status, body)
      if (status >= 300 && status < 429) expect(state).toBe('refused')
      if (status < 300) expect(['sent', 'refused']).toContain(state)
      if (status === 429) expect(state).toBe('later')
    })
    fc.assert(run)
  })
})
