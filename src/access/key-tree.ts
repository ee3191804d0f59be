// SQL over the keys that keys created: they end with the key that created them.
import { type SQL, sql } from 'drizzle-orm'
import type { AccessStore } from './schema.ts'

/** Keys that one key may have created, itself and through keys that it created. A key and all of these are deleted in one batch. */
export const maxCreatedKeys = 10_000

/** SQL for the ids of a key and of all keys that it created, itself and through others. */
export const treeOf = ({ keys }: AccessStore, id: string): SQL => sql`
  WITH RECURSIVE tree (id) AS (
    SELECT id FROM ${keys} WHERE id = ${id}
    UNION
    SELECT created.id FROM ${keys} created JOIN tree ON created.parent_id = tree.id
  ) SELECT id FROM tree`

/**
 * SQL condition: the key exists, and it may create another one. Every key above it counts all keys that it created, itself and through
 * others, so that the topmost one decides.
 */
export const mayCreate = ({ keys }: AccessStore, id: string): SQL => sql`(
  WITH RECURSIVE above (id, parent_id) AS (
    SELECT id, parent_id FROM ${keys} WHERE id = ${id}
    UNION
    SELECT parent.id, parent.parent_id FROM ${keys} parent JOIN above ON parent.id = above.parent_id
  ), tree (id) AS (
    SELECT id FROM above WHERE parent_id IS NULL
    UNION
    SELECT created.id FROM ${keys} created JOIN tree ON created.parent_id = tree.id
  ) SELECT count(*) FROM tree) BETWEEN 1 AND ${sql.raw(String(maxCreatedKeys))}`

/**
 * First statement of a batch: creations and deletions of keys run one after another, so that no key is created by one that is deleted
 * at the same time. SQLite runs one batch at a time and needs no lock.
 */
export const lockKeys = (store: AccessStore) =>
  store.run(store.dialect === 'd1' ? sql`SELECT 1` : sql`LOCK TABLE ${store.keys} IN SHARE ROW EXCLUSIVE MODE`)
