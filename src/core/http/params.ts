import type * as z from 'zod'
import { Failure, invalidParameters } from '#core/failure'
import { numberOf, parseText } from './json.ts'
import { defOf, isInteger, typeOf, wire } from './schemas.ts'
import { unknownParameter } from './unknown-parameters.ts'

// Reads the parameters of a request from path, body and query string, and finds unknown ones.

type Shape = z.ZodRawShape
type From = 'query' | 'json'

const selectors = new WeakSet<z.core.$ZodType>()

/**
 * Marks the schema of a parameter object that selects the records to change or delete. A `null` in it is refused, since
 * ignoring it would select more records. Call `selector` last: each method of a schema returns a new schema, without
 * the mark.
 */
export function selector<Schema extends z.ZodType>(schema: Schema): Schema {
  selectors.add(schema)
  return schema
}

/** Whether one of these parameters is marked as a `selector`. */
export const hasSelector = (shape: Shape): boolean => Object.values(shape).some((schema) => selectors.has(schema))

/** Whether a parameter accepts any JSON value, including `null`. */
const isAny = (schema: z.core.$ZodType) => typeOf(schema) === 'unknown' || typeOf(schema) === 'any'

/**
 * Merges the parameters that `shape` declares: the path overrides the body, the body overrides the query string. Texts of the
 * query are converted to the type of their parameter: numbers, `true` or `1`, `a,b` or repeated keys for a list, JSON for an object.
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

/**
 * Returns `undefined` for a value that counts as missing: `null`, unless the parameter accepts any JSON, and `""` for a
 * required string. Any other value is returned unchanged.
 */
function present(schema: z.core.$ZodType, value: unknown) {
  if (value === undefined || (value === null && !isAny(schema))) return undefined
  if (value === '' && typeOf(schema) === 'string' && schema._zod.optin !== 'optional') return undefined
  return { value }
}

/** Reads a parameter from its texts in the query string. `name[]=x` and repeated names are items of a list. */
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

/** Whether a text may be the JSON of an array or object that the union accepts, judged by the first character. */
function isStructure(schema: z.core.$ZodType, first: string | undefined): boolean {
  const inner = defOf(wire(schema))
  const types = structures[first ?? '']
  return inner.type === 'union' && types !== undefined && inner.options.some((option) => types.includes(typeOf(option)))
}

const fromList = (schema: z.core.$ZodType, text: string) =>
  coerce(schema, text.trimStart().startsWith('[') ? jsonIn(text) : text === '' ? [] : text.split(','), 'query')

/** Converts a value to the type of its schema. JSON values are not converted, except whole numbers written as strings. */
function coerce(schema: z.core.$ZodType, raw: unknown, from: From): unknown {
  const inner = wire(schema)
  const value = isAny(inner) ? raw : numberOf(raw)
  const it = defOf(inner)
  switch (it.type) {
    case 'number':
      return toNumber(value, from === 'query' || isInteger(inner) || isWhole(value))
    case 'boolean':
      return from === 'query' ? toBoolean(value) : value
    case 'array':
      return Array.isArray(value) ? value.map((item) => coerce(it.element, item, from)) : value
    case 'object':
      return coerceObject(
        it,
        typeof value === 'string' && from === 'query' ? jsonIn(value) : value,
        selectors.has(inner),
      )
    case 'record':
    case 'custom':
    case 'unknown':
    case 'any':
      return typeof value === 'string' && from === 'query' ? jsonIn(value) : value
    default:
      return value
  }
}

/** Whether a value is a whole number written as a string, which is accepted in JSON too. */
const isWhole = (value: unknown) => typeof value === 'string' && /^-?\d+$/.test(value)

function toNumber(value: unknown, fromString: boolean) {
  if (typeof value !== 'string') return value
  if (value === '') return undefined
  return fromString && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

function toBoolean(value: unknown) {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  return value === '' || value === 'null' ? undefined : value
}

/** Converts the declared keys of an object. Other keys are dropped, unless the schema has a `catchall`. */
function coerceObject({ shape, catchall }: z.core.$ZodObjectDef, value: unknown, keepsNull: boolean) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(shape).length === 0) return value
  const input = value as Record<string, unknown>
  const known = Object.entries(shape).flatMap(([name, inner]) => {
    if (keepsNull && input[name] === null) return [[name, null] as const]
    const found = Object.hasOwn(input, name) ? present(inner, coerce(inner, input[name], 'json')) : undefined
    return found ? [[name, found.value] as const] : []
  })
  const others = catchall ? Object.entries(input).filter(([name]) => !Object.hasOwn(shape, name)) : []
  return Object.fromEntries([...others, ...known])
}

/**
 * Parses a text as JSON. An invalid text is returned unchanged, so that validation refuses it with the name of its
 * parameter.
 */
function jsonIn(text: string): unknown {
  try {
    return parseText(text)
  } catch (error) {
    if (Failure.is(error)) return text
    throw error
  }
}

const maxNameLength = 200
const maxUnknown = 100

function unknownIn(shape: Shape, query: URLSearchParams, body: Record<string, unknown>): string[] {
  const names = new Set([...[...query.keys()].map((name) => name.replace(/\[\]$/, '')), ...Object.keys(body)])
  return [...names].filter((name) => !Object.hasOwn(shape, name))
}

/** A warning in the reply about an unknown parameter, which was ignored. */
export interface ParameterWarning {
  parameter: string
  message: string
}

const maxWarnings = 20
const maxWarnedNameLength = 64

/**
 * Makes warnings about unknown parameters, which the endpoint ignores, so that callers notice misspelled names. At most
 * 20.
 */
export const warningsAbout = (
  shape: Shape,
  query: URLSearchParams,
  body: Record<string, unknown>,
): ParameterWarning[] =>
  unknownIn(shape, query, body)
    .slice(0, maxWarnings)
    .map((name) => ({
      parameter: name.slice(0, maxWarnedNameLength),
      message: unknownParameter(name, Object.keys(shape)),
    }))

/**
 * Throws 400 for unknown parameters and, with `refusesNull`, for `null` values: a DELETE or PATCH that ignores them could affect
 * more records than the caller meant. Names in `ignored` pass.
 */
export function refuseUnknown(
  shape: Shape,
  query: URLSearchParams,
  body: Record<string, unknown>,
  options: { ignored: ReadonlySet<string>; refusesNull: boolean },
): void {
  const names = Object.keys(shape)
  const unknown = unknownIn(shape, query, body).filter((name) => !options.ignored.has(name))
  const nulls = options.refusesNull ? names.filter((name) => Object.hasOwn(body, name) && body[name] === null) : []
  if (unknown.length + nulls.length === 0) return
  const errors = Object.fromEntries([
    ...unknown.slice(0, maxUnknown).map((name) => [name.slice(0, maxNameLength), unknownParameter(name, names)]),
    ...nulls.map((name) => [name, 'must not be null. Leave it out.']),
  ])
  throw invalidParameters(errors)
}
