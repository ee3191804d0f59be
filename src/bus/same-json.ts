// Compares the data of a repeated document with the stored one, by content instead of text.
import { numberOf, parseJson } from '#core/http/json'

/** Whether two JSON texts have the same content, in any order of object keys. */
export const isSameJson = (one: string, other: string): boolean =>
  one === other || withSortedKeys(one) === withSortedKeys(other)

const withSortedKeys = (text: string) => JSON.stringify(sorted(parseJson(text)))

function sorted(value: unknown): unknown {
  // `parseJson` returns a number that a double cannot hold as an object, whose fields must not be sorted. `numberOf` recognises it.
  if (value === null || typeof numberOf(value) !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
