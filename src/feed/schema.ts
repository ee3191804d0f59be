// Tables of the feed, for D1 and Postgres. The records of each collection have a separate table, created at run time.
import { defineSchema, type Kit, type kits } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, boolean, time, index, unique, primaryKey }) => {
  const collections = table(
    'feed_collections',
    {
      id: id(),
      name: text().notNull(),
      is_ready: boolean().notNull().default(false),
      // Null for collections that were created before this column existed.
      created_at: time(),
    },
    (t) => [unique('feed_collections_name').on(t.name)],
  )

  // The epochs: how often each recipient has marked all records of a collection read. A record of an earlier epoch is read.
  const epochs = table(
    'feed_epochs',
    { collection_id: integer().notNull(), recipient: text().notNull(), epoch: integer().notNull() },
    (t) => [primaryKey({ columns: [t.collection_id, t.recipient] })],
  )

  // Recipients whose streams may have subscribers. Writers call the durable object `Audience` for these recipients only.
  const listeners = table(
    'feed_listeners',
    { collection_id: integer().notNull(), recipient: text().notNull() },
    (t) => [primaryKey({ columns: [t.collection_id, t.recipient] })],
  )

  // Change log, from which streams resume. It is kept for a day. New records are not logged: streams read them from their own
  // table.
  const changes = table(
    'feed_changes',
    {
      id: id(),
      collection_id: integer().notNull(),
      recipient: text().notNull(),
      // The changed record. Null if the change concerns many records; if they were marked read, `until` is the last of their
      // ids.
      record_id: integer(),
      until: integer(),
      is_read: boolean().notNull(),
      // `updated`; `deleted`; `created`, if a record got this recipient; `reset`, if many records changed; null if only read
      // flags changed.
      event: text(),
      created_at: time().notNull(),
    },
    (t) => [
      index('feed_changes_recipient').on(t.collection_id, t.recipient, t.id),
      index('feed_changes_created_at').on(t.created_at),
    ],
  )

  return { collections, epochs, listeners, changes }
})

export type Feed = StoreOf<typeof schema>

/** The table of one collection's records. It is created at run time, together with the collection. */
const recordsTable = ({ table, id, text, integer, boolean, time, index }: Kit, collectionId: number) => {
  const name = `feed_records_${collectionId}`
  return table(
    name,
    {
      id: id(),
      recipient: text().notNull(),
      sender: text(),
      thread: text(),
      title: text(),
      text: text(),
      image: text(),
      payload: text(),
      created_at: time().notNull(),
      // The record's own read flag. It counts only while its recipient is in the epoch of the next column: in a later epoch the
      // record is read.
      is_read: boolean().notNull(),
      epoch: integer().notNull(),
      // Title and text in folded case, for search that ignores case.
      folded_title: text(),
      folded_text: text(),
    },
    (t) => [
      index(`${name}_recipient`).on(t.recipient, t.id),
      index(`${name}_sender`).on(t.sender, t.id),
      index(`${name}_thread`).on(t.thread, t.recipient, t.id),
      index(`${name}_unread`).on(t.recipient, t.epoch, t.is_read, t.id),
    ],
  )
}

export type Records = ReturnType<typeof recordsTable>

const tableCache: Record<keyof typeof kits, Map<number, Records>> = { d1: new Map(), postgres: new Map() }

/**
 * The table of a collection's records. Its name contains the collection's id, so that no name that a caller chose becomes SQL.
 */
export function recordsOf({ dialect, kit }: Pick<Feed, 'dialect' | 'kit'>, collectionId: number): Records {
  const records = tableCache[dialect].get(collectionId) ?? recordsTable(kit, collectionId)
  tableCache[dialect].set(collectionId, records)
  return records
}
