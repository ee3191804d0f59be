// Fills placeholders such as `{phone}` in the body and the headers that an operator configures for the driver `http`.

/** A JSON value whose strings may contain placeholders such as `{name}`. */
export type JsonTemplate = string | number | boolean | null | JsonTemplate[] | { [name: string]: JsonTemplate }

/** Values of the placeholders by name. */
export type TemplateValues = Record<string, string>

const placeholders = /\{(\+?[a-z_]+)\}/g

/**
 * Replaces the placeholders of a template. Values are inserted unchanged, also if they contain placeholders; unknown
 * placeholders are kept.
 */
export function fill(template: JsonTemplate, values: TemplateValues): JsonTemplate {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fill(item, values)]))
}

/** Replaces the placeholders of a text. */
export const fillText = (text: string, values: TemplateValues) =>
  text.replace(placeholders, (placeholder, name: string) => (Object.hasOwn(values, name) ? values[name]! : placeholder))

/** Names of all placeholders in a template. */
export function namesIn(template: JsonTemplate): string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholders)].map(([, name]) => name!)
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(namesIn) : []
}
