import { and, count, desc, eq, type SQLWrapper, sql } from 'drizzle-orm'
import type { MessagesOf } from './contract.ts'
import { missing } from './errors.ts'
import type { SmsStore } from './schema.ts'

/** A page of what was sent, the newest first; with the texts that were kept, where they may be seen. */
export async function listMessages(
  { db, messages }: SmsStore,
  { limit, offset, count: isCounted, ...filter }: MessagesOf,
  withText: boolean,
) {
  const chosen = matching(messages, filter)
  const page = db.select().from(messages).where(chosen).orderBy(desc(messages.id)).limit(limit).offset(offset)
  const total = db.select({ nb_results: count() }).from(messages).where(chosen)
  const [rows, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  return { messages: rows.map((row) => shown(row, withText)), ...counted }
}

/** One message; 404 where there is none. */
export async function findMessage({ db, messages }: SmsStore, id: number, withText: boolean) {
  const [row] = await db.select().from(messages).where(eq(messages.id, id))
  if (row) return shown(row, withText)
  throw missing('message', { id })
}

const matching = (messages: SmsStore['messages'], { phone, state, provider, kind }: Partial<MessagesOf>) =>
  and(
    phone === undefined ? undefined : eq(messages.phone, phone),
    state && (phone === undefined ? eq(messages.state, state) : unindexed(messages.state, state)),
    provider && unindexed(messages.provider, provider),
    kind && eq(messages.kind, kind),
  )

/** SQLite takes any index that it can for better than the order of ids, and cannot know that most rows are of one value. */
const unindexed = (column: SQLWrapper, value: string) => sql`${column} || '' = ${value}`

/** A row as callers see it. */
function shown({ text, ...row }: SmsStore['messages']['$inferSelect'], withText: boolean) {
  return { ...row, ...(withText && text !== null && { text }) }
}
