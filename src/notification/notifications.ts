import { and, eq } from 'drizzle-orm'
import type { NewNotification, NotificationBy, NotificationChanges } from './contract.ts'
import { failure, missing } from './errors.ts'
import { byField } from './fields.ts'
import type { Notifications } from './schema.ts'
import { isTaken } from './taken.ts'
import { type StoredTexts, variablesOf } from './texts.ts'

/** A template as it is stored. */
type Row = Notifications['notifications']['$inferSelect']

/** Creates a template. 409 where its code is taken. */
export async function createNotification({ db, notifications }: Notifications, given: NewNotification, now: Date) {
  const texts = byField((field) => given[field] ?? null)
  checkChannels({ ...given, ...texts })
  const variables = JSON.stringify(variablesOf(texts))
  const times = { created_at: now, updated_at: now }
  const row = { ...given, ...asKept(given), name: given.name, lower_name: lower(given.name), ...texts, variables }
  const [created] = await db
    .insert(notifications)
    .values({ ...row, version: 1, ...times })
    .onConflictDoNothing()
    .returning()
  if (!created) throw taken()
  return created
}

const taken = () => failure('code_taken')

const lower = (name: string) => name.toLowerCase()

/** An empty description is none. */
const asKept = ({ description }: { description?: string | undefined }) =>
  description === undefined ? {} : { description: description || null }

const mostTries = 100

/** Changes a template: what is absent stays. 409 where the code is taken. */
export async function changeNotification(store: Notifications, { id, ...given }: NotificationChanges, now: Date) {
  const changes = { ...given, ...asKept(given), ...(given.name !== undefined && { lower_name: lower(given.name) }) }
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await findNotification(store, { id })
    const texts = byField((field) => (given[field] === undefined ? before[field] : given[field]))
    checkChannels({
      ...texts,
      has_email: given.has_email ?? before.has_email,
      has_sms: given.has_sms ?? before.has_sms,
    })
    const variables = JSON.stringify(variablesOf(texts))
    const changed = await replace(store, before, { ...changes, variables, updated_at: now })
    if (changed) return changed
  }
  throw failure('notification_busy', undefined, { retryAfter: 1 })
}

type Columns = Notifications['notifications']['$inferInsert']
type Changes = { [Name in keyof Columns]?: Columns[Name] | undefined }

/** Changes a row unless another change came first, of which the checks and the variables know nothing. */
async function replace({ db, notifications }: Notifications, { id, version }: Row, changes: Changes) {
  const isSame = and(eq(notifications.id, id), eq(notifications.version, version))
  const update = db.update(notifications).set({ ...changes, version: version + 1 })
  try {
    const [changed] = await update.where(isSame).returning()
    return changed
  } catch (error) {
    throw isTaken(error) ? taken() : error
  }
}

/** Refuses what could never go out: an email without a subject or without HTML, an SMS without a text. */
function checkChannels(template: StoredTexts & Pick<Row, 'has_email' | 'has_sms'>): void {
  const errors: Record<string, string> = {}
  for (const field of ['email_subject', 'email_html'] as const)
    if (template.has_email && template[field] === null) errors[field] = 'Is required with has_email'
  if (template.has_sms && template.sms_message === null) errors.sms_message = 'Is required with has_sms'
  const lacking = Object.keys(errors)
  if (lacking.length > 0) throw failure('validation_failed', `Not valid: ${lacking.join(', ')}`, { errors })
}

/** A template by its id or its code, or by both. */
export async function findNotification(
  { db, notifications }: Notifications,
  { id, code }: NotificationBy,
): Promise<Row> {
  const chosen = and(
    id === undefined ? undefined : eq(notifications.id, id),
    code === undefined ? undefined : eq(notifications.code, code),
  )
  const [found] = await db.select().from(notifications).where(chosen)
  if (!found) throw missing('notification', code === undefined ? { id: id! } : { code })
  return found
}

export async function deleteNotification({ db, notifications }: Notifications, id: number): Promise<void> {
  const deleted = await db.delete(notifications).where(eq(notifications.id, id)).returning({ id: notifications.id })
  if (deleted.length === 0) throw missing('notification', { id })
}
