import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { has_more, nb_results } from '#core/http/fields'
import { addBadge, deleteBadge, deleteBadges, listBadges } from './badges.ts'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { readCounters } from './counters.ts'
import { horizonOf } from './env.ts'
import { errors } from './errors.ts'
import { listCollections, listUsers } from './owners.ts'
import { schema } from './schema.ts'

export const badge = api<Env, keyof typeof errors>({
  name: 'badge',
  errors,
  title: 'Badges',
  description: 'Named badges of users, and how many there are under each name.',
  probes: (env) => ({ database: async () => ping(env) }),
  prepare: async (env) => {
    // Refuses a lifetime that cannot be read before it serves anything.
    horizonOf(env, new Date())
  },
})
  .post(
    '/badge',
    {
      adds: true,
      summary: 'Add a badge',
      description:
        'Equal badges are separate: adding one twice counts two. With an `Idempotency-Key` a retry adds none.',
      params: wire.NewBadge,
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
      summary: 'Delete one badge',
      description: 'Deletes the badge with this `id` of `GET /badges`, and no other one of the same name.',
      params: wire.BadgeOf,
      errors: ['badge_not_found'],
    },
    async ({ env, params }) => deleteBadge(open(env, schema), params),
  )

  .get(
    '/badges',
    {
      summary: 'List badges, the newest first',
      params: wire.BadgeFilter,
      reply: { badges: z.array(wire.Badge), nb_results, has_more },
    },
    ({ env, params }) => listBadges(open(env, schema), params, horizonOf(env, new Date())),
  )

  .delete(
    '/badges',
    {
      summary: 'Delete badges',
      description: 'Those at or below the name; without it all that the user has in the collection.',
      params: wire.BadgesOf,
      reply: wire.deletion,
    },
    async ({ env, params }) => ({ deleted: await deleteBadges(open(env, schema), params) }),
  )

  .get(
    '/counters',
    { summary: 'Count badges by name', params: wire.CountersOf, reply: { counters: wire.Counters } },
    async ({ env, params }) => ({ counters: await readCounters(open(env, schema), params) }),
  )

  .get(
    '/collections',
    {
      summary: 'List the collections that have badges, by their names',
      params: wire.CollectionsOf,
      reply: { collections: z.array(wire.ListedCollection) },
    },
    async ({ env, params }) => ({ collections: await listCollections(open(env, schema), params) }),
  )

  .get(
    '/users',
    {
      summary: 'List the users who have badges in a collection, by their names',
      description: 'A collection that nobody has badges in has none.',
      params: wire.UsersOf,
      reply: { users: z.array(wire.ListedUser) },
    },
    async ({ env, params }) => ({ users: await listUsers(open(env, schema), params) }),
  )
