import { z } from 'zod'
import { Failure } from '#core/failure'
import { numberOf, parseText } from './json.ts'

export type Shape = z.ZodRawShape
type From = 'query' | 'json'
type Def = z.core.$ZodTypes['_zod']['def']

const def = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def as Def

/** The schema under `optional`, `default` and the like; of a codec, the side that is on the wire. */
export function wire(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = def(schema)
  switch (inner.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return wire(inner.innerType)
    case 'pipe':
      return wire(inner.in)
    default:
      return schema
  }
}

const typeOf = (schema: z.core.$ZodType) => def(wire(schema)).type

/** Whether a parameter takes any JSON, so that `null` is a value of it. */
const isAny = (schema: z.core.$ZodType) => typeOf(schema) === 'unknown' || typeOf(schema) === 'any'

/**
 * One flat map of parameters out of query, body and path, the later winning; nothing but what `shape` names.
 * A query's text becomes what its parameter is: `10`, `true` or `1`, `a,b` or repeated keys, JSON for an object.
 */
export function merge(
  shape: Shape,
  query: URLSearchParams,
  body: Record<string, unknown>,
  path: Record<string, string>,
) {
  const merged: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const value =
      present(schema, Object.hasOwn(path, name) ? fromText(schema, path[name]) : undefined) ??
      present(schema, Object.hasOwn(body, name) ? coerce(schema, body[name], 'json') : undefined) ??
      present(schema, fromQuery(schema, query.getAll(name), query.getAll(`${name}[]`)))
    if (value) merged[name] = value.value
  }
  return merged
}

/** Nothing where a value counts as missing: `null`, unless any JSON is taken, and `""` for a required string. */
function present(schema: z.core.$ZodType, value: unknown) {
  if (value === undefined || (value === null && !isAny(schema))) return undefined
  if (value === '' && typeOf(schema) === 'string' && schema._zod.optin !== 'optional') return undefined
  return { value }
}

/** `name[]` is an item of a list, as are several of one name; one alone is read by its schema. */
function fromQuery(schema: z.core.$ZodType, texts: string[], items: string[]): unknown {
  const isList = typeOf(schema) === 'array' || typeOf(schema) === 'union'
  if (isList && (items.length > 0 || texts.length > 1)) return coerce(schema, [...texts, ...items], 'query')
  return fromText(schema, [...texts, ...items].at(-1))
}

function fromText(schema: z.core.$ZodType, text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (typeOf(schema) === 'array') return fromList(schema, text)
  if (typeOf(schema) === 'union') return isStructure(schema, text.trimStart()[0]) ? jsonIn(text) : text
  return coerce(schema, text, 'query')
}

const structures: Record<string, string[]> = {
  '[': ['array', 'custom', 'unknown', 'any', 'union'],
  '{': ['object', 'record', 'custom'],
}

/** Whether a text that begins so is an array or an object, where a union takes one. */
function isStructure(schema: z.core.$ZodType, first: string | undefined): boolean {
  const inner = def(wire(schema))
  const types = structures[first ?? '']
  return inner.type === 'union' && types !== undefined && inner.options.some((option) => types.includes(typeOf(option)))
}

const fromList = (schema: z.core.$ZodType, text: string) =>
  coerce(schema, text.trimStart().startsWith('[') ? jsonIn(text) : text === '' ? [] : text.split(','), 'query')

/** A value as its schema means it: strict in JSON, save for integers written as strings; read from text in a query. */
function coerce(schema: z.core.$ZodType, given: unknown, from: From): unknown {
  const inner = wire(schema)
  const value = isAny(inner) ? given : numberOf(given)
  const it = def(inner)
  switch (it.type) {
    case 'number':
      return toNumber(value, from === 'query' || isInteger(inner) || isWhole(value))
    case 'boolean':
      return from === 'query' ? toBoolean(value) : value
    case 'array':
      return Array.isArray(value) ? value.map((item) => coerce(it.element, item, from)) : value
    case 'object':
      return coerceObject(it, typeof value === 'string' && from === 'query' ? jsonIn(value) : value)
    case 'record':
    case 'custom':
    case 'unknown':
    case 'any':
      return typeof value === 'string' && from === 'query' ? jsonIn(value) : value
    default:
      return value
  }
}

const isInteger = (schema: z.core.$ZodType) => schema instanceof z.ZodNumber && schema.format === 'safeint'

/** In JSON too a whole number may be text. */
const isWhole = (value: unknown) => typeof value === 'string' && /^-?\d+$/.test(value)

function toNumber(value: unknown, fromString: boolean) {
  if (typeof value !== 'string') return value
  if (value === '') return undefined
  return fromString && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

function toBoolean(value: unknown) {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  return value === '' ? undefined : value
}

/** The declared keys each by its schema. The others go unless the schema speaks of them. */
function coerceObject({ shape, catchall }: z.core.$ZodObjectDef, value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(shape).length === 0) return value
  const given = value as Record<string, unknown>
  const known = Object.entries(shape).flatMap(([name, inner]) => {
    const found = Object.hasOwn(given, name) ? present(inner, coerce(inner, given[name], 'json')) : undefined
    return found ? [[name, found.value] as const] : []
  })
  const others = catchall ? Object.entries(given).filter(([name]) => !Object.hasOwn(shape, name)) : []
  return Object.fromEntries([...others, ...known])
}

/** A parameter's text as JSON; the text itself where it is none, for its schema to refuse. */
function jsonIn(text: string): unknown {
  try {
    return parseText(text)
  } catch (error) {
    if (Failure.is(error)) return text
    throw error
  }
}

const longest = 200
const most = 100

/** The parameters as the schema gives them, or 400 with a message for each that is wrong. */
export function validate<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  const errors: Record<string, string> = {}
  for (const { path, message, code, input } of result.error.issues.slice(0, most)) {
    const missing =
      (code === 'invalid_type' || code === 'invalid_union') && input === undefined && !isGiven(params, path)
    errors[path.join('.').slice(0, longest) || 'body'] ??= missing ? 'Is required' : message.slice(0, longest)
  }
  throw new Failure('invalid', `Not valid: ${Object.keys(errors).slice(0, 10).join(', ')}`, { errors })
}

function isGiven(params: unknown, path: PropertyKey[]): boolean {
  let value = params
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key]
  return value !== undefined
}
