import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import type { NotificationFilter } from './contract.ts'
import { byField, fields } from './fields.ts'
import type { Notifications } from './schema.ts'

/** A page of templates, the newest first, cut where it would be too large. */
export async function listNotifications(
  store: Notifications,
  { limit, offset, count: isCounted, ...filter }: NotificationFilter,
) {
  const { db, notifications } = store
  const chosen = matching(store, filter)
  const columns = columnsOf(store)
  const { size } = columns
  const page = db
    .select({ ...columns, ...byField((field) => textIfFits(size, limit, notifications[field])) })
    .from(notifications)
    .where(chosen)
    .orderBy(desc(notifications.id))
    .limit(limit)
    .offset(offset)
  const total = db.select({ nb_results: count() }).from(notifications).where(chosen)
  const [found, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  const { rows, isCut } = await fillPage(found, limit, (ids) =>
    db
      .select({ ...columns, ...byField((field) => sql<string | null>`${notifications[field]}`) })
      .from(notifications)
      .where(inArray(notifications.id, ids)),
  )
  return { notifications: rows, ...(isCut && { has_more: true as const }), ...counted }
}

/** What a page has of a template besides its texts. */
const columnsOf = ({ notifications }: Notifications) => ({
  id: notifications.id,
  name: notifications.name,
  description: notifications.description,
  code: notifications.code,
  has_email: notifications.has_email,
  has_sms: notifications.has_sms,
  has_feed: notifications.has_feed,
  variables: notifications.variables,
  created_at: notifications.created_at,
  updated_at: notifications.updated_at,
  size: sizeOf(...fields.map((field) => notifications[field])),
})

type Filter = Omit<NotificationFilter, 'limit' | 'offset' | 'count'>

function matching({ notifications, kit }: Notifications, { name, code, has_email, has_sms, has_feed }: Filter) {
  return and(
    name ? kit.contains(notifications.lower_name, name.toLowerCase()) : undefined,
    code ? eq(notifications.code, code) : undefined,
    has_email === undefined ? undefined : eq(notifications.has_email, has_email),
    has_sms === undefined ? undefined : eq(notifications.has_sms, has_sms),
    has_feed === undefined ? undefined : eq(notifications.has_feed, has_feed),
  )
}
