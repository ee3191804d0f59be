// Schemas of the parameters and replies of the API of the badges.
import * as z from 'zod'
import { Failure } from '#core/failure'
import { count, JsonObject, paging, StoredJson, text } from '#core/http/fields'
import { parseText } from '#core/http/json'
import { Time } from '#core/http/time'
import { isName } from './path.ts'

const owner = {
  collection: text(255).meta({
    description:
      'Name of the collection, at most 255 characters. A collection exists from its first badge on, without being created',
    examples: ['shop'],
  }),
  user: text(255).meta({ description: 'User of the badges, at most 255 characters', examples: ['ann'] }),
}

const Name = text(255)
  .refine(isName, 'Must be 1 to 16 segments separated by single slashes, the first one not _all')
  .meta({
    description:
      'Path of 1 to 16 segments with slashes between them, at most 255 characters. A badge at `a/b/c` is also counted, listed and deleted under `a/b` and `a`',
    examples: ['inbox/mail'],
  })

const notAnObject = 'Must be a JSON object, or a string that contains one'

const JsonText = z
  .string()
  .transform((text, { issues }) => {
    try {
      const value = parseText(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
    } catch (error) {
      if (!Failure.is(error)) throw error
    }
    issues.push({ code: 'custom', input: text, message: notAnObject })
    return z.NEVER
  })
  .pipe(StoredJson)

const Payload = z
  .union([JsonObject, JsonText], notAnObject)
  .default('{}')
  .describe('JSON object of at most 1 000 000 bytes, or a string that contains one. Default: `{}`')

export const NewBadge = z.object({ ...owner, name: Name, payload: Payload })
export type NewBadge = z.output<typeof NewBadge>

const Id = z.int().describe('Id of the badge, which `GET /badges` returns')

export const Badge = z
  .object({
    id: Id,
    name: z.string().describe('Name of the badge'),
    user: z.string().describe('User of the badge'),
    payload: JsonObject.describe('Payload that was passed with the badge'),
    created_at: Time.describe('Time of creation in UTC'),
  })
  .describe('A badge')

export const BadgeOf = z.object({ ...owner, id: Id })
export type BadgeOf = z.output<typeof BadgeOf>

export const BadgesOf = z.object({
  ...owner,
  name: Name.optional().describe(
    'Only badges at or below this name. Default: all badges of the user in the collection',
  ),
})
export type BadgesOf = z.output<typeof BadgesOf>

export const deletion = { deleted: z.int().describe('Number of deleted badges') }

export const BadgeFilter = BadgesOf.extend({ count, ...paging() })
export type BadgeFilter = z.output<typeof BadgeFilter>

const page = {
  after: text(255).optional().describe('Exclusive cursor: returns names after this one. Default: the first name'),
  limit: paging().limit,
}

export const CollectionsOf = z.object(page)
export type CollectionsOf = z.output<typeof CollectionsOf>

export const UsersOf = z.object({ collection: owner.collection, ...page })
export type UsersOf = z.output<typeof UsersOf>

export const ListedCollection = z
  .object({ name: z.string().describe('Name of the collection') })
  .describe('A collection')
export const ListedUser = z
  .object({
    user: z.string().describe('Name of the user'),
    count: z.int().describe('Number of badges of the user in the collection'),
  })
  .describe('A user with badges')

const Names = z
  .union([z.string(), z.array(z.string())], {
    error: ({ input }) => (input === undefined ? 'Is required' : undefined),
  })
  .meta({ examples: ['_all,inbox'] })
  .transform(namesIn)
  .pipe(z.array(text(255)).min(1, 'Must have at least one name').max(1_000))
  .describe('1 to 1000 names, as an array or separated by commas. `_all` counts all badges of the user')

/** Returns the non-empty names of an array or of a comma-separated list. */
function namesIn(list: string | string[]): string[] {
  const names = Array.isArray(list) ? list : list.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

export const CountersOf = z.object({ ...owner, names: Names })
export type CountersOf = z.output<typeof CountersOf>

// A custom schema, since `z.record` would drop a counter with a name such as `__proto__`.
export const Counters = z.custom<Record<string, number>>().meta({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'Number of badges at or below each name, by name',
})
