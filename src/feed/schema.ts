import { defineSchema, type Kit, type kits } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, id, text, integer, boolean, time, index, unique, primaryKey }) => {
  const collections = table(
    'feed_collections',
    {
      id: id(),
      name: text().notNull(),
      is_ready: boolean().notNull().default(false),
      // None for those that were made before this was kept.
      created_at: time(),
    },
    (t) => [unique('feed_collections_name').on(t.name)],
  )

  // How often a recipient has marked all of a collection read. A record of an earlier epoch is read.
  const epochs = table(
    'feed_epochs',
    { collection_id: integer().notNull(), recipient: text().notNull(), epoch: integer().notNull() },
    (t) => [primaryKey({ columns: [t.collection_id, t.recipient] })],
  )

  // Whose stream somebody may be listening to, so that a write to all others need not ask.
  const listeners = table(
    'feed_listeners',
    { collection_id: integer().notNull(), recipient: text().notNull() },
    (t) => [primaryKey({ columns: [t.collection_id, t.recipient] })],
  )

  // Log of changes, from which a stream resumes. A new record has no row: it is read from its own table. Swept after a day.
  const changes = table(
    'feed_changes',
    {
      id: id(),
      collection_id: integer().notNull(),
      recipient: text().notNull(),
      // One record; or all of them, up to the last that there was.
      record_id: integer(),
      until: integer(),
      is_read: boolean().notNull(),
      // `updated`, `deleted`, `created` of a record that got this recipient, `reset` of many at once; null of a read flag.
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

/** The records of one collection: a table of their own, made when the collection is. */
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
      // What the record says of itself; it counts while its recipient is in this epoch.
      is_read: boolean().notNull(),
      epoch: integer().notNull(),
      // For a search that folds the case of any script.
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

const made: Record<keyof typeof kits, Map<number, Records>> = { d1: new Map(), postgres: new Map() }

/** The records table of a collection, by its registry id: no name that a caller chose becomes SQL. */
export function recordsOf({ dialect, kit }: Pick<Feed, 'dialect' | 'kit'>, collectionId: number): Records {
  const records = made[dialect].get(collectionId) ?? recordsTable(kit, collectionId)
  made[dialect].set(collectionId, records)
  return records
}
