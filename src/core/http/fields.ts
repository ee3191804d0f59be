import * as z from 'zod'
import { parseJson } from './json.ts'
import { harmless } from './validation-messages.ts'

const plain = (text: string) => !text.includes('\0') && text.isWellFormed()

/** A string of at most `max` UTF-16 units, without NUL or half a character. */
export const text = (max: number) => z.string().max(max).refine(plain, 'Must not contain NUL or lone surrogates')

const largest = 1_000_000

/** UTF-8 bytes; counted only where it could matter. */
const isSmall = (text: string) => text.length * 3 <= largest || new TextEncoder().encode(text).length <= largest
const tooLarge = `Must be at most ${largest} bytes of JSON`

// Not a schema of zod's own, which would make a copy without a key `__proto__`.
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const AnyObject = z.custom<Record<string, unknown>>(isObject, 'Must be a JSON object')

/** Any JSON object: text in the code, so that it is kept and returned as it was sent. At most a megabyte. */
export const JsonObject = z
  .codec(AnyObject, z.string().refine(isSmall, tooLarge), {
    decode: (value) => JSON.stringify(value),
    encode: (text) => parseJson(text) as Record<string, unknown>,
  })
  .meta({ type: 'object' })

/** Any JSON value, `null` included, as text in the code. At most a megabyte. */
export const Json = z.codec(z.unknown(), z.string().refine(isSmall, tooLarge), {
  decode: (value) => JSON.stringify(value),
  encode: (text) => parseJson(text),
})

/** How a list is paged: `limit` 1 to `most`, `offset` from 0. */
export const paging = ({ limit = 100, most = 1000 } = {}) => ({
  limit: harmless(z.int().min(1).max(most)).default(limit).describe('How many to return'),
  offset: harmless(z.int().min(0)).default(0).describe('How many to skip'),
})

/** Where a page has ended before its `limit`, for its size. */
export const has_more = z.literal(true).optional().describe('The page ended early, at 8 MB; there are more')

/** What a list takes to be counted, and where the number stands in the reply. */
export const count = z.boolean().default(false).describe('Adds `nb_results`, the matches before limit and offset')
export const nb_results = z.int().optional().describe('The matches before limit and offset, when `count` is true')
