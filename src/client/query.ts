import { unsent } from './errors.ts'

const maxQueryLength = 16_384

/**
 * Formats parameters as a query string: scalars as text, arrays and objects as JSON. Omits `null` and `undefined`. A
 * parameter in `lists` accepts one text or several; a single text that looks like JSON is sent as a list with one item,
 * since the API would parse it.
 */
export function toQuery(params: Record<string, unknown>, lists: readonly string[] = []): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, toText(value, lists.includes(name))]],
  )
  const query = new URLSearchParams(pairs).toString()
  if (query.length > maxQueryLength) {
    const message = `The query string must be at most ${maxQueryLength} characters long, got ${query.length}.`
    throw unsent('query_too_long', message)
  }
  return query && `?${query}`
}

function toText(value: unknown, isList: boolean): string {
  if (typeof value === 'string') return isList && /^\s*[[{]/.test(value) ? JSON.stringify([value]) : value
  if (typeof value === 'number') return withoutExponent(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Formats a number with all digits and without an exponent, since the API reads whole numbers only as digits. */
function withoutExponent(value: number): string {
  const [text, sign, whole, part, exponent] = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(String(value)) ?? []
  if (text === undefined) return String(value)
  const shift = Number(exponent)
  const digits = `${whole}${part}`
  return sign + (shift < 0 ? `0.${'0'.repeat(-shift - 1)}${digits}` : digits.padEnd(shift + 1, '0'))
}
