// Reads the fields of delivery receipts, which providers send as query, form or JSON.
import type { UnvalidatedRequest } from '#core/http/declaration'
import { numberOf, parseJson } from '#core/http/json'
import { jsonIn } from './request.ts'

/** The fields of a receipt. They are in the query of a GET, otherwise in the body, which is a form or a JSON object. */
export function fieldsOf(received: UnvalidatedRequest<unknown>): URLSearchParams {
  if (received.request.method === 'GET') return received.url.searchParams
  const json = objectOf(received)
  if (!json) return new URLSearchParams(textOf(received))
  const fields = Object.entries(json).map(([name, value]): [string, string] => [name, asText(value)])
  return new URLSearchParams(fields)
}

/**
 * The body of a receipt if it is a JSON object, otherwise undefined. `parseJson` keeps all digits of large numbers, such as
 * message ids.
 */
export function objectOf(received: UnvalidatedRequest<unknown>): object | undefined {
  const text = textOf(received)
  const json = text.trimStart().startsWith('{') ? jsonIn(text, parseJson) : undefined
  return typeof json === 'object' && json !== null ? json : undefined
}

const textOf = ({ bytes }: UnvalidatedRequest<unknown>) => new TextDecoder().decode(bytes)

/** A JSON value as text. Numbers keep all their digits. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The text or number at a path in a JSON value. Undefined if there is none. */
export function textAt(value: unknown, path: string[]): string | undefined {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  const isText = typeof current === 'string' || typeof numberOf(current) === 'number'
  return isText ? asText(current) || undefined : undefined
}

/**
 * Looks up a word that a provider sent in a table. Ignores inherited properties, which a word such as `constructor` would find.
 */
export const entryOf = <Value>(table: Record<string, Value>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined
