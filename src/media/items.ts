// Adds, finds, updates and deletes rows of the items table. item-list.ts lists them; their files are in R2.
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ItemKind } from './contract/uploads.ts'
import type { Orientation } from './engines/engine.ts'
import { missing } from './errors.ts'
import type { MediaStore } from './schema.ts'

type Row = MediaStore['items']['$inferSelect']

/**
 * Reasons why a video failed: ffmpeg cannot decode it, a limit on time, disk or memory was reached, or the container died
 * repeatedly.
 */
export const videoFailures = ['unreadable', 'too_long', 'too_large', 'out_of_memory', 'killed'] as const
export type VideoFailure = (typeof videoFailures)[number]

/** A stored item. */
export type Item = Omit<Row, 'kind' | 'orientation' | 'state' | 'failure'> & {
  kind: ItemKind
  orientation: Orientation | null
  state: 'processing' | 'ready' | 'failed'
  failure: VideoFailure | null
}

export type NewItem = Omit<Item, 'created_at' | 'updated_at' | 'run'>

/**
 * Number of the first transcoding run of a video. Each retry has the next number, so that a late result of an earlier run is
 * ignored.
 */
export const firstRun = 1

/**
 * Adds an item whose file is in R2. The same batch deletes its pending upload, so that the sweep keeps the file exactly if the item
 * exists.
 */
export async function addItem({ db, items, pendingUploads }: MediaStore, item: NewItem): Promise<Item> {
  const now = new Date()
  const added = { ...item, run: firstRun, created_at: now, updated_at: now }
  await db.batch([
    db.insert(items).values(added),
    db.delete(pendingUploads).where(eq(pendingUploads.digest, item.digest)),
  ])
  return added
}

/** Finds an item by its digest. Throws 404 if it does not exist or is of another kind. */
export async function findItem(store: MediaStore, digest: string, kind?: ItemKind): Promise<Item> {
  const item = await seekItem(store, digest)
  if (!item || (kind && item.kind !== kind)) throw missing(kind ?? 'file')
  return item
}

/** Finds an item by its digest and returns undefined if it does not exist, where `findItem` throws. */
export async function seekItem({ db, items }: MediaStore, digest: string): Promise<Item | undefined> {
  const [row] = await db.select().from(items).where(eq(items.digest, digest))
  return row as Item | undefined
}

/**
 * Delay between the deletion of an item and the second deletion of its objects by the sweep. Requests and jobs that still use the
 * item end within this time.
 */
const cleanupDelayMs = 600_000

/**
 * Deletes an item. Throws 404 if no item of that kind has the digest. A pending upload is added in the same batch, so that the
 * sweep removes objects that a concurrent request or job writes to R2 after the deletion.
 */
export async function deleteItem(store: MediaStore, digest: string, kind: ItemKind): Promise<void> {
  const { db, items, pendingUploads } = store
  const chosen = and(eq(items.digest, digest), eq(items.kind, kind))
  const due_at = sql.param(new Date(Date.now() + cleanupDelayMs), pendingUploads.due_at)
  const [, deleted] = await db.batch([
    store.run(
      sql`INSERT INTO ${pendingUploads} (digest, due_at) SELECT digest, ${due_at} FROM ${items} WHERE ${chosen} ON CONFLICT DO NOTHING`,
    ),
    db.delete(items).where(chosen).returning({ digest: items.digest }),
  ])
  if (deleted.length === 0) throw missing(kind)
}

/** The columns that the end of a transcoding run sets. */
export type VideoOutcome = Pick<NewItem, 'state'> &
  Partial<Pick<NewItem, 'failure' | 'size' | 'width' | 'height' | 'duration'>>

/**
 * Stores the result of a transcoding run. Stores nothing and returns false if the video was deleted, or a retry has started a later
 * run.
 */
export async function endProcessing(
  { db, items }: MediaStore,
  digest: string,
  outcome: VideoOutcome,
  run = firstRun,
): Promise<boolean> {
  const ended = await db
    .update(items)
    .set({ ...outcome, updated_at: new Date() })
    .where(and(eq(items.digest, digest), eq(items.run, run)))
    .returning({ digest: items.digest })
  return ended.length > 0
}

/** Sets a video to `failed` because its source cannot be read, unless the run has ended in the meantime. */
export async function abortProcessing(
  { db, items }: MediaStore,
  { digest, run }: Pick<Item, 'digest' | 'run'>,
): Promise<void> {
  await db
    .update(items)
    .set({ state: 'failed', failure: 'unreadable', updated_at: new Date() })
    .where(and(eq(items.digest, digest), eq(items.run, run), eq(items.state, 'processing')))
}

/**
 * Sets a failed video to `processing` and increments its run. Returns undefined if the video does not exist or has not failed: then
 * another retry was faster.
 */
export async function restartProcessing({ db, items }: MediaStore, digest: string): Promise<Item | undefined> {
  const [restarted] = await db
    .update(items)
    .set({ state: 'processing', failure: null, run: sql`${items.run} + 1`, updated_at: new Date() })
    .where(and(eq(items.digest, digest), eq(items.kind, 'video'), eq(items.state, 'failed')))
    .returning()
  return restarted as Item | undefined
}

const maxVideosPerSweep = 100

/**
 * Claims up to 100 videos in state `processing` that were not changed or claimed since `before`, oldest change first. The claim
 * sets `updated_at`, so that the next sweep does not take the same videos.
 */
export async function takeProcessing({ db, items }: MediaStore, before: Date, now = new Date()): Promise<Item[]> {
  const oldest = db
    .select({ digest: items.digest })
    .from(items)
    .where(and(eq(items.state, 'processing'), lt(items.updated_at, before)))
    .orderBy(asc(items.updated_at))
    .limit(maxVideosPerSweep)
  const taken = await db.update(items).set({ updated_at: now }).where(inArray(items.digest, oldest)).returning()
  return taken as Item[]
}
