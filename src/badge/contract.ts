import * as z from 'zod'
import { Failure } from '#core/failure'
import { count, JsonObject, paging, text } from '#core/http/fields'
import { parseText } from '#core/http/json'
import { Time } from '#core/http/time'
import { isName } from './path.ts'

const owner = {
  collection: text(255).meta({
    description: 'Any name; a collection is there with its first badge',
    examples: ['shop'],
  }),
  user: text(255).meta({ examples: ['ann'] }),
}

const Name = text(255)
  .refine(isName, 'Must be 1 to 16 segments between single slashes, the first not _all')
  .meta({
    description: 'A path: a/b/c is also counted, found and deleted under a/b and a',
    examples: ['inbox/mail'],
  })

const object = 'Must be a JSON object, or the text of one'

const JsonText = z.string().transform((text, { issues }) => {
  try {
    const value = parseText(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  } catch (error) {
    if (!Failure.is(error)) throw error
  }
  issues.push({ code: 'custom', input: text, message: object })
  return z.NEVER
})

const Payload = z.union([JsonObject, JsonText], object).default('{}').describe('A JSON object, or the text of one')

export const NewBadge = z.object({ ...owner, name: Name, payload: Payload })
export type NewBadge = z.output<typeof NewBadge>

const Id = z.int().describe('Identity of the badge')

export const Badge = z.object({
  id: Id,
  name: z.string(),
  user: z.string(),
  payload: JsonObject,
  created_at: Time,
})

export const BadgeOf = z.object({ ...owner, id: Id })
export type BadgeOf = z.output<typeof BadgeOf>

export const BadgesOf = z.object({ ...owner, name: Name.optional() })
export type BadgesOf = z.output<typeof BadgesOf>

export const deletion = { deleted: z.int() }

export const BadgeFilter = BadgesOf.extend({ count, ...paging() })
export type BadgeFilter = z.output<typeof BadgeFilter>

const page = { after: text(255).optional().describe('Only names after this one'), limit: paging().limit }

export const CollectionsOf = z.object(page)
export type CollectionsOf = z.output<typeof CollectionsOf>

export const UsersOf = z.object({ collection: owner.collection, ...page })
export type UsersOf = z.output<typeof UsersOf>

export const ListedCollection = z.object({ name: z.string() })
export const ListedUser = z.object({ user: z.string(), count: z.int().describe('Badges in the collection') })

const Names = z
  .union([z.string(), z.array(z.string())], {
    error: ({ input }) => (input === undefined ? 'Is required' : undefined),
  })
  .transform(namesIn)
  .pipe(z.array(text(255)).min(1, 'Needs one name at least').max(1_000))
  .meta({
    description: 'Names, or a comma-separated list of names; _all counts all badges',
    examples: ['_all,inbox'],
  })

/** The items of an array, or of a comma-separated list, whose items are trimmed; none of them empty. */
function namesIn(given: string | string[]): string[] {
  const names = Array.isArray(given) ? given : given.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

export const CountersOf = z.object({ ...owner, names: Names })
export type CountersOf = z.output<typeof CountersOf>

// A record of Zod's leaves out a name such as `__proto__`.
export const Counters = z
  .custom<Record<string, number>>()
  .meta({ type: 'object', additionalProperties: { type: 'integer' } })
