import { unsent } from './errors.ts'

/** In bytes, what the query of a request may have. */
const longest = 16_384

/**
 * Parameters as a query: scalars as text, arrays and objects as JSON text; `null` and `undefined` are left out. Names in
 * `lists` take one text or several: one that would read as JSON is sent as a list of one.
 */
export function toQuery(params: Record<string, unknown>, lists: readonly string[] = []): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, toText(value, lists.includes(name))]],
  )
  const query = new URLSearchParams(pairs).toString()
  if (query.length > longest)
    throw unsent('query_too_long', `The parameters have ${query.length} bytes as a query, of at most ${longest}`)
  return query && `?${query}`
}

function toText(value: unknown, isList: boolean): string {
  if (typeof value === 'string') return isList && /^\s*[[{]/.test(value) ? JSON.stringify([value]) : value
  if (typeof value === 'number') return inDigits(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A number without an exponent, to the last digit. */
function inDigits(value: number): string {
  const [text, sign, whole, part, exponent] = /^(-?)(\d)\.?(\d*)e([+-]\d+)$/.exec(String(value)) ?? []
  if (text === undefined) return String(value)
  const shift = Number(exponent)
  const digits = `${whole}${part}`
  return sign + (shift < 0 ? `0.${'0'.repeat(-shift - 1)}${digits}` : digits.padEnd(shift + 1, '0'))
}
