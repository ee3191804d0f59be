// Schemas of the parameters and replies of `access`.
import * as z from 'zod'
import { parseScope } from '#core/access/scopes'
import { text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { manifests } from '#manifests'

const components = ['gateway', ...manifests.map(({ name }) => name)]

const bindableNames = [...new Set(manifests.flatMap(({ bindable = [] }) => bindable))].sort()

/** Longest lifetime of a token in seconds. */
export const maxTokenLifetimeS = 86_400

const Scope = text(64).refine((scope) => {
  const parsed = parseScope(scope)
  return parsed && (parsed.component === '*' || components.includes(parsed.component))
}, 'Must be *, *:<level>, <component>:<level> or <component>:*, with a component of this deployment and a level of read, write, manage and metrics')

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
    z.string().refine((name) => bindableNames.includes(name), `Must be one of ${bindableNames.join(', ')}`),
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

export const Rotation = z.object({
  id: Id,
  overlap: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .describe('Seconds for which the previous secret stays valid, at most a week. Default: 0'),
})
export type Rotation = z.output<typeof Rotation>

export const rotated = { secret: Secret }

export const NewToken = z.object({
  scopes: Scopes,
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
