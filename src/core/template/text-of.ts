import { toValue } from 'liquidjs'

/** The text of a value of a template: empty if there is none, lists one item after the other, objects as JSON. */
export const textOf = (given: unknown): string => {
  const value: unknown = toValue(given)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join('')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
