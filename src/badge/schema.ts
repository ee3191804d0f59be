// Tables of the badges, for D1 and Postgres: one row for each badge, and one counter for each path of a user.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, time, index, primaryKey }) => {
  const owner = { collection: text().notNull(), user: text().notNull() }

  const badges = table(
    'badge_badges',
    {
      id: id(),
      ...owner,
      // The name of the badge in its stored form, the result of `pathOf`.
      path: text().notNull(),
      payload: text().notNull(),
      created_at: time().notNull(),
    },
    (t) => [
      index('badge_badges_id').on(t.collection, t.user, t.id),
      index('badge_badges_path').on(t.collection, t.user, t.path, t.id),
      index('badge_badges_created_at').on(t.created_at),
    ],
  )

  // The number of badges at or below each path. On Postgres, writers lock the user's row of the empty path, so that writes of one
  // user run one after another.
  const counters = table('badge_counters', { ...owner, path: text().notNull(), count: integer().notNull() }, (t) => [
    primaryKey({ columns: [t.collection, t.user, t.path] }),
  ])

  return { badges, counters }
})

export type BadgeStore = StoreOf<typeof schema>
