import { toValue } from 'liquidjs'

/**
 * Converts a value of a template to the text that the output shows: `null` is empty, the items of a list are joined, an
 * object is JSON.
 */
export const textOf = (raw: unknown): string => {
  const value: unknown = toValue(raw)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join('')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
