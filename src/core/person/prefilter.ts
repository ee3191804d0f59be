import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Kit } from '#core/db/kit'
import type { Person } from './places.ts'

/**
 * SQL condition that is true for each text that `mentionsPerson` finds, and for some others: it saves reading most rows. Undefined
 * without identifiers.
 */
export const mayMention = (
  { contains }: Kit,
  json: SQLWrapper,
  { user, recipient, phone, email, chat_id }: Person,
): SQL | undefined =>
  or(
    user === undefined ? undefined : contains(json, inJson(user)),
    recipient === undefined ? undefined : contains(json, inJson(recipient)),
    chat_id === undefined ? undefined : contains(json, inJson(chat_id)),
    phone === undefined ? undefined : contains(withoutSeparators(json), phone),
    email === undefined ? undefined : contains(sql`lower(${json})`, inJson(email)),
  )

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Separators that a phone may have. */
const separators = ['+', ' ', '(', ')', '.', '-']

const withoutSeparators = (text: SQLWrapper): SQL =>
  separators.reduce<SQL>((kept, separator) => sql`replace(${kept}, ${separator}, '')`, sql`${text}`)
