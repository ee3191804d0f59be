// Lists the items of all kinds, page by page. items.ts has the other queries.
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { ItemCursor, ItemsOf } from './contract.ts'
import type { Item } from './items.ts'
import type { MediaStore } from './schema.ts'

/**
 * Lists a page of items, newest first. `next` is the cursor of the next page, if there is one. The cursor names an item, so concurrent
 * uploads and deletions do not move items between pages.
 */
export async function listItems(store: MediaStore, params: ItemsOf) {
  const { limit } = params
  const found = await pageOf(store, { ...params, limit: limit + 1 })
  const items = found.slice(0, limit) as Item[]
  return { items, next: found.length > limit ? items.at(-1) : undefined }
}

/**
 * Builds the query of a page. Every combination of parameters is a range scan of an index, so a page of a large table costs no more
 * than one of a small table.
 */
export const pageOf = (store: MediaStore, { kind, before, limit }: ItemsOf) =>
  store.db
    .select()
    .from(store.items)
    .where(and(kind && eq(store.items.kind, kind), before && olderThan(store, before)))
    .orderBy(desc(store.items.created_at), desc(store.items.digest))
    .limit(limit)

/**
 * Selects the items after the cursor by a comparison of two columns at once, `(created_at, digest) < (…)`, which D1 and Postgres
 * answer with an index seek.
 */
const olderThan = ({ items }: MediaStore, { created_at, digest }: ItemCursor): SQL =>
  sql`(${items.created_at}, ${items.digest}) < (${sql.param(created_at, items.created_at)}, ${digest})`
