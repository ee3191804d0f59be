// Declares the endpoints of the badges: counts of unread items beside icons, by hierarchical names.
import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { addBadge, deleteBadge, deleteBadges, listBadges } from './badges.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { readCounters } from './counters.ts'
import { expiryCutoff } from './env.ts'
import { errors } from './errors.ts'
import { listCollections, listUsers } from './owners.ts'
import { schema } from './schema.ts'

const bindable = ['collection', 'user'] as const

export const badge = api<Env, keyof typeof errors>({
  name: 'badge',
  errors,
  title: 'Badges',
  description: `Counts of unread items beside icons. A badge belongs to a user in a collection and has a name with segments, such as \`inbox/mail\`. \
Counters have the number of badges at and below each name: two badges \`inbox/mail\` and one \`inbox/call\` make \`inbox\` 3.

Counters are updated with each write, so reading them costs the same for ten badges as for a million. Badges expire if BADGES_LIFETIME is set.`,
  probes: (env) => ({ database: async () => ping(env) }),
  prepare: async (env) => {
    // Checks `BADGES_LIFETIME` before any request is served, so that every request gets 503 if the variable is invalid.
    expiryCutoff(env, new Date())
  },
})
  .post(
    '/badge',
    {
      level: 'write',
      adds: true,
      summary: 'Add a badge',
      description:
        'Adds a badge to a user, and increases the counters of its name and of all names above by 1. Each call adds a badge: after two equal calls, the counters are 2. A repeat with the same `Idempotency-Key` adds no second badge. The collection and the user need not exist. The reply has no content; `GET /badges` returns the `id` of the badge.',
      params: wire.NewBadge,
      bindable,
      status: 201,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => {
      await markPointOfNoReturn()
      await addBadge(open(env, schema), params, new Date())
    },
  )

  .delete(
    '/badge',
    {
      level: 'write',
      summary: 'Delete one badge',
      description:
        'Deletes the badge with the `id` that `GET /badges` returns, and decreases the counters of its name and of all names above by 1. Other badges of the same name stay. 404 `badge_not_found` if the user has no such badge in the collection.',
      params: wire.BadgeOf,
      bindable,
      errors: ['badge_not_found'],
    },
    async ({ env, params }) => deleteBadge(open(env, schema), params),
  )

  .getOrPost(
    '/badges',
    {
      level: 'read',
      summary: 'List badges',
      description:
        'Returns the badges of a user in a collection, or only those at or below `name`, newest first. Expired badges are left out. A page ends early at 8 MB; the reply then has `has_more`. An unknown collection or user has no badges: the list is empty.',
      params: wire.BadgeFilter,
      bindable,
      reply: { badges: z.array(wire.Badge).describe('Badges of the page, newest first'), nb_results, has_more },
    },
    ({ env, params }) => listBadges(open(env, schema), params, expiryCutoff(env, new Date())),
  )

  .delete(
    '/badges',
    {
      level: 'manage',
      summary: 'Delete badges',
      description:
        'Deletes the badges at or below `name`, or without `name` all badges of the user in the collection. The counters of all names are correct when this call returns. If there are no such badges, `deleted` is 0.',
      params: wire.BadgesOf,
      bindable,
      reply: wire.deletion,
    },
    async ({ env, params }) => ({ deleted: await deleteBadges(open(env, schema), params) }),
  )

  .getOrPost(
    '/counters',
    {
      level: 'read',
      summary: 'Get the counters of a user',
      description:
        'Returns the number of badges of the user at or below each name; 0 for a name without badges, also if the collection or the user is unknown. Expired badges are subtracted within a minute.',
      params: wire.CountersOf,
      bindable,
      reply: { counters: wire.Counters },
    },
    async ({ env, params }) => ({ counters: await readCounters(open(env, schema), params) }),
  )

  .get(
    '/collections',
    {
      level: 'read',
      summary: 'List collections',
      description:
        'Returns the collections that have badges, sorted by name. Pass the last name of a page as `after` for the next page.',
      params: wire.CollectionsOf,
      reply: { collections: z.array(wire.ListedCollection).describe('Collections, sorted by name') },
    },
    async ({ env, params }) => ({ collections: await listCollections(open(env, schema), params) }),
  )

  .getOrPost(
    '/users',
    {
      level: 'read',
      summary: 'List users of a collection',
      description:
        'Returns the users that have badges in the collection, sorted by name, with their number of badges. An unknown collection has no users. Pass the last name of a page as `after` for the next page.',
      params: wire.UsersOf,
      bindable: ['collection'],
      reply: { users: z.array(wire.ListedUser).describe('Users, sorted by name') },
    },
    async ({ env, params }) => ({ users: await listUsers(open(env, schema), params) }),
  )
