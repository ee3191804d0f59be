import { and, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Kit } from '#core/db/kit'
import type { Person } from './places.ts'

/**
 * SQL condition that is true for each text that `mentionsPerson` finds, and for some others: it saves reading most rows. Undefined
 * without identifiers. A text with `\u` (JSON) or `%` (a form) may have any identifier in another spelling, so that it is always read.
 */
export const mayMention = (
  kit: Kit,
  text: SQLWrapper,
  { user, recipient, phone, email, chat_id }: Person,
): SQL | undefined => {
  const conditions = [
    ...[user, recipient, chat_id].map((name) => (name === undefined ? undefined : mayHaveName(kit, text, name))),
    phone === undefined ? undefined : kit.contains(kit.without(text, separators), phone),
    email === undefined ? undefined : mayHaveAddress(kit, text, email),
  ].filter((condition) => condition !== undefined)
  if (conditions.length === 0) return undefined
  return or(...conditions, kit.contains(text, '\\u'), kit.contains(text, '%'))
}

/** A part of a name that JSON and forms never escape: without quotes, backslashes, control characters and separators of forms. */
const plainPart = /[^\s"\\/+%&=?\p{C}]+/gu

/** Condition: the text has the longest part of the name that is never escaped. */
function mayHaveName({ contains }: Kit, text: SQLWrapper, name: string): SQL {
  const [longest] = (name.match(plainPart) ?? []).toSorted((one, other) => other.length - one.length)
  return longest === undefined ? sql`1 = 1` : contains(text, longest)
}

/** Separators that `digitsOf` ignores: all spaces of Unicode (category Zs), and `+ ( ) - .` */
const separators = [
  ...'+().-',
  ...[0x20, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000].map((code) => String.fromCodePoint(code)),
  ...Array.from({ length: 11 }, (_, n) => String.fromCodePoint(0x2000 + n)),
]

/** The Kelvin sign, the only character outside of ASCII whose lower case is one in ASCII. */
const kelvin = '\u212a'

/**
 * Condition: the text has the local part before an `@`, and either the whole address or a character outside of ASCII, since a domain may be
 * written in Unicode. `lower` of SQLite changes ASCII only: a local part outside of ASCII is not compared.
 */
function mayHaveAddress({ contains, hasNonAscii }: Kit, text: SQLWrapper, email: string): SQL {
  const local = email.slice(0, email.lastIndexOf('@') + 1)
  if (/\P{ASCII}/u.test(local)) return and(contains(text, '@'), hasNonAscii(text))!
  // Slashes may be escaped in JSON.
  const lowerCase = sql`replace(lower(replace(${text}, ${kelvin}, 'k')), '\\/', '/')`
  return and(contains(lowerCase, local), or(contains(lowerCase, email), hasNonAscii(text)))!
}
