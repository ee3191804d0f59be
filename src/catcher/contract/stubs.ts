// Schemas of stubs: which requests they match, and the replies that they send.
import * as z from 'zod'
import { Json } from '#core/http/fields'
import { Time } from '#core/http/time'
import { HeaderName, HeaderValue, method, path, space } from '../contract.ts'
import { objectionToPattern } from '../path-pattern.ts'
import { isAllowedHeader, isBodyless } from '../reply-headers.ts'

const PathPattern = z
  .string()
  .regex(/^[/*]/, 'Must begin with / or be *')
  .max(2_000)
  .superRefine((pattern, { addIssue }) => {
    const message = objectionToPattern(pattern)
    if (message) addIssue({ code: 'custom', message })
  })

const maxExpectations = 50
const isShort = (expected: object) => Object.keys(expected).length <= maxExpectations
const tooMany = { error: `Must have at most ${maxExpectations} names` }

const Text = z.string().max(8_000)

/** Which requests a stub or a verification selects: those that fulfil all conditions. */
export const RequestMatch = z.strictObject({
  method: method.optional(),
  path: PathPattern.optional().describe(
    'Pattern of the path, as of `URLPattern`: `:name` matches a segment or a part of one, `*` any text. At most one of them in each segment, and one `*`. A backslash before a special character makes it literal. Default: all paths',
  ),
  query: z
    .record(Text, z.union([Text, z.boolean(), z.array(Text).max(100)]))
    .refine(isShort, tooMany)
    .optional()
    .describe(
      'Values by query parameter: a text, which one of its values must be, and whose `*` at the end matches a prefix; an array of all its values in order; true for any value; false for an absent parameter',
    ),
  headers: z
    .record(HeaderName, z.union([Text, z.boolean()]))
    .refine(isShort, tooMany)
    .optional()
    .describe(
      'Values by header name, in any case: a text, whose `*` at the end matches a prefix; true for any value; false for an absent header. Masked values do not match',
    ),
  json: Json.optional().describe(
    'Part of the JSON body: objects may have more keys than here; arrays must have the same length, and other values must be equal',
  ),
})
export type RequestMatch = z.output<typeof RequestMatch>

export const match = RequestMatch.default({}).describe(
  'Conditions that a request must fulfil, all of them. Default: all requests',
)

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

interface Consistent {
  status: number
  headers: Record<string, string>
  body?: string | undefined
  json?: string | undefined
}

/** Adds the rules that a reply must fulfil as a whole. */
const consistent = <Schema extends z.ZodType<Consistent>>(schema: Schema): Schema =>
  schema
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

const times = z.int().min(1).max(1_000_000)

export const NewReply = consistent(
  z.object({
    space,
    ...reply,
    times: times.optional().describe('Number of requests that get this reply, 1 to 1000000. Default: all'),
    method: method.optional().describe('Only requests with this method get the reply. Default: all methods'),
    path: path
      .optional()
      .describe('Only requests with this path get the reply. A `*` at the end matches a prefix. Default: all paths'),
  }),
)
export type NewReply = Omit<z.output<typeof NewReply>, 'space'>

const remaining = z.int().nullable().describe('Number of requests that will still get a reply; null: all')

export const CannedReply = z.object({
  ...reply,
  times: z.int().nullable().describe('Number of requests that get the reply; null: all'),
  remaining,
  method: z.string().nullable().describe('Method of the requests that get the reply, in lowercase; null: all'),
  path: z.string().nullable().describe('Path of the requests that get the reply; null: all'),
})
export type CannedReply = z.output<typeof CannedReply>

const stubReply = {
  ...reply,
  slow_ms: z
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe('Milliseconds over which the body is sent in small parts, after the delay: 0 to 60000'),
  cut_after: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'Bytes of the body after which the connection breaks, 0 to 1000000. The sender gets status and headers. Default: the reply is complete',
    ),
}

/** A reply of a stub. Text in its body, JSON strings and header values may have Liquid templates. */
export const StubReply = z.object(stubReply)
export type StubReply = z.output<typeof StubReply>

const StubId = z.int().min(1).describe('Id of the stub in its space; later stubs have greater ids')

const newStub = {
  space,
  priority: z
    .int()
    .min(0)
    .max(9)
    .default(5)
    .describe(
      'Priority, 0 to 9: of the stubs that match a request, the one with the greatest priority answers; of equal ones, the newest',
    ),
  match,
  replies: z
    .array(
      consistent(z.strictObject(stubReply)).refine(
        ({ status, cut_after, slow_ms }) => !isBodyless(status) || (cut_after === undefined && slow_ms === 0),
        { path: ['status'], error: 'Must allow a body, which slow_ms and cut_after need' },
      ),
    )
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Replies in sequence, 1 to 50, unless `forward` is given: the first matching request gets the first one, and so on. After the last one, each request gets the last one. Bodies, JSON strings and header values are Liquid templates with the value `request`',
    ),
  forward: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      'URL to which the catcher forwards the request; the sender gets the response, which is stored with the request. A path that ends in `/` is a base URL, to which the path of the request is appended. The query of the request is appended to both',
    ),
  times: times
    .optional()
    .describe(
      'Number of requests that this stub answers, 1 to 1000000. After them it matches no request. Default: all',
    ),
}

export const NewStub = z
  .object(newStub)
  .refine(({ replies, forward }) => (replies === undefined) !== (forward === undefined), {
    path: ['replies'],
    error: 'Must be given, or else forward, but not both',
  })
export type NewStub = Omit<z.output<typeof NewStub>, 'space'>

export const StubCreated = z.object({ id: StubId })

export const Stub = z.object({
  id: StubId,
  priority: z.int().describe('Priority, 0 to 9'),
  match: RequestMatch.describe('Conditions that a request must fulfil, all of them'),
  replies: z.array(StubReply).describe('Replies in sequence; empty if the stub forwards requests'),
  forward: z.string().nullable().describe('URL to which requests are forwarded; null: the stub has replies'),
  times: z.int().nullable().describe('Number of requests that the stub answers; null: all'),
  remaining,
  used: z.int().describe('Number of requests that the stub has answered'),
  created_at: Time.describe('When the stub was created; UTC'),
})
export type Stub = z.output<typeof Stub>

export const StubSelection = z.object({
  space,
  id: StubId.optional().describe('Id of the stub to delete. Default: all stubs of the space'),
})
