// Schemas of parameters and reply fields that several components have, such as texts, JSON and paging.
import * as z from 'zod'
import { parseJson } from './json.ts'
import { harmless } from './validation-messages.ts'

const plain = (text: string) => !text.includes('\0') && text.isWellFormed()

/** A string of at most `max` UTF-16 units without NUL and lone surrogates. */
export const text = (max: number) => z.string().max(max).refine(plain, 'Must not contain NUL or lone surrogates')

const maxJsonBytes = 1_000_000

/** The UTF-8 length is counted only if the text may be too long: a UTF-16 unit has at most 3 bytes. */
const isSmall = (text: string) =>
  text.length * 3 <= maxJsonBytes || new TextEncoder().encode(text).length <= maxJsonBytes
const tooLarge = `Must be at most ${maxJsonBytes} bytes of JSON`

// Not z.record, which copies the object and loses a key `__proto__`.
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const AnyObject = z.custom<Record<string, unknown>>(isObject, 'Must be a JSON object')

/** Any JSON object of at most 1 MB. The code gets it as JSON text, so that it is stored and returned unchanged. */
export const JsonObject = z
  .codec(AnyObject, z.string().refine(isSmall, tooLarge), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => parseJson(text) as Record<string, unknown>,
  })
  .meta({ type: 'object' })

/** Any JSON value of at most 1 MB, including `null`, as JSON text in the code. */
export const Json = z.codec(z.unknown(), z.string().refine(isSmall, tooLarge), {
  decode: (value) => JSON.stringify(value),
  encode: (text) => parseJson(text),
})

const maxLimit = 1_000

/** The paging parameters of a list: `limit` with a default, and `offset`. */
export const paging = ({ limit = 100 } = {}) => ({
  limit: harmless(z.int().min(1).max(maxLimit)).default(limit).describe('Maximum number of items to return'),
  offset: harmless(z.int().min(0)).default(0).describe('Number of items to skip'),
})

/** In a reply: the page was cut before its `limit` because of its size. */
export const has_more = z
  .literal(true)
  .optional()
  .describe('Present if the page was cut at 8 MB before it reached `limit`: more items follow')

/** The parameter that asks for `nb_results`. */
export const count = z
  .boolean()
  .default(false)
  .describe('Whether to return `nb_results`, the total number of matches. Counting takes extra time')
export const nb_results = z
  .int()
  .optional()
  .describe('Total number of matches, regardless of `limit` and `offset`. Present if `count` is true')
