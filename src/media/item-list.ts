import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { ItemCursor, ItemsOf } from './contract.ts'
import type { Item } from './items.ts'
import type { MediaStore } from './schema.ts'

/**
 * A page of items, the newest first; `next` is where the one after it begins, unless it is the last. What is stored or
 * deleted meanwhile moves no other item to another page.
 */
export async function listItems(store: MediaStore, given: ItemsOf) {
  const { limit } = given
  const found = await pageOf(store, { ...given, limit: limit + 1 })
  const items = found.slice(0, limit) as Item[]
  return { items, next: found.length > limit ? items.at(-1) : undefined }
}

/** The query of a page: a range of an index, whatever is asked for. */
export const pageOf = (store: MediaStore, { kind, before, limit }: ItemsOf) =>
  store.db
    .select()
    .from(store.items)
    .where(and(kind && eq(store.items.kind, kind), before && olderThan(store, before)))
    .orderBy(desc(store.items.created_at), desc(store.items.digest))
    .limit(limit)

/** One comparison of two values, which both databases answer by a seek. */
const olderThan = ({ items }: MediaStore, { created_at, digest }: ItemCursor): SQL =>
  sql`(${items.created_at}, ${items.digest}) < (${sql.param(created_at, items.created_at)}, ${digest})`
