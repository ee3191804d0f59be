// Schemas of the parameters and replies of `access`.
import * as z from 'zod'
import { parseScope } from '#core/access/scopes'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { manifests } from '#manifests'

const components = ['gateway', ...manifests.map(({ name }) => name)]

const bindableNames = [...new Set(manifests.flatMap(({ bindable = [] }) => bindable))].sort()

const Component = z
  .string()
  .refine((name) => components.includes(name), `Must be the name of a component: ${components.join(', ')}`)

/** Longest lifetime of a token in seconds. */
export const maxTokenLifetimeS = 86_400

const Scope = text(64).refine(
  (scope) => {
    const parsed = parseScope(scope)
    return parsed && (parsed.component === '*' || components.includes(parsed.component))
  },
  `Must be *, *:<level>, <component>:<level> or <component>:*. The levels are read, write, manage and metrics, the components ${components.join(', ')}`,
)

const Scopes = z
  .array(Scope)
  .min(1)
  .max(50)
  .meta({
    description:
      'What the holder may do, 1 to 50 scopes: `<component>:<level>`, `<component>:*`, `*:<level>` or `*`. `write` includes `read`, `manage` includes both, `metrics` stands alone',
    examples: [['feed:read', 'badge:read']],
  })

const Bounds = z
  .record(
    z
      .string()
      .refine(
        (name) => bindableNames.includes(name),
        `Is no name of a bound: the names are ${bindableNames.join(', ')}`,
      ),
    text(255).min(1),
  )
  .meta({
    description: `Values that parameters must have, by the name of the parameter. Names: ${bindableNames.map((name) => `\`${name}\``).join(', ')}. Operations that cannot be restricted by all bounds are refused`,
    examples: [{ collection: 'news', recipient: 'ann' }],
  })

const Id = z
  .string()
  .regex(/^[0-9a-f]{24}$/, 'Must be the id of a key, 24 hexadecimal digits')
  .describe('Id of the key')

const Secret = z
  .string()
  .describe('The key to send as `Authorization: Bearer`. It is stored as a hash only, and not shown again')

export const NewKey = z.object({
  name: text(64)
    .min(1)
    .meta({ description: 'Unique name, 1 to 64 characters. It says who uses the key', examples: ['prometheus'] }),
  scopes: Scopes,
  bounds: Bounds.default({}),
  expires_at: Time.optional().describe('Time from which the key is refused. Default: never'),
  requests_per_minute: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Maximum requests per minute of the key and its tokens together. Default: no limit'),
})
export type NewKey = z.output<typeof NewKey>

export const Key = z.object({
  id: Id,
  name: z.string().describe('Name of the key'),
  scopes: z.array(z.string()).describe('What the key may do'),
  bounds: z.record(z.string(), z.string()).describe('Values that parameters must have'),
  expires_at: Time.optional().describe('Time from which the key is refused. Absent: never'),
  requests_per_minute: z.int().optional().describe('Maximum requests per minute. Absent: no limit'),
  created_at: Time.describe('Time of creation'),
  last_used_at: Time.optional().describe('Minute of the last use. Absent: never used'),
  parent_id: Id.optional().describe(
    'Id of the key that created this one, itself or with a token. This key ends with it. Absent: `AUTH_TOKENS` did',
  ),
})
export type Key = z.output<typeof Key>

export const created = { key: Key.describe('The key'), secret: Secret }

export const KeyList = z.object({
  after: text(64).optional().describe('Exclusive cursor: returns keys with names after this one'),
  limit: z.int().min(1).max(1_000).default(100).describe('Maximum number of keys to return'),
})
export type KeyList = z.output<typeof KeyList>

export const KeyOf = z.object({ id: Id })
export type KeyOf = z.output<typeof KeyOf>

export const deletion = {
  deleted: z.int().describe('Number of deleted keys: the key, and those that it created, itself and through others'),
}

export const Rotation = z.object({
  id: Id,
  overlap: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .describe('Seconds for which the previous secret stays valid, at most a week. Default: 0'),
  end_overlaps: z
    .boolean()
    .default(false)
    .describe(
      'Ends now the overlaps of earlier rotations, whose secrets are valid until then otherwise. Default: false',
    ),
})
export type Rotation = z.output<typeof Rotation>

export const rotated = { secret: Secret }

export const NewToken = z.object({
  scopes: Scopes.optional().describe('What the token may do, 1 to 50 scopes. Default: all scopes of the caller'),
  bounds: Bounds.default({}),
  lifetime: z
    .int()
    .min(60)
    .max(maxTokenLifetimeS)
    .default(3_600)
    .describe(
      'Seconds until the token expires, 60 to 86400. Default: an hour. A token expires with its key at the latest',
    ),
  origins: z
    .array(
      z
        .string()
        .max(255)
        .refine((origin) => URL.parse(origin)?.origin === origin, 'Must be an origin such as https://app.example.com'),
    )
    .min(1)
    .max(20)
    .optional()
    .meta({
      description: 'Origins of the pages that may use the token. Default: all',
      examples: [['https://app.example.com']],
    }),
})
export type NewToken = z.output<typeof NewToken>

export const issued = {
  token: z.string().describe('The token to send as `Authorization: Bearer`'),
  expires_at: Time.describe('Time from which the token is refused'),
}

const cursorPattern = /^(\d{4}-\d\d-\d\d)\.([a-z][a-z0-9-]{0,63})\.(\d{1,15})\.(\d{1,4})$/

/** A row's place in the audit log: its day, its component, its batch, and its number in the batch. */
const AuditCursor = z.codec(
  z.string().regex(cursorPattern, 'Must be `next` of the previous page'),
  z.object({ date: z.string(), component: z.string(), seq: z.int(), index: z.int() }),
  {
    decode: (text) => {
      const [, date = '', component = '', seq, index] = cursorPattern.exec(text) ?? []
      return { date, component, seq: Number(seq), index: Number(index) }
    },
    encode: ({ date, component, seq, index }) => `${date}.${component}.${seq}.${index}`,
  },
)
export type AuditCursor = z.output<typeof AuditCursor>

export const AuditList = z.object({
  component: Component.optional().describe('Only calls of this component. Default: all'),
  from: Time.optional().describe('Only calls from this time on. Default: from the beginning of the log'),
  to: Time.optional().describe('Only calls before this time. Default: until now'),
  key: text(128)
    .optional()
    .describe(
      'Only calls with this `key`: the id of a key, `root`, `none`, `proof`, or `service:` and the name of a component',
    ),
  operation: text(200)
    .optional()
    .meta({
      description: 'Only calls of this operation, exactly as in the rows: method and path',
      examples: ['DELETE /feed/record'],
    }),
  after: AuditCursor.optional().describe('Exclusive cursor: `next` of the previous page. Default: the first page'),
  limit: z.int().min(1).max(1_000).default(100).describe('Maximum number of rows to return'),
})
export type AuditList = z.output<typeof AuditList>

const AuditEntry = z.object({
  at: Time.describe('Time of the reply'),
  component: z.string().describe('Component that was called'),
  key: z
    .string()
    .describe(
      'The caller: the id of a key, also for its tokens; `root` for `AUTH_TOKENS`; `none` on an open deployment; `proof` for a secret or signature of the component, such as `Api-Secret` of the bus; `service:` and the name of a component',
    ),
  operation: z.string().describe('Method and path of the operation'),
  object: z
    .string()
    .optional()
    .describe(
      'Id, digest or name that the call passed. Absent: none, or it could be personal. Of the erasure or export of a person: an HMAC of the person',
    ),
  request_id: z.string().describe('`X-Request-Id` of the request'),
  status: z.int().describe('Status of the reply. 403: the call was refused'),
  address: z.string().optional().describe('Address of the client. Absent for calls of other components'),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const auditPage = {
  rows: z
    .array(AuditEntry)
    .describe('Rows of the page. A page may have fewer rows than `limit`, or none, before the last page'),
  next: AuditCursor.optional().describe('Cursor for `after` of the next page; missing on the last page'),
}

export const AuditDayOf = z.object({
  component: Component.describe('Component whose log is verified'),
  date: z.iso.date('Must be a date: YYYY-MM-DD').meta({ description: 'Day in UTC', examples: ['2026-01-31'] }),
})
export type AuditDayOf = z.output<typeof AuditDayOf>

export const verified = {
  audit: z
    .object({
      rows: z.int().describe('Number of rows'),
      gaps: z
        .int()
        .describe('Number of batches, of up to 100 rows each, that components have numbered and the log does not have'),
      valid: z
        .boolean()
        .describe('Whether no stored row was changed or removed, and the log was not replaced by another one'),
    })
    .describe('The log is complete if it is valid and has no gaps'),
}
