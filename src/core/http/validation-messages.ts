// Makes the messages about invalid parameters, which replace those of the schema library (zod). A message shows the
// invalid value only if its schema is marked as `harmless`.
import * as z from 'zod'
import { defOf, innerOf, isInteger, schemaAt, valueAt, wire } from './schemas.ts'

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue

const harmlessSchemas = new WeakSet<Schema>()

/**
 * Marks a schema whose values may be shown in errors. Do not mark schemas of passwords, phones, addresses, texts,
 * tokens and URLs. Call `harmless` right before `optional`, `default` and `describe`: other methods return a new schema
 * without the mark.
 */
export function harmless<Marked extends Schema>(schema: Marked): Marked {
  harmlessSchemas.add(schema)
  return schema
}

interface Requirement {
  path: PropertyKey[]
  /** The requirement without the name of the parameter: `must be at most 10`. */
  text: string
}

/**
 * The requirement that a zod issue is about: the message that our schema declares, else a text made from the schema's
 * type and bounds.
 */
export function requirementOf(issue: Issue, schema: Schema, params: unknown): Requirement {
  const { path, message, code } = issue
  const value = valueAt(params, path)
  if (value === undefined && (code === 'invalid_type' || code === 'invalid_union')) return { path, text: 'is required' }
  if (value === null && code === 'invalid_type') return { path, text: 'must not be null' }
  if (message) return { path, text: message }
  if (value === undefined) return { path, text: 'is required' }
  const at = schemaAt(schema, path)
  const inner = issue.code === 'invalid_union' && at ? requirementOfOption(issue, at, value) : undefined
  if (inner) return { path: [...path, ...inner.path], text: inner.text }
  return { path, text: textOf(issue, at) + shown(at, value) }
}

/**
 * For an invalid value of a union type: if the value has the type of exactly one option, returns the requirement of
 * that option, which is more precise than a list of types.
 */
function requirementOfOption(
  { errors }: z.core.$ZodIssueInvalidUnion,
  union: Schema,
  value: unknown,
): Requirement | undefined {
  const options = optionsOf(union)
  const [fitting, ...others] = errors.flatMap((issues, i) => (hasType(issues) ? [{ issues, option: options[i] }] : []))
  const [issue] = fitting?.issues ?? []
  return issue && fitting?.option && others.length === 0 ? requirementOf(issue, fitting.option, value) : undefined
}

const hasType = (issues: Issue[]) =>
  !issues.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'))

const maxShownLength = 64

/** The end of a message, `, got <value>`, if the schema is marked as harmless; else empty. */
function shown(schema: Schema | undefined, value: unknown): string {
  let inner = schema
  while (inner && !harmlessSchemas.has(inner)) inner = innerOf(inner)
  if (!inner || !['number', 'string', 'boolean'].includes(typeof value)) return ''
  const text = JSON.stringify(value)
  return text.length <= maxShownLength ? `, got ${text}` : ''
}

/** Texts for formats whose schema declares no message. */
const formats: Record<string, string> = { url: 'a URL', uuid: 'a UUID' }

function textOf(issue: Issue, schema: Schema | undefined): string {
  switch (issue.code) {
    case 'too_small':
      return sizeText(issue, schema, issue.inclusive === false ? 'above' : 'at least', issue.minimum)
    case 'too_big':
      return sizeText(issue, schema, issue.inclusive === false ? 'below' : 'at most', issue.maximum)
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the documented format'}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_key':
      return issue.issues.map(({ message }) => message).find(Boolean) ?? 'must have only names in the documented format'
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return `must be ${schema ? typeText(schema) : 'of another type'}`
    default:
      return 'is not valid'
  }
}

function sizeText(
  { origin, exact }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  schema: Schema | undefined,
  bound: string,
  limit: number | bigint,
): string {
  const atMost = exact ? 'exactly' : bound
  if (origin === 'string') return limit === 1 && bound === 'at least' ? 'must not be empty' : `must be ${atMost} ${limit} characters long` // biome-ignore format: one line
  if (origin === 'array') return `must have ${atMost} ${limit} ${limit === 1 ? 'item' : 'items'}`
  return `must be ${(schema && rangeText(wire(schema))) || `${atMost} ${limit}`}`
}

const types: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
  record: 'a JSON object',
}

/** The values that a schema accepts: `a whole number between 1 and 10`. */
function typeText(schema: Schema): string {
  const inner = wire(schema)
  const def = defOf(inner)
  if (def.type === 'union') return [...new Set(def.options.map(typeText))].join(' or ')
  if (def.type === 'enum' || def.type === 'literal') return oneOf([...(inner._zod.values ?? [])])
  if (def.type === 'number') {
    const range = rangeText(inner)
    return `a ${isInteger(inner) ? 'whole ' : ''}number${range && ` ${range.replace(/^at/, 'of at')}`}`
  }
  return types[def.type] ?? 'of another type'
}

const optionsOf = (schema: Schema): readonly Schema[] => {
  const def = defOf(wire(schema))
  return def.type === 'union' ? def.options : []
}

const maxOptions = 50

function oneOf(values: z.core.util.Primitive[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  if (texts.length === 1) return texts[0]!
  const others = texts.length - maxOptions
  return `one of ${texts.slice(0, maxOptions).join(', ')}${others > 0 ? ` or ${others} others` : ''}`
}

/** The bounds of a number: `between 1 and 10`, `at least 1`. Empty without bounds. */
function rangeText(schema: Schema): string {
  const bounds = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = bounds
  const min = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const max = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (min !== undefined && max !== undefined) return `between ${min} and ${max}`
  const lower = above !== undefined ? `above ${above}` : min !== undefined ? `at least ${min}` : ''
  const upper = below !== undefined ? `below ${below}` : max !== undefined ? `at most ${max}` : ''
  return [lower, upper].filter(Boolean).join(' and ')
}
