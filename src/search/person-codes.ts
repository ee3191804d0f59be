// Finds the codes in a shard that are identifiers of a person, in bounded steps.
import { isIdentifierOf } from '#core/person/mentions'
import type { Person } from '#core/person/places'

/** Codes that one step reads, and those that it returns. */
const codesPerStep = 5_000
export const matchesPerStep = 10

/** The codes of a step, sorted. `next` is the last code that was read, if more may follow. */
export interface CodeMatches {
  codes: string[]
  next?: string | undefined
}

/**
 * The codes after a code that are identifiers of the person. Codes are stored as the caller sent them, so a phone or an email address
 * may have any spelling: unless only a user is given, all codes are read from their index.
 */
export function findCodes(sql: SqlStorage, person: Person, after: string): CodeMatches {
  const { user, phone, email } = person
  if (phone === undefined && email === undefined)
    return user === undefined ? { codes: [] } : { codes: readCodes(sql, 'code = ? AND code > ?', user, after) }
  const read = readCodes(sql, 'code > ?', after)
  const codes: string[] = []
  for (const code of read) {
    if (isIdentifierOf(person, code)) codes.push(code)
    if (codes.length === matchesPerStep) return { codes, next: code }
  }
  return { codes, next: read.length === codesPerStep ? read.at(-1) : undefined }
}

const readCodes = (sql: SqlStorage, condition: string, ...bound: string[]): string[] =>
  sql
    .exec<{ code: string }>(
      `SELECT code FROM documents WHERE ${condition} ORDER BY code LIMIT ${codesPerStep}`,
      ...bound,
    )
    .toArray()
    .map(({ code }) => code)
