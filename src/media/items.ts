import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { ItemKind } from './contract/uploads.ts'
import type { Orientation } from './engines/engine.ts'
import { missing } from './errors.ts'
import type { MediaStore } from './schema.ts'

type Row = MediaStore['items']['$inferSelect']

/** Why a video failed: it cannot be decoded, or takes more time, disk or memory than there is, or ffmpeg does not survive it. */
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

/** The number of a video's first transcoding run. */
export const firstRun = 1

/** Adds an item whose bytes lie in R2; its trace goes with the same step. */
export async function addItem({ db, items, pendingUploads }: MediaStore, item: NewItem): Promise<Item> {
  const now = new Date()
  const added = { ...item, run: firstRun, created_at: now, updated_at: now }
  await db.batch([
    db.insert(items).values(added),
    db.delete(pendingUploads).where(eq(pendingUploads.digest, item.digest)),
  ])
  return added
}

/** The item of a digest, if it is of that kind; 404 otherwise. */
export async function findItem(store: MediaStore, digest: string, kind?: ItemKind): Promise<Item> {
  const item = await seekItem(store, digest)
  if (!item || (kind && item.kind !== kind)) throw missing(kind ?? 'file')
  return item
}

/** The item of a digest. */
export async function seekItem({ db, items }: MediaStore, digest: string): Promise<Item | undefined> {
  const [row] = await db.select().from(items).where(eq(items.digest, digest))
  return row as Item | undefined
}

const lease = 600_000

/**
 * Deletes an item; 404 where there is none of that kind. Its trace outlives what may still be at work on it, so that the
 * sweep removes what that leaves behind.
 */
export async function deleteItem(store: MediaStore, digest: string, kind: ItemKind): Promise<void> {
  const { db, items, pendingUploads } = store
  const chosen = and(eq(items.digest, digest), eq(items.kind, kind))
  const due_at = sql.param(new Date(Date.now() + lease), pendingUploads.due_at)
  const [, deleted] = await db.batch([
    store.run(
      sql`INSERT INTO ${pendingUploads} (digest, due_at) SELECT digest, ${due_at} FROM ${items} WHERE ${chosen} ON CONFLICT DO NOTHING`,
    ),
    db.delete(items).where(chosen).returning({ digest: items.digest }),
  ])
  if (deleted.length === 0) throw missing(kind)
}

/** What is known of a video once it is transcoded, or cannot be. */
export type VideoOutcome = Pick<NewItem, 'state'> &
  Partial<Pick<NewItem, 'failure' | 'size' | 'width' | 'height' | 'duration'>>

/** Ends a transcoding run of a video; false if the video was deleted, or a retry has begun a later run. */
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

/** Gives up a run of a video whose source cannot be read, unless the run has ended by itself meanwhile. */
export async function abortProcessing(
  { db, items }: MediaStore,
  { digest, run }: Pick<Item, 'digest' | 'run'>,
): Promise<void> {
  await db
    .update(items)
    .set({ state: 'failed', failure: 'unreadable', updated_at: new Date() })
    .where(and(eq(items.digest, digest), eq(items.run, run), eq(items.state, 'processing')))
}

/** Begins the next run of a failed video; undefined if the video has not failed, or does not exist. */
export async function restartProcessing({ db, items }: MediaStore, digest: string): Promise<Item | undefined> {
  const [restarted] = await db
    .update(items)
    .set({ state: 'processing', failure: null, run: sql`${items.run} + 1`, updated_at: new Date() })
    .where(and(eq(items.digest, digest), eq(items.kind, 'video'), eq(items.state, 'failed')))
    .returning()
  return restarted as Item | undefined
}

const perSweep = 100

/** Takes videos that are still processed and that nobody took since `before`: those of longest ago, a hundred at most. */
export async function takeProcessing({ db, items }: MediaStore, before: Date, now = new Date()): Promise<Item[]> {
  const longest = db
    .select({ digest: items.digest })
    .from(items)
    .where(and(eq(items.state, 'processing'), lt(items.updated_at, before)))
    .orderBy(asc(items.updated_at))
    .limit(perSweep)
  const taken = await db.update(items).set({ updated_at: now }).where(inArray(items.digest, longest)).returning()
  return taken as Item[]
}
