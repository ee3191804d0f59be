// Schemas of the parameters and replies of the catcher's API.
import * as z from 'zod'
import { count, nb_results, paging } from '#core/http/fields'
import { Time } from '#core/http/time'

export const SpaceName = z.string().regex(/^[\w.-]{1,64}$/, 'Must be 1 to 64 of a-z, A-Z, 0-9, _, . and -')

export const space = SpaceName.optional().describe(
  'Name of the space; takes precedence over the header `X-Catcher-Space`. Default: `default`',
)
export const method = z
  .string()
  .regex(/^[\w-]{1,32}$/, 'Must be an HTTP method')
  .toLowerCase()
  .describe('Only requests with this HTTP method, in any case. Default: all methods')
export const path = z
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

const bodyEncoding = z.literal('base64').optional().describe('Set if `body` is in base64')

const ForwardedResponse = z.object({
  status: z.int().nullable().describe('HTTP status; null if there was no response'),
  headers: Headers,
  body: z.string().describe('Body as text, or in base64 if it is not UTF-8'),
  body_encoding: bodyEncoding,
  body_truncated: z.literal(true).optional().describe('Set if only the first 500000 bytes of the body were kept'),
  body_size: z.int().describe('Size of the whole body in bytes'),
  duration_ms: z.int().describe('Milliseconds until the end of the response'),
  error: z.string().nullable().describe('Why there was no response; null if there was one'),
})
export type ForwardedResponse = z.output<typeof ForwardedResponse>

export const CapturedRequest = z.object({
  method: z.string().describe('HTTP method in lowercase'),
  host: z.string().describe('Host without the port'),
  port: z.int().describe('Port of the Host header; 80 or 443 if it has none'),
  path: z.string().describe('Path below the base URL of the catcher, exactly as sent'),
  query: Query,
  json: z.unknown().describe('Body as JSON; null if the body is not JSON'),
  headers: Headers,
  body: z.string().describe('Body as text, or in base64 if it is not UTF-8'),
  body_encoding: bodyEncoding,
  body_truncated: z.literal(true).optional().describe('Set if only the first megabyte of the body was kept'),
  body_size: z.int().optional().describe('Size in bytes of a truncated body, if it is known'),
  response: ForwardedResponse.optional().describe(
    'Response of the server to which a stub forwarded the request, as soon as it has answered or failed',
  ),
  id: RequestId,
  created_at: Time.describe('When the request was caught; UTC'),
})
export type CapturedRequest = z.output<typeof CapturedRequest>

export const requestsPage = {
  requests: z.array(CapturedRequest).describe('Requests of the page, the newest first'),
  has_more: z.boolean().describe('Whether more requests follow'),
  nb_results,
}

export const HeaderName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'Must be a header name')
export const HeaderValue = z.string().regex(/^[\t\x20-\x7e]{0,8000}$/, 'Must be ASCII without control characters')
