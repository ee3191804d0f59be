// Tests that the SQL condition, which chooses the documents to read, misses none that the exact check finds.
import { type SQL, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schema } from '#bus/schema'
import { open, rowsOf } from '#core/db/open'
import { parseMailbox } from '#core/messages/mailbox'
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import { mayMention } from '#core/person/prefilter'
import { databases } from '../support/databases.ts'
import { boundOn } from '../support/requests.ts'
import { runs } from '../support/tier.ts'

const names = fc.oneof(
  fc.constantFrom(
    'ann',
    'Ann Lee',
    'a"b',
    'a\\b',
    'a/b',
    'a+b',
    'a&b=c',
    'Ünal',
    'Ерлан',
    '100',
    '77011234567',
    '/',
    'a\nb',
    '100%',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...'ab"\\/+ %&=?1é\n'), minLength: 1, maxLength: 6 }),
)
const phones = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 15 })
const locals = fc.oneof(
  fc.constantFrom('ann', 'kate', 'ann+tag', 'ünal', 'a/b', 'ерлан', 'info'),
  fc.string({ unit: fc.constantFrom(..."abk1+/'é"), minLength: 1, maxLength: 6 }),
)
const domains = fc.constantFrom(
  'example.com',
  'пример.рф',
  'bücher.example',
  'kek.kz',
  '例え.テスト',
  'xn--bcher-kva.example',
)

/** Makes each character upper or lower case, or another character that has the same lower case. */
const recased = (text: string) =>
  fc
    .array(fc.constantFrom('as is', 'upper', 'kelvin'), { minLength: text.length, maxLength: text.length })
    .map((kinds) =>
      [...text]
        .map((char, n) => {
          if (kinds[n] === 'kelvin' && char.toLowerCase() === 'k') return '\u212a'
          return kinds[n] === 'upper' ? char.toUpperCase() : char
        })
        .join(''),
    )

const spaces = ' \u00a0\u1680\u2000\u2009\u200a\u202f\u205f\u3000+().-'
const spelledPhone = (phone: string) =>
  fc
    .array(fc.string({ unit: fc.constantFrom(...spaces), maxLength: 2 }), {
      minLength: phone.length,
      maxLength: phone.length,
    })
    .map((between) => [...phone].map((digit, n) => `${between[n]}${digit}`).join(''))

const fullWidth = (text: string) =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))

const spelledEmail = (local: string, domain: string) =>
  fc
    .tuple(
      recased(local),
      fc.oneof(
        recased(domain),
        fc.constant(fullWidth(domain)),
        fc.constant(parseMailbox(`a@${domain}`)!.address.slice(2)),
      ),
      fc.constantFrom('', 'Ann <', '"Lee, Ann" <', 'bob@example.com, <'),
    )
    .map(([spelledLocal, spelledDomain, name]) => `${name}${spelledLocal}@${spelledDomain}${name ? '>' : ''}`)

/** JSON of a string in which some characters are escaped although they need not be. */
const escapedJson = (value: string) =>
  fc.array(fc.boolean(), { minLength: value.length, maxLength: value.length }).map((escapes) => {
    const units = Array.from({ length: value.length }, (_, n) => {
      const unit = value[n]!
      if (!escapes[n]) return JSON.stringify(unit).slice(1, -1)
      return unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    })
    return `"${units.join('')}"`
  })

const fields = fc.constantFrom('user', 'recipient', 'Account_ID', 'chat_id', 'chatId', 'to', 'phones')

/** Texts in which a field has the value, or nearly. */
const textsWith = (value: string) =>
  fc.oneof(
    fc
      .tuple(fields, fc.oneof(fc.constant(JSON.stringify(value)), escapedJson(value)))
      .map(([name, json]) => `{"x":1,"${name}":[${json}]}`),
    fc.tuple(fields, fc.constantFrom('', '.0', '.00', 'e0', 'e-0')).map(([name, end]) => `{"${name}":${value}${end}}`),
    fields.map((name) => `x=1&${new URLSearchParams({ [name]: value })}`),
    fields.map((name) => `${name}=${value}`),
    fields.map((name) => `${name}=${value.replaceAll(' ', '+')}`),
  )

const found: fc.Arbitrary<[Person, string]> = fc.oneof(
  fc
    .tuple(fc.constantFrom('user', 'recipient', 'chat_id'), names)
    .chain(([kind, name]) => fc.tuple(fc.constant({ [kind]: name }), textsWith(name))),
  phones.chain((phone) => fc.tuple(fc.constant({ phone }), spelledPhone(phone).chain(textsWith))),
  phones.chain((phone) => fc.tuple(fc.constant({ phone }), textsWith(phone))),
  fc.tuple(locals, domains).chain(([local, domain]) => {
    const email = parseMailbox(`${local}@${domain}`)?.address.toLowerCase() ?? 'ann@example.com'
    return fc.tuple(fc.constant({ email }), spelledEmail(local, domain).chain(textsWith))
  }),
)

describe.each(databases)('the search for documents of a person on $dialect', (database) => {
  const store = open(boundOn(database), schema)

  async function isRead(person: Person, text: string): Promise<boolean> {
    const column = store.dialect === 'd1' ? sql`CAST(${text} AS TEXT)` : sql`CAST(${text} AS text) COLLATE "C"`
    const condition: SQL = mayMention(store.kit, column, person)!
    const [row] = rowsOf<{ hit: number }>(await store.run(sql`SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END AS hit`))
    return Number(row!.hit) === 1
  }

  it.each([
    ['an email address with a domain in Unicode', { email: 'ann@xn--e1afmkfd.xn--p1ai' }, '{"to":"Ann@Пример.РФ"}'],
    [
      'an email address with a domain in punycode',
      { email: 'ann@xn--e1afmkfd.xn--p1ai' },
      '{"to":"ann@XN--E1AFMKFD.xn--p1ai"}',
    ],
    ['a local part in upper case outside of ASCII', { email: 'ünal@example.com' }, '{"to":"ÜNAL@example.com"}'],
    ['a phone with non-breaking spaces', { phone: '77011234567' }, '{"to":"+7\u00a0701\u202f123 45\u200967"}'],
    ['a form', { email: 'ann@example.com' }, 'to=ann%40example.com'],
    ['a name with a space in a form', { user: 'ann lee' }, 'user=ann+lee'],
    ['escapes', { user: 'ann' }, '{"user":"\\u0061nn"}'],
  ] as [string, Person, string][])('finds %s', async (_, person, text) => {
    expect(mentionsPerson(person, text)).toBe(true)
    expect(await isRead(person, text)).toBe(true)
  })

  it.each([
    [{ user: 'ann' }, '{"user":"bob","text":"Привет"}'],
    [{ phone: '77011234567' }, '{"phone":"77011234568"}'],
    [{ email: 'ann@example.com' }, '{"email":"eva@example.com","text":"Привет"}'],
    [{ email: 'ann@example.com' }, '{"email":"ann@example.org"}'],
  ] as [Person, string][])('does not read for %j the text %s', async (person, text) => {
    expect(await isRead(person, text)).toBe(false)
  })

  it('reads each text that the exact check finds', async () => {
    let matches = 0
    await fc.assert(
      fc.asyncProperty(found, async ([person, text]) => {
        // Postgres stores no NUL, and no database stores lone surrogates.
        fc.pre(!text.includes('\0') && text.isWellFormed() && mentionsPerson(person, text))
        matches++
        expect(await isRead(person, text)).toBe(true)
      }),
      { numRuns: runs(500) },
    )
    expect(matches).toBeGreaterThan(0)
  })
})
