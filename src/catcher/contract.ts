// Schemas of the parameters and replies of the catcher's API.
import * as z from 'zod'
import { count, Json, nb_results, paging } from '#core/http/fields'
import { Time } from '#core/http/time'
import { isAllowedHeader, isBodyless } from './answer.ts'

export const SpaceName = z.string().regex(/^[\w.-]{1,64}$/, 'Must be 1 to 64 of a-z, A-Z, 0-9, _, . and -')

const space = SpaceName.optional().describe(
  'Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default`',
)
const method = z
  .string()
  .regex(/^[\w-]{1,32}$/, 'Must be an HTTP method')
  .toLowerCase()
  .describe('Only requests with this HTTP method, in any case. Default: all methods')
const path = z
  .string()
  .regex(/^[/*]/, 'Must begin with / or be *')
  .max(16_000)
  .describe(
    'Only requests with this path. A `*` at the end matches all paths that begin with the text before it. Default: all',
  )

export const InSpace = z.object({ space })

const filterParams = { space, method: method.optional(), path: path.optional() }

export const LastRequest = z.object({
  ...filterParams,
  wait: z.number().min(0).max(60).default(0).describe('Seconds to wait for a match if there is none yet, 0 to 60'),
})

export const Listing = z.object({ ...filterParams, ...paging(), count })

const RequestId = z.int().describe('Id of the request in its space; later requests have greater ids')

export const ById = z.object({ space, id: RequestId })

export const StreamStart = z.object({
  space,
  last_event_id: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Id after which the stream starts; the header `Last-Event-ID` takes precedence. 0: all stored requests. Default: new requests only',
    ),
})

// Schema of caught headers. Not `z.record`, which would drop a header named `__proto__` when it copies the object.
const Headers = z
  .custom<Record<string, string>>()
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Header values by lowercase name' })
const Query = z.custom<Record<string, string | string[]>>().meta({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  description: 'Query parameters by name; an array if a name repeats',
})

export const CapturedRequest = z.object({
  method: z.string().describe('HTTP method in lowercase'),
  host: z.string().describe('Host without the port'),
  port: z.int().describe('Port of the Host header; 80 or 443 if it has none'),
  path: z.string().describe('Path below the base URL of the catcher, exactly as sent'),
  query: Query,
  json: z.unknown().describe('Body as JSON; null if the body is not JSON'),
  headers: Headers,
  body: z.string().describe('Body as text, or in base64 if it is not UTF-8'),
  body_encoding: z.literal('base64').optional().describe('Set if `body` is in base64'),
  body_truncated: z.literal(true).optional().describe('Set if only the first megabyte of the body was kept'),
  body_size: z.int().optional().describe('Size in bytes of a truncated body, if it is known'),
  id: RequestId,
  created_at: Time.describe('When the request was caught; UTC'),
})
export type CapturedRequest = z.output<typeof CapturedRequest>

export const requestsPage = {
  requests: z.array(CapturedRequest).describe('Requests of the page, the newest first'),
  has_more: z.boolean().describe('Whether more requests follow'),
  nb_results,
}

const HeaderName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'Must be a header name')
const HeaderValue = z.string().regex(/^[\t\x20-\x7e]{0,8000}$/, 'Must be ASCII without control characters')

const reply = {
  status: z.int().min(200).max(599).default(200).describe('HTTP status, 200 to 599'),
  headers: z
    .record(HeaderName, HeaderValue)
    .default({})
    .describe(
      'Headers by name. Headers of the connection or with effect on the whole origin are refused, such as `Content-Length`, `Set-Cookie`, `Service-Worker-Allowed` or `Clear-Site-Data`',
    ),
  body: z.string().optional().describe('Body as text. Not with `json`'),
  json: Json.optional().describe('Body as any JSON. Not with `body`'),
  delay: z
    .int()
    .min(0)
    .max(30_000)
    .default(0)
    .describe('Milliseconds before the reply, 0 to 30000. The request is caught before the delay'),
}

export const NewReply = z
  .object({
    space,
    ...reply,
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Number of requests that get this reply, 1 to 1000000. Default: all'),
    method: method.optional().describe('Only requests with this method get the reply. Default: all methods'),
    path: path
      .optional()
      .describe('Only requests with this path get the reply. A `*` at the end matches a prefix. Default: all paths'),
  })
  .refine(({ body, json }) => body === undefined || json === undefined, {
    path: ['json'],
    error: 'Must not be given together with body',
  })
  .refine(({ status, body, json }) => !isBodyless(status) || (!body && json === undefined), {
    path: ['status'],
    error: 'Must allow a body: replies with 204, 205 or 304 have none',
  })
  .refine(({ headers }) => Object.keys(headers).every(isAllowedHeader), {
    path: ['headers'],
    error:
      'Must not have a header that governs the connection or acts on the whole origin, such as Content-Length, Set-Cookie, Service-Worker-Allowed or Clear-Site-Data',
  })
export type NewReply = Omit<z.output<typeof NewReply>, 'space'>

export const CannedReply = z.object({
  ...reply,
  times: z.int().nullable().describe('Number of requests that get the reply; null: all'),
  remaining: z.int().nullable().describe('Number of requests that will still get the reply; null: all'),
  method: z.string().nullable().describe('Method of the requests that get the reply, in lowercase; null: all'),
  path: z.string().nullable().describe('Path of the requests that get the reply; null: all'),
})
export type CannedReply = z.output<typeof CannedReply>
