// Database operations on notification templates: create, change, find, delete and list. Sent notifications are not stored.

import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { fillPage, sizeOf, textIfFits } from '#core/db/page'
import { invalidParameters } from '#core/failure'
import { textFields } from '#core/messages/text-fields'
import type { NewNotification, NotificationBy, NotificationChanges, NotificationFilter } from './contract.ts'
import { failure, missing } from './errors.ts'
import { byField } from './fields.ts'
import type { Notifications } from './schema.ts'
import { type StoredTexts, variablesOf } from './texts.ts'

/** A row of the table of templates. */
type Row = Notifications['notifications']['$inferSelect']

/** Creates a template. Throws 400 if a channel lacks its texts, and 409 if the code is taken. */
export async function createNotification({ db, notifications }: Notifications, values: NewNotification, now: Date) {
  const texts = byField((field) => values[field] ?? null)
  checkChannels({ ...values, ...texts })
  const variables = JSON.stringify(variablesOf(texts))
  const times = { created_at: now, updated_at: now }
  const row = {
    ...values,
    ...normalizedDescription(values),
    name: values.name,
    lower_name: lower(values.name),
    ...texts,
    variables,
  }
  const [created] = await db
    .insert(notifications)
    .values({ ...row, version: 1, ...times })
    .onConflictDoNothing()
    .returning()
  if (!created) throw codeTaken()
  return created
}

const codeTaken = () => failure('code_taken')

const lower = (name: string) => name.toLowerCase()

/**
 * The description in its stored form: an empty string clears it, so it becomes null. A missing description is left out and does
 * not change.
 */
const normalizedDescription = ({ description }: { description?: string | undefined }) =>
  description === undefined ? {} : { description: description || null }

const maxAttempts = 100

/**
 * Changes a template; missing fields keep their values. Throws 409 if the code is taken, or if 100 attempts in a row failed
 * because of concurrent changes.
 */
export async function changeNotification(store: Notifications, { id, ...values }: NotificationChanges, now: Date) {
  const changes = {
    ...values,
    ...normalizedDescription(values),
    ...(values.name !== undefined && { lower_name: lower(values.name) }),
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await findNotification(store, { id })
    const texts = byField((field) => (values[field] === undefined ? before[field] : values[field]))
    checkChannels({
      ...texts,
      has_email: values.has_email ?? before.has_email,
      has_sms: values.has_sms ?? before.has_sms,
    })
    const variables = JSON.stringify(variablesOf(texts))
    const changed = await replace(store, before, { ...changes, variables, updated_at: now })
    if (changed) return changed
  }
  throw failure('notification_busy', undefined, { retryAfter: 1 })
}

type Columns = Notifications['notifications']['$inferInsert']
type Changes = { [Name in keyof Columns]?: Columns[Name] | undefined }

/**
 * Changes a row if its version is unchanged (optimistic lock). Otherwise the caller must check the changes against the newer
 * texts and try again.
 */
async function replace({ db, notifications }: Notifications, { id, version }: Row, changes: Changes) {
  const isSame = and(eq(notifications.id, id), eq(notifications.version, version))
  const update = db.update(notifications).set({ ...changes, version: version + 1 })
  try {
    const [changed] = await update.where(isSame).returning()
    return changed
  } catch (error) {
    throw isUniqueViolation(error) ? codeTaken() : error
  }
}

/** Throws 400 if an enabled channel lacks a required text: an email without subject or HTML, an SMS without message. */
function checkChannels(template: StoredTexts & Pick<Row, 'has_email' | 'has_sms'>): void {
  const errors: Record<string, string> = {}
  for (const field of ['email_subject', 'email_html'] as const)
    if (template.has_email && template[field] === null) errors[field] = 'Is required with has_email'
  if (template.has_sms && template.sms_message === null) errors.sms_message = 'Is required with has_sms'
  if (Object.keys(errors).length > 0) throw invalidParameters(errors)
}

/** Finds a template by id, code or both. Throws 404 if no template matches. */
export async function findNotification(
  { db, notifications }: Notifications,
  { id, code }: NotificationBy,
): Promise<Row> {
  const condition = and(
    id === undefined ? undefined : eq(notifications.id, id),
    code === undefined ? undefined : eq(notifications.code, code),
  )
  const [template] = await db.select().from(notifications).where(condition)
  if (!template) throw missing('notification', code === undefined ? { id: id! } : { code })
  return template
}

/** Deletes a template. Throws 404 if it does not exist. */
export async function deleteNotification({ db, notifications }: Notifications, id: number): Promise<void> {
  const deleted = await db.delete(notifications).where(eq(notifications.id, id)).returning({ id: notifications.id })
  if (deleted.length === 0) throw missing('notification', { id })
}

/** Lists a page of templates, newest first. The page ends early at 8 MB and then has `has_more`. */
export async function listNotifications(
  store: Notifications,
  { limit, offset, count: isCounted, ...filter }: NotificationFilter,
) {
  const { db, notifications } = store
  const condition = matching(store, filter)
  const columns = columnsOf(store)
  const { size } = columns
  const page = db
    .select({ ...columns, ...byField((field) => textIfFits(size, limit, notifications[field])) })
    .from(notifications)
    .where(condition)
    .orderBy(desc(notifications.id))
    .limit(limit)
    .offset(offset)
  const total = db.select({ nb_results: count() }).from(notifications).where(condition)
  const [rowsOfPage, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  const { rows, isCut } = await fillPage(rowsOfPage, limit, (ids) =>
    db
      .select({ ...columns, ...byField((field) => sql<string | null>`${notifications[field]}`) })
      .from(notifications)
      .where(inArray(notifications.id, ids)),
  )
  return { notifications: rows, ...(isCut && { has_more: true as const }), ...counted }
}

/** The columns of a listed template without its texts. A page reads the texts only as long as they fit into 8 MB. */
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
  size: sizeOf(...textFields.map((field) => notifications[field])),
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

interface DatabaseError {
  code?: string
  message?: string
  /** The error of the database driver; Drizzle wraps it in an error without `code`. */
  cause?: DatabaseError
}

/**
 * Whether a write failed because another row has the same unique value. Postgres reports that with a code, D1 only in the
 * message.
 */
function isUniqueViolation(error: unknown): boolean {
  const { code, message, cause } = error as DatabaseError
  return (
    code === '23505' ||
    Boolean(message?.includes('UNIQUE constraint failed')) ||
    (cause !== undefined && isUniqueViolation(cause))
  )
}
