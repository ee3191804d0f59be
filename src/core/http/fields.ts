// Schemas of parameters and reply fields that several components have, such as texts, JSON and paging.
import * as z from 'zod'
import { parseJson } from './json.ts'
import { harmless } from './validation-messages.ts'

const plain = (text: string) => !text.includes('\0') && text.isWellFormed()

/**
 * Schema of a string of at most `max` UTF-16 units. NUL and lone surrogates are refused, since Postgres and UTF-8
 * cannot store them.
 */
export const text = (max: number) => z.string().max(max).refine(plain, 'Must not contain NUL or lone surrogates')

const maxJsonBytes = 1_000_000

/**
 * Whether a text has at most 1 MB in UTF-8. A UTF-16 unit has at most 3 bytes, so the bytes of short texts need not be
 * counted.
 */
const isSmall = (text: string) =>
  text.length * 3 <= maxJsonBytes || new TextEncoder().encode(text).length <= maxJsonBytes

/** The stored form of JSON parameters: text of at most 1 MB. */
export const StoredJson = z.string().refine(isSmall, `Must be at most ${maxJsonBytes} bytes of JSON`)

// A custom schema and not `z.record`, which copies the object and loses a key `__proto__`.
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const AnyObject = z.custom<Record<string, unknown>>(isObject, 'Must be a JSON object')

/** `JsonObject` with examples. They are set on the object, since Zod leaves out the examples of a codec. */
export const jsonObject = (documentation: { examples?: object[] } = {}) =>
  z
    .codec(AnyObject.meta(documentation), StoredJson, {
      decode: (value) => JSON.stringify(value),
      encode: (text) => parseJson(text) as Record<string, unknown>,
    })
    .meta({ type: 'object' })

/** Any JSON object of at most 1 MB. The code gets it as JSON text, so that it is stored and returned unchanged. */
export const JsonObject = jsonObject()

/** Any JSON value of at most 1 MB, including `null`, as JSON text in the code. */
export const Json = z.codec(z.unknown(), StoredJson, {
  decode: (value) => JSON.stringify(value),
  encode: (text) => parseJson(text),
})

const maxLimit = 1_000

/** The paging parameters of a list: `limit` with a default, and `offset`. */
export const paging = ({ limit = 100 } = {}) => ({
  limit: harmless(z.int().min(1).max(maxLimit)).default(limit).describe('Maximum number of items to return'),
  offset: harmless(z.int().min(0)).default(0).describe('Number of items to skip'),
})

/** Field of a reply with a page that was cut before `limit`, because the texts of the page reached 8 MB. */
export const has_more = z
  .literal(true)
  .optional()
  .describe(
    'Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow',
  )

/** The parameter with which a caller asks for `nb_results`, since counting costs an extra query. */
export const count = z
  .boolean()
  .default(false)
  .describe('Whether to return `nb_results`, the total number of matches. Counting takes extra time')
export const nb_results = z
  .int()
  .optional()
  .describe('Total number of matches, regardless of `limit` and `offset`. Present if `count` is true')
