import type { UnvalidatedRequest } from '#core/http/declaration'
import { numberOf, parseJson } from '#core/http/json'
import { jsonIn } from './request.ts'

/** The fields of a receipt: the query of a GET, else the body, which is a form or a JSON object. */
export function fieldsOf(received: UnvalidatedRequest<unknown>): URLSearchParams {
  if (received.request.method === 'GET') return received.url.searchParams
  const json = objectOf(received)
  if (!json) return new URLSearchParams(textOf(received))
  const fields = Object.entries(json).map(([name, value]): [string, string] => [name, asText(value)])
  return new URLSearchParams(fields)
}

/** The body of a receipt if it is a JSON object. `parseJson` preserves large numbers. */
export function objectOf(received: UnvalidatedRequest<unknown>): object | undefined {
  const text = textOf(received)
  const json = text.trimStart().startsWith('{') ? jsonIn(text, parseJson) : undefined
  return typeof json === 'object' && json !== null ? json : undefined
}

const textOf = ({ bytes }: UnvalidatedRequest<unknown>) => new TextDecoder().decode(bytes)

/** A JSON value as text. Numbers keep all their digits. */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The text or number at a path in a JSON value; `undefined` if there is none. */
export function textAt(value: unknown, path: string[]): string | undefined {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  const isText = typeof current === 'string' || typeof numberOf(current) === 'number'
  return isText ? asText(current) || undefined : undefined
}

/** Looks up a key from outside in a table, ignoring inherited properties such as `constructor`. */
export const entryOf = <Value>(table: Record<string, Value>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined
