/** A JSON value in whose texts `{name}` is a place for a value. */
export type JsonTemplate = string | number | boolean | null | JsonTemplate[] | { [name: string]: JsonTemplate }

/** What there is a place for. */
export type TemplateValues = Record<string, string>

const places = /\{(\+?[a-z_]+)\}/g

/** A template with its places filled. A value is put in as it is, and is not looked at again; unknown places stay. */
export function fill(template: JsonTemplate, values: TemplateValues): JsonTemplate {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fill(item, values)]))
}

/** A text with its places filled. */
export const fillText = (text: string, values: TemplateValues) =>
  text.replace(places, (place, name: string) => (Object.hasOwn(values, name) ? values[name]! : place))

/** What a template has places for. */
export function namesIn(template: JsonTemplate): string[] {
  if (typeof template === 'string') return [...template.matchAll(places)].map(([, name]) => name!)
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(namesIn) : []
}
