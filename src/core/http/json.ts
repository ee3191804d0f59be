// Parses the JSON of requests without changing the digits of numbers, so that a caller's JSON is stored and returned
// unchanged. Limits the nesting.
import { Failure, failure } from '#core/failure'

const maxDepth = 100

/**
 * Finds numbers that `JSON.parse` and `JSON.stringify` may change: `1.0`, `1e5`, `-0`, 16 digits or more, and below
 * 0.000001.
 */
const inexactNumber = /\d\.\d*0(?!\d)|\d[eE]|(?:\d\.?){16}|-0(?![.\d])|0\.0{6}/

interface Source {
  source?: string
}

interface RawJson {
  isRawJSON(value: unknown): value is { rawJSON: string }
  rawJSON(text: string): unknown
}

// `JSON.rawJSON` and the source text of numbers are in V8, but not yet in TypeScript's library:
// https://github.com/tc39/proposal-json-parse-with-source
const raw = JSON as unknown as RawJson
const parse = JSON.parse as (
  text: string,
  reviver?: (key: string, value: unknown, context: Source) => unknown,
) => unknown

const keep = (_: string, value: unknown, { source }: Source) =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? raw.rawJSON(source) : value

/**
 * Parses JSON so that `JSON.stringify` writes every number with the same digits: a number that a double cannot hold becomes a
 * `JSON.rawJSON` object, which `numberOf` reads. Throws a `SyntaxError`.
 */
export const parseJson = (text: string): unknown => (inexactNumber.test(text) ? parse(text, keep) : parse(text))

/**
 * Converts a `JSON.rawJSON` object to its number, with the precision of a double. Returns any other value unchanged.
 */
export const numberOf = (value: unknown) => (raw.isRawJSON(value) ? Number(value.rawJSON) : value)

/** Parses a body as a JSON object of at most 100 levels. An empty body is `{}`. Throws 400 `invalid_json`. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes)
  if (text.trim() === '') return {}
  const value = parseText(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw failure('invalid_json', 'The body is not a JSON object.')
}

/** Reads a body as a JSON object, or returns `undefined` if it is none, for callers that must not throw. */
export function objectIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    return parseObject(bytes)
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch (cause) {
    throw failure('invalid_json', 'The body is not valid UTF-8.', { cause })
  }
}

/**
 * Parses JSON text of at most 100 levels. Throws 400 `invalid_json` for deeper text, which could overflow the stack
 * when it is serialized.
 */
export function parseText(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw failure('invalid_json', 'The body is not valid JSON.', { cause })
  }
  if (isDeeper(value, maxDepth)) throw failure('invalid_json', `The body is nested more than ${maxDepth} levels deep.`)
  // A match of the pattern may lie within a string, such as a file in base64. The slower parse that keeps digits runs
  // only if the value has a number.
  return inexactNumber.test(text) && hasNumber(value) ? parse(text, keep) : value
}

const hasNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && Object.values(value).some(hasNumber))

/**
 * Whether the arrays and objects of a value are nested more than `levels` deep, which could overflow the stack of
 * recursive code.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
