// Data of persons in the feed: records for a recipient or from a sender, and the recipient's read marks, changes and streams.
import { waitUntil } from 'cloudflare:workers'
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import type { Person, PersonalPlace } from '#core/person/places'
import { isAnyOf } from '#core/person/tables'
import type { Env } from './bindings.ts'
import type { CollectionTable } from './conditions.ts'
import { deleteMatching } from './records.ts'
import { type Feed, recordsOf, schema } from './schema.ts'
import { closeStreams, notifyOfChanges } from './subscribers.ts'

/** Records that one step deletes: each may have another recipient, whose streams are notified by one subrequest. */
const recordsPerStep = 30
const changesPerStep = 500

/** A record has up to about a megabyte. */
const recordsPerPage = 10

type Table = CollectionTable & { name: string }

/** The next collection after an id. */
async function nextTable(feed: Feed, after: number): Promise<Table | undefined> {
  const { db, collections } = feed
  const [found] = await db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(and(eq(collections.is_ready, true), gt(collections.id, after)))
    .orderBy(asc(collections.id))
    .limit(1)
  return found && { ...found, records: recordsOf(feed, found.id) }
}

const recipientsOf = ({ user, recipient }: Person) =>
  [...new Set([user, recipient])].filter((name) => name !== undefined)

/** Records for the person, and records that the person has caused. */
const isInvolved = ({ records }: Table, person: Person) =>
  or(isAnyOf(records.recipient, recipientsOf(person)), isAnyOf(records.sender, [person.user]))

const records: PersonalPlace<Env> = {
  name: 'records',
  columns: { 'feed_records_*': ['recipient', 'sender'] },
  subrequests: 6 + recordsPerStep,

  /** The cursor is the id of the last collection that is done. */
  async erase(env, person, cursor = '0') {
    if (recipientsOf(person).length === 0) return { erased: 0 }
    const feed = open(env, schema)
    const table = await nextTable(feed, Number(cursor))
    if (!table) return { erased: 0 }
    const { id } = table.records
    const rows = await feed.db.select({ id }).from(table.records).where(isInvolved(table, person)).limit(recordsPerStep)
    if (rows.length > 0) {
      const { notifiable } = await deleteMatching(
        feed,
        table,
        inArray(
          id,
          rows.map((row) => row.id),
        ),
      )
      notifyOfChanges(env, { waitUntil }, table, notifiable)
    }
    return { erased: rows.length, next: rows.length === recordsPerStep ? cursor : String(table.id) }
  },

  async read(env, person, cursor = '[0,0]') {
    if (recipientsOf(person).length === 0) return { rows: [] }
    const feed = open(env, schema)
    const [after, afterRecord] = JSON.parse(cursor) as [number, number]
    const table = await nextTable(feed, after)
    if (!table) return { rows: [] }
    const { id, recipient, sender, thread, title, text, image, payload, created_at } = table.records
    const page = await feed.db
      .select({ id, recipient, sender, thread, title, text, image, payload, created_at })
      .from(table.records)
      .where(and(isInvolved(table, person), gt(id, afterRecord)))
      .orderBy(asc(id))
      .limit(recordsPerPage)
    const next = page.length === recordsPerPage ? [after, page.at(-1)!.id] : [table.id, 0]
    return { rows: page.map((row) => ({ collection: table.name, ...row })), next: JSON.stringify(next) }
  },
}

/** After the records, whose deletion is logged. None of these rows has content, so there is nothing to export. */
const recipientState: PersonalPlace<Env> = {
  name: 'recipient_state',
  columns: { feed_changes: ['recipient'], feed_epochs: ['recipient'], feed_listeners: ['recipient'] },
  subrequests: 6,

  async erase(env, person, cursor = '0') {
    const recipients = recipientsOf(person)
    if (recipients.length === 0) return { erased: 0 }
    const feed = open(env, schema)
    const table = await nextTable(feed, Number(cursor))
    if (!table) return { erased: 0 }
    const { db, changes, epochs, listeners } = feed
    const logged = db
      .select({ id: changes.id })
      .from(changes)
      .where(and(eq(changes.collection_id, table.id), inArray(changes.recipient, recipients)))
      .limit(changesPerStep)
    const unlogged = affectedRows(await db.delete(changes).where(inArray(changes.id, logged)))
    if (unlogged === changesPerStep) return { erased: unlogged, next: cursor }
    const listening = await db
      .delete(listeners)
      .where(and(eq(listeners.collection_id, table.id), inArray(listeners.recipient, recipients)))
      .returning({ recipient: listeners.recipient })
    await Promise.all(listening.map(({ recipient }) => closeStreams(env, table, recipient)))
    const marks = await db
      .delete(epochs)
      .where(and(eq(epochs.collection_id, table.id), inArray(epochs.recipient, recipients)))
    return { erased: unlogged + listening.length + affectedRows(marks), next: String(table.id) }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [records, recipientState]
