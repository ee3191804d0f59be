import type { UnvalidatedRequest } from '#core/http/declaration'
import { numberOf, parseJson } from '#core/http/json'
import { jsonIn } from './ask.ts'

/** The fields of a receipt: of a GET its query, else what its body has, a form or one JSON object. */
export function fieldsOf(asked: UnvalidatedRequest<unknown>): URLSearchParams {
  if (asked.request.method === 'GET') return asked.url.searchParams
  const json = objectOf(asked)
  if (!json) return new URLSearchParams(textOf(asked))
  const fields = Object.entries(json).map(([name, value]): [string, string] => [name, asText(value)])
  return new URLSearchParams(fields)
}

/** A receipt whose body is a JSON object, its numbers as `parseJson` keeps them; nothing where it is none. */
export function objectOf(asked: UnvalidatedRequest<unknown>): object | undefined {
  const text = textOf(asked)
  const json = text.trimStart().startsWith('{') ? jsonIn(text, parseJson) : undefined
  return typeof json === 'object' && json !== null ? json : undefined
}

const textOf = ({ bytes }: UnvalidatedRequest<unknown>) => new TextDecoder().decode(bytes)

/** A value from JSON as text, a number digit for digit. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The text or number at the end of a way through a JSON value; nothing where there is none. */
export function textAt(value: unknown, way: string[]): string | undefined {
  let found = value
  for (const step of way) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = Reflect.get(found, step)
  }
  const isText = typeof found === 'string' || typeof numberOf(found) === 'number'
  return isText ? asText(found) || undefined : undefined
}

/** What a table has for a word that somebody else chose. */
export const entryOf = <Value>(table: Record<string, Value>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined
