import * as z from 'zod'
import { count, Json, nb_results, paging } from '#core/http/fields'
import { Time } from '#core/http/time'
import { isAllowedHeader, isBodyless } from './answer.ts'

export const SpaceName = z.string().regex(/^[\w.-]{1,64}$/, 'Must be 1 to 64 of a-z, A-Z, 0-9, _, . and -')

const space = SpaceName.optional().describe('In place of the header `X-Catcher-Space`')
const method = z
  .string()
  .regex(/^[\w-]{1,32}$/, 'Must be a method')
  .toLowerCase()
const path = z
  .string()
  .regex(/^[/*]/, 'Must begin with / or be *')
  .max(16_000)
  .describe('As captured; with `*` at its end, all that begin with what is before it')

export const InSpace = z.object({ space })

const Looked = { space, method: method.optional(), path: path.optional() }

export const Awaited = z.object({
  ...Looked,
  wait: z.number().min(0).max(60).default(0).describe('Seconds to wait for a match, when there is none yet'),
})

export const Listed = z.object({ ...Looked, ...paging(), count })

export const ById = z.object({ space, id: z.int() })

export const Followed = z.object({
  space,
  last_event_id: z.int().min(0).optional().describe('Where to go on, in place of the header `Last-Event-ID`; 0: all'),
})

// Not records of zod's own, which would make copies without a key `__proto__`.
const Headers = z
  .custom<Record<string, string>>()
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'By lowercase name' })
const Query = z.custom<Record<string, string | string[]>>().meta({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  description: 'An array where a key repeats',
})

export const CapturedRequest = z.object({
  method: z.string().describe('Lowercase'),
  host: z.string().describe('Without the port'),
  port: z.int(),
  path: z.string().describe('As sent, below the base URL'),
  query: Query,
  json: z.unknown().describe('The body where it is JSON, else null'),
  headers: Headers,
  body: z.string().describe('As sent; base64 where it is not UTF-8'),
  body_encoding: z.literal('base64').optional(),
  body_truncated: z.literal(true).optional().describe('Only the first megabyte is kept'),
  body_size: z.int().optional().describe('Of a truncated body, in bytes, where it is known'),
  id: z.int(),
  created_at: Time,
})
export type CapturedRequest = z.output<typeof CapturedRequest>

export const requestsPage = { requests: z.array(CapturedRequest), has_more: z.boolean(), nb_results }

const HeaderName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'Must be the name of a header')
const HeaderValue = z.string().regex(/^[\t\x20-\x7e]{0,8000}$/, 'Must be ASCII without control characters')

const reply = {
  status: z.int().min(200).max(599).default(200),
  headers: z
    .record(HeaderName, HeaderValue)
    .default({})
    .describe(
      'None that governs the connection or acts on the whole origin, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`',
    ),
  body: z.string().optional(),
  json: Json.optional().describe('In place of `body`: any JSON'),
  delay: z.int().min(0).max(30_000).default(0).describe('Milliseconds before the reply; the request is caught before'),
}

export const NewReply = z
  .object({
    space,
    ...reply,
    times: z.int().min(1).max(1_000_000).optional().describe('How many requests it answers; no end unless given'),
    method: method.optional().describe('Answers requests of this method only'),
    path: path.optional().describe('Answers requests of this path only; `*` at its end as elsewhere'),
  })
  .refine(({ body, json }) => body === undefined || json === undefined, {
    path: ['json'],
    error: 'Goes without `body`',
  })
  .refine(({ status, body, json }) => !isBodyless(status) || (!body && json === undefined), {
    path: ['status'],
    error: 'Has no body',
  })
  .refine(({ headers }) => Object.keys(headers).every(isAllowedHeader), {
    path: ['headers'],
    error:
      'Must not have a header that governs the connection or acts on the whole origin, such as Content-Length, Set-Cookie, Service-Worker-Allowed or Clear-Site-Data',
  })
export type NewReply = Omit<z.output<typeof NewReply>, 'space'>

export const CannedReply = z.object({
  ...reply,
  times: z.int().nullable().describe('Null: no end'),
  remaining: z.int().nullable().describe('Of `times`'),
  method: z.string().nullable(),
  path: z.string().nullable(),
})
export type CannedReply = z.output<typeof CannedReply>
