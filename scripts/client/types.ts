// Converts JSON Schema to TypeScript types, for the client generator.

/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  description?: string
  contentEncoding?: string
}

/**
 * Whether a type is for the parameters that callers send or for the replies that they get. An optional key of
 * parameters may also be `undefined`.
 */
type Side = 'sent' | 'got'

/** Converts a schema to a TypeScript type; `unknown` if the schema has no type. */
export function typeOf(schema: JsonSchema, side: Side, indent = ''): string {
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return either(schema.enum.map(literal))
  if (schema.anyOf) return either(schema.anyOf.map((option) => typeOf(option, side, indent)))
  if (schema.contentEncoding === 'binary') return 'Blob'
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => typeOf({ ...schema, type }, side, indent)))
  if (schema.type === 'array') return `${itemOf(schema.items ?? {}, side, indent)}[]`
  if (schema.type === 'object') return objectOf(schema, side, indent)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

const either = (types: string[]) => {
  const different = [...new Set(types)]
  return different.includes('unknown') ? 'unknown' : different.join(' | ')
}

function itemOf(item: JsonSchema, side: Side, indent: string): string {
  const type = typeOf(item, side, indent)
  return item.enum || item.anyOf || Array.isArray(item.type) ? `(${type})` : type
}

function objectOf(schema: JsonSchema, side: Side, indent: string): string {
  const { properties = {}, additionalProperties } = schema
  if (Object.keys(properties).length > 0) return `{\n${fieldsOf(schema, side, `${indent}  `)}${indent}}`
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, side, indent) : 'unknown'
  return `{ [name: string]: ${value} }`
}

/** The properties of an object type, one or more lines each. */
export function fieldsOf(schema: JsonSchema, side: Side, indent: string): string {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const mark = required.has(name) ? '' : '?'
      const type = typeOf(field, side, indent) + (mark && side === 'sent' ? ' | undefined' : '')
      return `${comment([wordsOn(field)], indent)}${indent}${keyOf(name)}${mark}: ${type}\n`
    })
    .join('')
}

function wordsOn({ description, default: values }: JsonSchema): string | undefined {
  const words = values === undefined ? undefined : `default \`${JSON.stringify(values)}\``
  return [description, words].filter(Boolean).join('; ') || undefined
}

/** A name as a property key, quoted if necessary. */
export const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

/** Formats texts as a JSDoc comment; empty without text. */
export function comment(values: (string | undefined)[], indent: string): string {
  const lines = values.flatMap((text) => text?.replaceAll('*/', '* /').split('\n') ?? [])
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
